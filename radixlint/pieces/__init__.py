"""Requests as hashed pieces in wire order, and for each the earlier request that it should have shared its prefix with."""

from radixlint.pieces.clusters import clusters
from radixlint.pieces.item import TOOL_ROLE, Item, Piece, PieceKind
from radixlint.pieces.item_numbers import PROMPT_ROLE
from radixlint.pieces.json_form import one_form
from radixlint.pieces.losses import Loss, losses
from radixlint.pieces.own_talks import own_talks
from radixlint.pieces.partners import partners_of
from radixlint.pieces.piece_book import PieceBook

__all__ = [
    "PROMPT_ROLE",
    "TOOL_ROLE",
    "Item",
    "Loss",
    "Piece",
    "PieceBook",
    "PieceKind",
    "clusters",
    "losses",
    "one_form",
    "own_talks",
    "partners_of",
]

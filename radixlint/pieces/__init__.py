"""Requests as hashed pieces in wire order, and for each the earlier request that it should have shared its prefix with."""

from radixlint.pieces.item import TOOL_ROLE, Item, Piece, PieceKind

__all__ = ["TOOL_ROLE", "Item", "Piece", "PieceKind"]

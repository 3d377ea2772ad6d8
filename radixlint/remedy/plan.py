"""A fix to be tried, and what it is made for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from radixlint.explain import Case
from radixlint.explain.place_values import Place, PlaceValues
from radixlint.layout import Layout
from radixlint.pieces import PieceBook
from radixlint.traffic import Request


class Subject(Struct, frozen=True):
    """What plans are made for.

    Attributes:
        requests: the measured requests, by position.
        chains: the conversation number of each.
        clusters: the application of each.
        book: their pieces.
        places: what stands at places in messages.
        case: the losses to be mended.
        layout: lays the requests out.
    """

    requests: Sequence[Request]
    chains: Sequence[int]
    clusters: Sequence[int]
    book: PieceBook
    places: dict[Place, PlaceValues]
    case: Case
    layout: Layout


class Plan(Struct, frozen=True):
    """One way to mend a case.

    ``id`` is a kebab name, ``title`` an imperative sentence without a full stop, ``freshness`` what the model then knows less
    or later, or what stays lost; empty for nothing, never for a half plan. ``is_half`` says that a whole plan stands beside it.
    ``rewrite`` returns the requests as the fix would have sent them, as many and in the same order.
    """

    id: str
    title: str
    rewrite: Callable[[], Sequence[Request]]
    freshness: str = ""
    is_half: bool = False

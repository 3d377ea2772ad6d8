"""Which earlier requests had the prefix that a request should have been read from.

A replay names one earlier request for each, the partner. All others that share as much follow from the partners of those:
together they are a tree, in which a request owns what it was the first to send and passes through what others own.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from radixlint.traffic import Match

# Beyond it, in one conversation of as many turns, what is owned by the oldest turns counts as not passed through.
_MOST_OWNERS: Final = 1_000
_MOST_LOOKED_AT: Final = 4_096
_WHOLE: Final = 1 << 62


class PrefixHolders:
    """Who passed through which prefixes, for the requests at ``wanted`` positions only.

    ``matches`` and ``partners`` stand in the order of the requests; a partner is the position of an earlier request that
    shares the request's ``shareable_tokens`` with it.
    """

    def __init__(self, matches: Sequence[Match | None], partners: Sequence[int | None], wanted: Iterable[int]) -> None:
        self._shared = array("q", (0 if match is None else match.shareable_tokens for match in matches))
        self._owners = array("q", (-1 for _ in matches))
        for position, partner in enumerate(partners):
            if partner is not None and partner < position and matches[position] is not None:
                self._owners[position] = self._owner(partner, self._shared[position])
        self._ends: dict[int, tuple[int, int]] = {}
        for position in wanted:
            match = matches[position]
            if match is not None and self._owners[position] >= 0:
                self._ends[position] = self._owner(self._owners[position], match.engine_tokens), match.engine_tokens
        self._passed: dict[int, tuple[array[int], array[int]]] = {
            owner: (array("q", (owner,)), array("q", (_WHOLE,))) for owner, _ in self._ends.values()
        }
        for position in range(len(matches)) if self._passed else ():
            self._pass(position)

    def before(self, position: int) -> Iterator[int]:
        """Yield the positions of the requests before that have all its engine tokens at their start, the last one first."""
        if position not in self._ends:
            return
        owner, end_tokens = self._ends[position]
        positions, depths = self._passed[owner]
        last = bisect_left(positions, position) - 1
        for index in range(last, max(-1, last - _MOST_LOOKED_AT), -1):
            if depths[index] >= end_tokens:
                yield positions[index]

    def _owner(self, position: int, tokens: int) -> int:
        """Return who was the first to send the first ``tokens`` tokens of the request at ``position``."""
        while self._owners[position] >= 0 and tokens <= self._shared[position]:
            position = self._owners[position]
        return position

    def _pass(self, position: int) -> None:
        owner, depth = self._owners[position], self._shared[position]
        for _ in range(_MOST_OWNERS):
            if owner < 0:
                break
            if owner in self._passed:
                positions, depths = self._passed[owner]
                positions.append(position)
                depths.append(depth)
            owner, depth = self._owners[owner], self._shared[owner]

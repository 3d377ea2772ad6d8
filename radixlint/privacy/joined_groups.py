"""Numbers joined into groups: union-find, each group led by its smallest member."""

from __future__ import annotations

from array import array


class JoinedGroups:
    """Groups of the numbers from 0 to ``count`` - 1; at first each number is a group of its own.

    >>> groups = JoinedGroups(4)
    >>> groups.join(3, 1)
    >>> groups.leaders()
    [0, 1, 2, 1]
    """

    def __init__(self, count: int) -> None:
        self._leaders = array("I", range(count))

    def join(self, one: int, other: int) -> None:
        """Make the groups of ``one`` and ``other`` one group."""
        one, other = self.leader(one), self.leader(other)
        self._leaders[max(one, other)] = min(one, other)

    def leader(self, number: int) -> int:
        """Return the smallest member of the group of ``number``."""
        leaders = self._leaders
        while leaders[number] != number:
            leaders[number] = leaders[leaders[number]]
            number = leaders[number]
        return number

    def leaders(self) -> list[int]:
        """Return the leader of each number."""
        return [self.leader(number) for number in range(len(self._leaders))]

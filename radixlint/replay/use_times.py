"""From seconds to stamps: which stamps are too old at a given time."""

from __future__ import annotations

from collections import deque
from math import inf


class UseTimes:
    """Remembers at what time which stamps were given. A use before any known time is too old as soon as one is known."""

    __slots__ = ("_first", "_marks", "_ttl_s")

    def __init__(self, ttl_s: float) -> None:
        self._ttl_s = ttl_s
        self._marks: deque[tuple[float, int]] = deque()
        self._first = 0

    def note(self, time_s: float | None, stamp: int) -> None:
        """Say that stamps from ``stamp`` on are given at ``time_s``; times that run back count as the last one."""
        known_s = -inf if time_s is None else time_s
        if not self._marks or known_s > self._marks[-1][0]:
            self._marks.append((known_s, stamp))

    def stale_before(self, time_s: float | None, now: int) -> int:
        """Return the stamp below which all uses are more than the time to live ago at ``time_s``, at most ``now``.

        0 where the time is unknown: then nothing is too old.
        """
        if time_s is None:
            return 0
        while self._marks and time_s - self._marks[0][0] > self._ttl_s:
            self._marks.popleft()
            self._first = self._marks[0][1] if self._marks else now
        return self._first

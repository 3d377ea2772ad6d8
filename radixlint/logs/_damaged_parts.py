"""Records out of packed parts (members of gzip, frames of zstd) that turn out to be damaged: any of them may be wrong.

An unpacker goes on behind damage, with copies of the wrong bytes, until a code makes no sense or the check at the end fails.
Nobody can tell where the damage began, so all records of the part are counted as bad, though they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radixlint.logs._tally import Tally

_REASON: Final = "from a damaged compressed stream"
_TOLD: Final = "Counted as bad, for the compressed stream that they stand in is damaged and their texts may be wrong"
_DAMAGED: Final = "the compressed stream is damaged, and was read up to where it cannot be unpacked any further"


class PackedParts:
    """The part of a packed file that is being read; ``count`` returns how many records were read so far."""

    def __init__(self, tally: Tally, count: Callable[[], int]) -> None:
        self._tally = tally
        self._count = count
        self._before = count()
        self._first_place = (tally.place[0], 1)
        self._is_damaged = False

    def note(self, what: str) -> None:
        """Keep a sentence about the file."""
        self._tally.note_file(what)

    def begin(self) -> None:
        """Say that a part begins, and that the one before is whole."""
        self._before = self._count()
        path, line = self._tally.place
        self._first_place = (path, line + 1)

    def damage(self) -> None:
        """Say that the present part is damaged; nothing is read behind it."""
        self._is_damaged = True
        self.note(_DAMAGED)

    def settle(self) -> int:
        """Count the records of the damaged part as bad, if there is one, and return how many they are."""
        suspect = self._count() - self._before if self._is_damaged else 0
        if suspect:
            self._tally.skip(_REASON, _TOLD, self._first_place, suspect)
        return suspect

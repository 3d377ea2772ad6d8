"""What reading had to skip, drop or alter: counted as it happens, with the first places, and told in sentences."""

from __future__ import annotations

from typing import Final

from radixlint.logs._short_paths import short_paths

_PLACES_KEPT: Final = 3
Place = tuple[str, int]


class Tally:
    """Counters by what happened; ``at`` says where the reader stands, so that nobody else has to carry lines about.

    ``skipped`` counts records by reason; ``next_index`` is what ``new_index`` returns next, ``file_starts`` what it was when
    each file began.
    """

    def __init__(self) -> None:
        self.skipped: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._places: dict[str, list[Place]] = {}
        self._paths: list[str] = []
        self._file_notes: dict[str, str] = {}
        self._line = 0
        self.next_index = 0
        self.file_starts: list[int] = []

    def enter(self, path: str) -> None:
        """Say that a file begins."""
        self._paths.append(path)
        self.file_starts.append(self.next_index)

    def new_index(self) -> int:
        """Return the index of the next request, from 0."""
        self.next_index += 1
        return self.next_index - 1

    def at(self, line: int) -> None:
        """Say which line is being read, from 1."""
        self._line = line

    @property
    def place(self) -> Place:
        """The file and the line being read, for those who can tell only later what there is to say of it."""
        return self._paths[-1], self._line

    def keep_place(self, places: list[Place]) -> None:
        """Add the present place to ``places`` if they are few yet."""
        if len(places) < _PLACES_KEPT:
            places.append(self.place)

    def skip(self, reason: str, told: str | None = None, place: Place | None = None, count: int = 1) -> None:
        """Count a record, the present one or that at ``place``, as skipped; ``told`` says more, in the words of ``note``."""
        self.skipped[reason] = self.skipped.get(reason, 0) + count
        self.note(told or f"Skipped, {reason}", place, count)

    def note(self, what: str, place: Place | None = None, count: int = 1) -> None:
        """Count events, the first of them here or at ``place``; ``what`` reads well in front of a colon and a number."""
        self._counts[what] = self._counts.get(what, 0) + count
        places = self._places.setdefault(what, [])
        place = place or self.place
        if len(places) < _PLACES_KEPT and place not in places:
            places.append(place)

    def count(self, what: str) -> int:
        """Return how many events were noted as ``what``."""
        return self._counts.get(what, 0)

    def note_file(self, what: str) -> None:
        """Keep a sentence about the present file as a whole; ``what`` ends without a full stop."""
        note = f"{self._paths[-1]}: {what}"
        self._counts.setdefault(note, 0)
        self._file_notes[note] = self._paths[-1]

    def mark(self) -> tuple[dict[str, int], dict[str, int], dict[str, list[Place]]]:
        """Return what ``forget_since`` needs to come back to the present state."""
        return dict(self.skipped), dict(self._counts), {what: list(places) for what, places in self._places.items()}

    def forget_since(self, mark: tuple[dict[str, int], dict[str, int], dict[str, list[Place]]]) -> None:
        """Forget what was counted since ``mark``: it was about a file that is no log."""
        self.skipped, self._counts, self._places = mark

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence for each kind of event, in the order of first sight."""
        shown = short_paths(self._paths)
        return tuple(self._sentence(what, count, shown) for what, count in self._counts.items())

    def _sentence(self, what: str, count: int, short: dict[str, str]) -> str:
        if what in self._file_notes:
            path = self._file_notes[what]
            return f"{short[path]}{what.removeprefix(path)}."
        places = self._places[what]
        more = ", ..." if count > len(places) else ""
        if len(self._paths) > 1:
            shown = ", ".join(f"{short[path]}:{line}" for path, line in places)
        else:
            shown = f"{'lines' if count > 1 else 'line'} {', '.join(str(line) for _, line in places)}"
        return f"{what}: {count} ({shown}{more})."

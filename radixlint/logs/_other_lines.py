"""Lines that no format knows: bad records of a log of records, or what else a server prints; told apart where a file ends."""

from __future__ import annotations

from typing import Final

from radixlint.logs._tally import Place, Tally
from radixlint.logs._unknown_records import advice

PASSED_OVER: Final = "Lines that tell of no request were passed over"


class OtherLines:
    """Holds back the lines of a file that no format knows until the others show what kind of file it is.

    ``text`` counts the lines of text that a format claims, ``json`` those that begin like a JSON object: what is mostly
    lines of text is a server's log, in which tracebacks and progress bars are no records.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._held: dict[str, int] = {}
        self._places: dict[str, list[Place]] = {}
        self.text = 0
        self.json = 0

    def hold(self, reason: str) -> None:
        """Keep the present line; ``reason`` is why no format could take it."""
        self._held[reason] = self._held.get(reason, 0) + 1
        self._tally.keep_place(self._places.setdefault(reason, []))

    def settle(self) -> int:
        """Say what became of the lines held back, and begin the next file; return how many of them were records."""
        is_text = self.text > self.json
        records = 0 if is_text else sum(self._held.values())
        for reason, count in self._held.items():
            first, *others = self._places[reason]
            for place, events in ((first, count - len(others)), *((place, 1) for place in others)):
                if is_text:
                    self._tally.note(PASSED_OVER, place, events)
                else:
                    more = advice((reason,))
                    self._tally.skip(reason, f"Skipped, {reason} ({more})" if more else None, place, events)
        self._held.clear()
        self._places.clear()
        self.text = self.json = 0
        return records

"""What a log format is to the reader: how it is told, and how its records become requests.

A format is a module of this package with ``NAME``, ``ACCEPTS`` (what it reads, in words), ``MISSING`` (the reason to skip a
record that was forced on it and does not fit) and ``RANK`` (formats are tried in rising order: 10 for a shape nothing else
has, 50 for one with usual names, 90 for the most general), and one of

- ``find(record)`` and ``read(envelopes, index, tally)``: one JSON record is one request;
- ``find(record)`` and ``open(tally)``: JSON records that hold several requests, or that need each other;
- ``claims(line)`` and ``open(tally)``: lines of text.

``find`` returns the envelopes around the request, the request last, or nothing if this is another format; ``claims`` says
whether a line (bytes, no LF) is one of its own. ``ENGINE`` names the engine that writes the format, if one does. Both may
raise ``RecordError`` for a record that is theirs and cannot give a hit rate, with the reason and what to log instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from radixlint.traffic import EngineStats, Request


class Reading(Protocol):
    """One format in one run, over all files."""

    def take(self, found: Any) -> Sequence[Request]:
        """Return the requests that are complete with ``found`` (the envelopes of a record, or a line of text).

        What is not complete, because an answer or further rows may follow, is held back. Each request gets its index from
        ``tally.new_index()`` when it is first seen, so indices follow the order of the log.

        Raises:
            RecordError: nothing in it is of use; ``reason`` is short and stable.
        """

    def rest(self) -> Sequence[Request]:
        """Return what was held back, after the last record."""

    def stats(self) -> EngineStats | None:
        """Return what the engine's statistics lines said, None if there were none."""

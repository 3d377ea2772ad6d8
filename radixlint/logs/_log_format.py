"""What a log format is to the reader: how it is told, and how its records become requests.

A format is a module of this package with ``NAME``, ``ACCEPTS`` (what it reads, in words), ``MISSING`` (the reason to skip a
record that was forced on it and does not fit) and ``RANK`` (formats are tried in rising order: 10 for a shape nothing else
has, 50 for one with usual names, also where none is given, 90 for the most general), and one of

- ``find(record)`` and ``read(envelopes, index, tally)``: one JSON record is one request, left out where no engine answered;
- ``find(record)`` and ``open(tally)``: JSON records that hold several requests, or that need each other;
- ``claims(line)`` and ``open(tally)``: lines of text.

``find`` returns the envelopes around the request, the request last, or nothing if this is another format; ``claims`` says
whether a line (bytes, no LF) is one of its own. Neither changes the record, and what they answer depends on it alone.
``ENGINE`` names the engine that writes the format, if one does: its lines are counted by request, for it tells of one on
several, and of other things on most. ``GIVES`` says in one short sentence what hit rates it can
give (text, ids, blocks, usage only). Both ``read`` and ``take`` may raise ``RecordError`` for a record that is theirs and
cannot give a hit rate, with the reason and what to log instead.

A module that offers several formats has ``formats(maps)`` instead: it returns a ``Format`` for each, those described by the
files ``maps`` of the user included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final, Protocol

from msgspec import Struct

from radixlint.logs._record_json import Record
from radixlint.logs._tally import Tally
from radixlint.logs._uncalled_rows import was_answered
from radixlint.traffic import EngineStats, Request

USUAL_RANK: Final = 50


class Reading(Protocol):
    """One format in one run, over all files."""

    def take(self, found: Any) -> Sequence[Request] | None:
        """Return the requests that are complete with ``found`` (the envelopes of a record, or a line of text).

        None says that an engine's line tells nothing, neither of a request nor of the engine.

        What is not complete, because an answer or further rows may follow, is held back. Each request gets its index from
        ``tally.new_index()`` when it is first seen, so indices follow the order of the log, and in an engine's log so does
        the count of records.

        Raises:
            RecordError: nothing in it is of use; ``reason`` is short and stable.
        """

    def rest(self) -> Sequence[Request]:
        """Return what was held back, after the last record; what is refused only now is told by ``tally.skip`` and its place."""

    def stats(self) -> EngineStats | None:
        """Return what the engine's statistics lines said, None if there were none."""


class Format(Struct, frozen=True):
    """A log format as loaded.

    Attributes:
        name: as in ``--from``.
        accepts: what it reads, in words.
        missing: the reason to skip a record that is not of this format, where it was asked for by name.
        open: begins a run over all files.
        find: what of a JSON record its ``Reading`` takes, nothing if this is another format; None for text.
        claims: whether a line of text is one of its own; None for JSON.
        rank: formats are tried in rising order.
        gives: what it can give, in one sentence.
        engine: the engine that writes it, None if none does.
    """

    name: str
    accepts: str
    missing: str
    open: Callable[[Tally], Reading]
    find: Callable[[Record], Any] | None = None
    claims: Callable[[bytes], bool] | None = None
    rank: int = USUAL_RANK
    gives: str = ""
    engine: str | None = None


def formats_of(module: ModuleType, maps: Sequence[str]) -> tuple[Format, ...]:
    """Return the formats that a module of this package offers; ``maps`` are the user's files that describe more.

    Raises:
        ConfigError: one of ``maps`` is unknown or malformed.
    """
    if hasattr(module, "formats"):
        return tuple(module.formats(maps))
    return (
        Format(
            name=module.NAME,
            accepts=module.ACCEPTS,
            missing=module.MISSING,
            open=module.open if hasattr(module, "open") else each_record(module.read),
            find=getattr(module, "find", None),
            claims=getattr(module, "claims", None),
            rank=getattr(module, "RANK", USUAL_RANK),
            gives=getattr(module, "GIVES", module.ACCEPTS),
            engine=getattr(module, "ENGINE", None),
        ),
    )


def each_record(read: Callable[[Sequence[Record], int, Tally], Request]) -> Callable[[Tally], Reading]:
    """Return the ``open`` of a format whose ``read`` makes one request of one record."""
    return lambda tally: _EachRecord(read, tally)


class _EachRecord:
    """One record, one request, nothing held back."""

    def __init__(self, read: Callable[[Sequence[Record], int, Tally], Request], tally: Tally) -> None:
        self._read = read
        self._tally = tally

    def take(self, found: Sequence[Record]) -> tuple[Request, ...]:
        if not was_answered(found, self._tally):
            return ()
        request = self._read(found, self._tally.next_index, self._tally)
        self._tally.new_index()  # a refused record takes none
        return (request,)

    def rest(self) -> tuple[Request, ...]:
        return ()

    def stats(self) -> None:
        return None

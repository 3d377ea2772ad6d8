"""Lines of a server as container runtimes and the journal keep them: each in a wrapping with a time, long ones in pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

import msgspec
from msgspec import Struct

from radixlint.logs._record_time import parse_time

_LINES_LOOKED_AT: Final = 5
# Docker cuts a line into pieces of this size; others that use its names leave the line end out of whole lines too.
_DOCKER_PIECE_BYTES: Final = 16 << 10
_CRI: Final = re.compile(
    rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([FP])(?::\S*)? (.*)\Z", re.DOTALL
)


class _Piece(Struct, frozen=True):
    text: bytes
    time: str | None
    source: str | bytes
    is_last: bool


class _Docker(Struct, frozen=True):
    log: str
    stream: Literal["stdout", "stderr"]
    time: str | None = None


class _Journal(Struct, frozen=True):
    message: str | list[int] | None = msgspec.field(name="MESSAGE")
    time: str = msgspec.field(name="__REALTIME_TIMESTAMP")
    pid: str = msgspec.field(name="_PID", default="")
    line_break: str = msgspec.field(name="_LINE_BREAK", default="")


_DOCKER_LINE: Final = msgspec.json.Decoder(_Docker)
_JOURNAL_LINE: Final = msgspec.json.Decoder(_Journal)


class CollectedLines:
    """The lines in a file whose lines ``unwrap`` opens; ``time_s`` is when the one handed out last was written."""

    def __init__(self, unwrap: Callable[[bytes], _Piece | None], max_line_bytes: int) -> None:
        self._unwrap = unwrap
        self._max_line_bytes = max_line_bytes
        self._pieces: dict[str | bytes, list[bytes]] = {}
        self._time: str | None = None

    @property
    def time_s(self) -> float | None:
        """In seconds since the epoch, None if unknown."""
        return parse_time(self._time)[0]

    def lines(self, records: Iterator[tuple[int, bytes | None]]) -> Iterator[tuple[int, bytes | None]]:
        """Yield the lines in ``records``, each with the number of the record that it ends in; None for one that is too long."""
        number = 0
        for number, record in records:
            piece = None if record is None else self._unwrap(record)
            if piece is None:
                self._time = None
                yield number, record
                continue
            self._time = piece.time
            pieces = self._pieces.pop(piece.source, [])
            if sum(map(len, pieces)) <= self._max_line_bytes:
                pieces.append(piece.text)
            if piece.is_last:
                yield number, self._joined(pieces)
            else:
                self._pieces[piece.source] = pieces
        for pieces in self._pieces.values():
            yield number, self._joined(pieces)
        self._pieces.clear()

    def _joined(self, pieces: list[bytes]) -> bytes | None:
        line = b"".join(pieces)
        return line if len(line) <= self._max_line_bytes else None


def collected_lines(head: bytes, max_line_bytes: int) -> CollectedLines | None:
    """Return what takes the lines of a file that starts with ``head`` out of their wrapping, None if they are in none."""
    for line in head.split(b"\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT]:
        for unwrap in (_from_cri, _from_docker, _from_journal):
            if unwrap(line) is not None:
                return CollectedLines(unwrap, max_line_bytes)
    return None


def _from_cri(line: bytes) -> _Piece | None:
    found = _CRI.match(line)
    return None if found is None else _Piece(found[4], found[1].decode(), found[2], found[3] == b"F")


def _from_docker(line: bytes) -> _Piece | None:
    try:
        wrapped = _DOCKER_LINE.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    text = wrapped.log.encode()
    is_last = text.endswith(b"\n") or len(text) < _DOCKER_PIECE_BYTES
    return _Piece(text.removesuffix(b"\n"), wrapped.time, wrapped.stream, is_last)


def _from_journal(line: bytes) -> _Piece | None:
    try:
        wrapped = _JOURNAL_LINE.decode(line)
        text = wrapped.message.encode() if isinstance(wrapped.message, str) else bytes(wrapped.message or ())
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None
    return _Piece(text, wrapped.time, wrapped.pid, wrapped.line_break != "line-max")

"""Files to one ``LogRead``: each line to a record, each record to the format that knows it, bad ones counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, Final

from msgspec import Struct

from radixlint.errors import LogError
from radixlint.logs._foreign_bodies import foreign_body
from radixlint.logs._foreign_files import foreign_hint
from radixlint.logs._log_gaps import name_gaps
from radixlint.logs._log_lines import read_lines
from radixlint.logs._record_json import Record, RecordError, decode_record, has_repeated_keys
from radixlint.logs._tally import Tally
from radixlint.traffic import LogRead, Request

_STDIN: Final = "-"
_REPEATED_KEYS: Final = "Records with a repeated key were read with its last value"
_MAX_REPEAT_CHECKS: Final = 100
_HALF_CHARACTERS: Final = "Records with half of a character (a lone surrogate) were tokenized with U+FFFD in its place"
_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


class Format(Struct, frozen=True):
    """A log format as loaded: ``accepts`` says what it reads, ``missing`` why it refuses the rest."""

    name: str
    accepts: str
    missing: str
    find: Callable[[Record], tuple[Record, ...]]
    read: Callable[[Sequence[Record], int, Tally], Request]


def read_files(paths: Sequence[str], formats: Sequence[Format], stdin: BinaryIO | None, max_record_bytes: int) -> LogRead:
    """Read ``paths`` as one log; see ``radixlint.logs.read_logs``.

    Raises:
        LogError: a file cannot be opened or read, or no record at all is readable.
    """
    if list(paths).count(_STDIN) > 1:
        raise LogError("standard input is given twice", where=_STDIN)
    reader = _Reader(formats, max_record_bytes)
    for path in paths:
        _read_file(reader, path, stdin)
    if not reader.requests:
        raise _no_records(reader, paths)
    requests, notes = _in_order(reader.requests)
    alterations = reader.tally.sentences()
    return LogRead(
        format=", ".join(sorted(reader.names)),
        records=reader.records,
        requests=requests,
        skipped=dict(reader.tally.skipped),
        notes=(*alterations, *notes, *_mixed_formats(reader.names), *name_gaps(requests)),
        alterations=alterations,
    )


class _Reader:
    """The state of one read: requests so far, counters, and the format that fitted last."""

    def __init__(self, formats: Sequence[Format], max_record_bytes: int) -> None:
        self.tally = Tally()
        self.records = 0
        self.requests: list[Request] = []
        self.names: set[str] = set()
        self.head = b""
        self.formats = list(formats)
        self._max_record_bytes = max_record_bytes
        self._repeat_checks = _MAX_REPEAT_CHECKS

    def read(self, stream: BinaryIO, path: str) -> None:
        """Read all lines of ``stream``."""
        lines = read_lines(stream, self._max_record_bytes, self.tally.note_file, path=path)
        for number, line in enumerate(lines, start=1):
            if line is not None and (not line or line.isspace()):
                continue
            self.records += 1
            self.tally.at(number)
            if line is None:
                self.tally.skip("over size", f"Skipped, over size (more than {self._max_record_bytes >> 20} MiB)")
                continue
            try:
                self.requests.append(self._request(line))
            except RecordError as error:
                self.tally.skip(error.reason)
            except RecursionError:
                self.tally.skip("too deep")

    def _request(self, line: bytes) -> Request:
        self.head = self.head or line[:16]
        record = decode_record(line)
        self._note_repeated_keys(line)
        for format_ in self.formats:
            if envelopes := format_.find(record):
                request = format_.read(envelopes, len(self.requests), self.tally)
                self.names.add(format_.name)
                self._note_half_characters(line, request)
                # Most logs hold one format: try it first from now on.
                self.formats.remove(format_)
                self.formats.insert(0, format_)
                return request
        raise RecordError(foreign_body(record) or self.formats[0].missing)

    def _note_repeated_keys(self, line: bytes) -> None:
        # Counting is cheap and rules out nearly all lines; the exact check is slow and done only so often.
        if line.count(b'"messages"') > 1 and self._repeat_checks:
            self._repeat_checks -= 1
            if has_repeated_keys(line):
                self.tally.note(_REPEATED_KEYS)

    def _note_half_characters(self, line: bytes, request: Request) -> None:
        # Whole pairs are escaped alike in plain ASCII, so the escape only says where to look.
        if _SURROGATE_ESCAPE.search(line) and any(_HALF_CHARACTER.search(text) for text in _texts(request)):
            self.tally.note(_HALF_CHARACTERS)


def _texts(request: Request) -> Iterator[str]:
    yield from request.tools
    for message in request.messages:
        yield message.text
        yield from (call.arguments for call in message.tool_calls)


def _read_file(reader: _Reader, path: str, stdin: BinaryIO | None) -> None:
    reader.tally.enter(path)
    try:
        if path == _STDIN:
            if stdin is None:
                raise LogError("there is no standard input", where=path)
            reader.read(stdin, path)
        else:
            with open(path, "rb") as stream:
                reader.read(stream, path)
    except OSError as error:
        raise LogError(f"cannot read: {error.strerror or error}", where=path) from error


def _no_records(reader: _Reader, paths: Sequence[str]) -> LogError:
    skipped = ", ".join(f"{count} {reason}" for reason, count in reader.tally.skipped.items())
    message = f"no records could be read ({skipped})" if skipped else "no records"
    accepted = " or ".join(format_.accepts for format_ in sorted(reader.formats, key=lambda f: f.name))
    hint = foreign_hint(reader.head, paths[0]) if paths else None
    return LogError(message, where=", ".join(paths), hint=hint or f"expected JSON Lines, plain or gzip: {accepted}")


def _mixed_formats(names: set[str]) -> tuple[str, ...]:
    if len(names) < 2:
        return ()
    return (f"The log mixes formats ({', '.join(sorted(names))}): they share only if the tokenizer is the server's.",)


def _in_order(requests: Sequence[Request]) -> tuple[tuple[Request, ...], tuple[str, ...]]:
    timed = [(request.time_s, request) for request in requests if request.time_s is not None]
    if len(timed) == len(requests):
        return tuple(request for _, request in sorted(timed, key=lambda pair: pair[0])), ()
    if not timed:
        return tuple(requests), ()
    return tuple(requests), (f"Only {len(timed)} of {len(requests)} records have a time: file order was kept.",)

"""Files to one ``LogRead``: each line or document to the format that knows it, bad ones counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final

from msgspec.structs import force_setattr

from radixlint.errors import LogError
from radixlint.logs._altered_text import MAX_REPEAT_CHECKS, note_half_characters, note_repeated_keys
from radixlint.logs._chat_messages import forget_messages
from radixlint.logs._collected_lines import CollectedLines, collected_lines
from radixlint.logs._damaged_parts import PackedParts
from radixlint.logs._foreign_files import foreign_file, foreign_text, has_log_name
from radixlint.logs._json_documents import is_documents, split_documents
from radixlint.logs._log_files import STDIN, LogFile, log_files
from radixlint.logs._log_format import Format, Reading
from radixlint.logs._log_gaps import name_gaps
from radixlint.logs._log_lines import split_lines
from radixlint.logs._log_part import LogPart
from radixlint.logs._metered_stream import Meter, MeteredStream, Progress, size_of
from radixlint.logs._mixed_formats import mixture, told_apart
from radixlint.logs._other_lines import PASSED_OVER, OtherLines
from radixlint.logs._read_options import ReadOptions
from radixlint.logs._record_detection import Detection
from radixlint.logs._record_json import RecordError, decode_record, tolerated
from radixlint.logs._repeated_rows import merge_repeats
from radixlint.logs._request_order import in_order
from radixlint.logs._tally import Tally
from radixlint.logs._unknown_records import UNKNOWN, advice, unknown_reason
from radixlint.logs._unpacking import peek, unpack
from radixlint.plural import counted
from radixlint.traffic import LogRead, Request

_OVER_SIZE: Final = "over size"
_TOO_DEEP: Final = "too deep"
_LIMIT_HINT: Final = "a record may be longer with --max-record-mb; lines end at LF"


def read_files(
    paths: Sequence[str],
    formats: Sequence[Format],
    options: ReadOptions,
    stdin: BinaryIO | None,
    progress: Progress | None = None,
) -> LogRead:
    """Read ``paths`` as one log; see ``radixlint.logs.read_logs``.

    Raises:
        LogError: a file cannot be opened or read, or no record at all is readable.
        ConfigError: a time of day was asked for, and the log is of several days.
        KeyboardInterrupt: with the number of records that were read until then, in words.
    """
    files = log_files(paths)
    reader = _Reader([f for f in formats if options.format in (None, f.name)], options, Meter(progress, files))
    try:
        for file in files:
            (_read_found if file.found else _read_file)(reader, file, stdin)
        reader.finish()
        return _log_read(reader, paths)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{counted(reader.read, 'record')} read") from None


def _log_read(reader: _Reader, paths: Sequence[str]) -> LogRead:
    stats = tuple(found for reading in reader.readings.values() if (found := reading.stats()) is not None)
    days = reader.part.days()
    if not reader.requests and not stats:
        raise _no_records(reader, paths)
    engines = {format_.name: format_.engine for format_ in reader.readings}
    calls, repeats = merge_repeats(reader.requests)
    requests, notes = in_order(told_apart(calls, engines), reader.tally.file_starts)
    alterations = (*reader.tally.sentences(), *repeats)
    return LogRead(
        format=", ".join(sorted(format_.name for format_ in reader.readings)),
        records=reader.records,
        requests=requests,
        skipped=dict(reader.tally.skipped),
        notes=(
            *alterations,
            *notes,
            *days,
            *reader.part.sentences(),
            *mixture(engines),
            *name_gaps(requests, () if reader.read else stats),
        ),
        alterations=alterations,
        read=reader.read,
        stats=stats,
        engine=next(iter(engines.values())) if len(set(engines.values())) == 1 else None,
        is_sampled=reader.part.has_left_out,
    )


class _Reader:
    """The state of one read: requests so far, counters, and the formats seen with what they hold back."""

    def __init__(self, formats: Sequence[Format], options: ReadOptions, meter: Meter) -> None:
        self.tally = Tally()
        self.meter = meter
        self.records = 0
        self.read = 0
        self.requests: list[Request] = []
        self.readings: dict[Format, Reading] = {}
        self.part = LogPart(options)
        self.formats = formats
        self.hint: str | None = None
        self.foreign: str | None = None
        self._is_part = self.part.is_asked_for
        self._last: tuple[Format | None, Reading | None] = (None, None)
        self._detection = Detection(formats)
        self._others = OtherLines(self.tally)
        self._collected: CollectedLines | None = None
        self._tools: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._repeat_checks = MAX_REPEAT_CHECKS
        self._max_record_bytes = options.max_record_bytes
        self._missing = None if options.format is None else formats[0].missing

    def read_stream(self, stream: MeteredStream, file: LogFile) -> None:
        """Read all records of ``stream``.

        Raises:
            LogError: it is no log, or packed in a way that cannot be unpacked here.
        """
        parts = PackedParts(self.tally, lambda: self.read)
        head, chunks = peek(unpack(stream, parts, path=file.path))
        if (hint := foreign_file(head, file.path)) is not None:
            raise LogError("not a log", where=file.path, hint=hint)
        self.foreign = foreign_text(head)
        self.hint = self.hint or self.foreign
        split = split_documents if is_documents(head) else split_lines
        records = split(chunks, self._max_record_bytes)
        self._collected = collected_lines(head, self._max_record_bytes)
        self._read_all(records if self._collected is None else self._collected.lines(records))
        self.records += self._others.settle()
        self.read -= parts.settle()

    def finish(self) -> None:
        """Take what the formats held back; a record they took may turn out to be of no use after all."""
        self.meter.finish()
        self._collected = None
        skipped = sum(self.tally.skipped.values())
        for format_, reading in self.readings.items():
            first = self.tally.next_index
            self._keep(reading.rest(), format_)
            self._count(0 if format_.engine is None else self.tally.next_index - first)
        self.read -= sum(self.tally.skipped.values()) - skipped
        forget_messages(self.tally)

    def _count(self, understood: int) -> None:
        self.records += understood
        self.read += understood

    def _read_all(self, records: Iterator[tuple[int, bytes | None]]) -> None:
        for number, record in records:
            if record is not None and (not record or record.isspace()):
                continue
            self.tally.at(number)
            if record is None:
                self.records += 1
                self.tally.skip(_OVER_SIZE, f"Skipped, over size (more than {self._max_record_bytes >> 20} MiB)")
                continue
            try:
                format_, found = self._claim(record)
            except RecordError as error:
                self._others.hold(error.reason)
            except RecursionError:
                self._others.hold(_TOO_DEEP)
            else:
                self._take(format_, found)

    def _claim(self, line: bytes) -> tuple[Format, Any]:
        """Return the format that knows ``line``, and what it takes.

        Raises:
            RecordError: none does.
        """
        if line[:1] == b"{" or line.lstrip().startswith(b"{"):
            self._others.json += 1
        elif (claimant := self._detection.of_text(line)) is not None:
            self._others.text += 1
            return claimant, line
        elif not self._detection.has_json:
            raise RecordError(self._missing or UNKNOWN)
        record = decode_record(line)
        self._repeat_checks = note_repeated_keys(line, record, self._repeat_checks, self.tally)
        known = self._detection.of_record(record)
        if known is None:
            raise RecordError(self._missing or unknown_reason(record))
        return known

    def _take(self, format_: Format, found: Any) -> None:
        before, first = tolerated(), self.tally.next_index
        try:
            requests = self._reading(format_).take(found)
        except (RecordError, RecursionError) as error:
            self.records += 1
            self.tally.skip(error.reason if isinstance(error, RecordError) else _TOO_DEEP)
            return
        if requests is None:
            self.tally.note(PASSED_OVER)
            return
        # An engine tells of one request on several lines, and of other things on most.
        self._count(1 if format_.engine is None else self.tally.next_index - first)
        if tolerated() > before:  # strict JSON has no half characters
            note_half_characters(requests, self.tally)
        self._keep(requests, format_)

    def _reading(self, format_: Format) -> Reading:
        last, reading = self._last
        if reading is None or last is not format_:  # the hash of a format takes long
            reading = self.readings.get(format_)
            if reading is None:
                reading = self.readings[format_] = format_.open(self.tally)
            self._last = (format_, reading)
        return reading

    def _keep(self, requests: Sequence[Request], format_: Format) -> None:
        # Nobody else has seen the requests yet, and copying each takes longer than all else here.
        for request in requests:
            if request.time_s is None and self._collected is not None:
                force_setattr(request, "time_s", self._collected.time_s)
            if self._is_part and not self.part.has(request):
                continue
            force_setattr(request, "format", format_.name)
            if request.tools:
                force_setattr(request, "tools", self._tools.setdefault(request.tools, request.tools))
            self.requests.append(request)


def _read_found(reader: _Reader, file: LogFile, stdin: BinaryIO | None) -> None:
    """Read a file of a folder, which may hold other things beside logs.

    A file of another kind is named, and does not count; one with the name of a log and nothing but bad records does.
    """
    records, requests, read, mark = reader.records, len(reader.requests), reader.read, reader.tally.mark()
    try:
        _read_file(reader, file, stdin)
        if reader.read > read or len(reader.requests) > requests or reader.records == records:
            return
        if reader.foreign is None and has_log_name(file.path):
            return
        reason = reader.foreign or "no record of a known format is in it"
    except LogError as error:
        reason = error.hint or error.message
    reader.records = records
    reader.tally.forget_since(mark)
    reader.tally.note_file(f"not read, {reason}")


def _read_file(reader: _Reader, file: LogFile, stdin: BinaryIO | None) -> None:
    reader.tally.enter(file.path)
    try:
        if file.path == STDIN:
            if stdin is None:
                raise LogError("there is no standard input", where=file.path)
            reader.read_stream(MeteredStream(stdin, reader.meter), file)
            return
        with open(file.path, "rb") as stream:
            metered = MeteredStream(stream, reader.meter, size_of(stream.fileno()))
            reader.read_stream(metered, file)
            if metered.has_grown:
                reader.tally.note_file("it grew while it was read, and was read up to its size at the start")
    except OSError as error:
        raise LogError(f"cannot read: {error.strerror or error}", where=file.path) from error


def _no_records(reader: _Reader, paths: Sequence[str]) -> LogError:
    where = ", ".join(paths)
    if reader.read and reader.part.is_asked_for:
        return LogError("no request is in the part that was asked for", where=where, hint=reader.part.advice())
    if reader.read:
        told = " ".join(reader.tally.sentences())
        hint = told or "answers alone say nothing about prompts: give the log of the requests as well"
        return LogError(f"none of the {counted(reader.read, 'record')} read is a request", where=where, hint=hint)
    if not reader.records and reader.tally.count(PASSED_OVER):
        expected = " or ".join(sorted(format_.accepts for format_ in reader.readings))
        return LogError("no line tells of a request", where=where, hint=f"expected {expected}")
    skipped = ", ".join(f"{count} {reason}" for reason, count in reader.tally.skipped.items())
    message = f"no records could be read ({skipped})" if skipped else "no records"
    return LogError(message, where=where, hint=reader.hint or _way_out(reader))


def _way_out(reader: _Reader) -> str | None:
    """Return what to do about a log without a readable record, None if the reasons that its records were skipped for say it."""
    reasons = reader.tally.skipped.keys()
    if reasons == {_OVER_SIZE}:
        return _LIMIT_HINT
    told = advice(reasons)
    if told or reader.readings:
        return told
    accepted = "a format that radixlint formats lists" if len(reader.formats) > 1 else reader.formats[0].accepts
    return f"expected {accepted}; plain, gzip or zstd"

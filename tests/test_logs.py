"""Logs as files: every fixture's totals, compression, damage, order, and what the notes say."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_records import asking, json_lines, read_bytes

from radixlint.errors import ConfigError, LogError
from radixlint.logs import format_names, read_logs
from radixlint.logs._log_lines import split_lines
from radixlint.logs._unpacking import unpack
from radixlint.traffic import LogRead

FIXTURES = Path(__file__).parent / "fixtures" / "logs"


def ids(log: LogRead) -> list[str | None]:
    return [request.id for request in log.requests]


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.expected.json")), ids=lambda p: p.name.partition(".")[0])
def test_fixture_totals(path: Path) -> None:
    """Each fixture is read as its companion file states: counts, reasons, order, shapes and usage."""
    expected = json.loads(path.read_text(encoding="utf-8"))

    log = read_logs([str(path).replace(".expected.json", ".jsonl")])

    assert (log.format, log.records, len(log.requests), log.skipped) == tuple(
        expected[k] for k in ("format", "records", "read", "skipped")
    )
    assert log.records == len(log.requests) + sum(log.skipped.values())
    assert ids(log) == expected["order"]
    assert [r.index for r in log.requests] == expected["index"]
    assert [len(r.tools) for r in log.requests] == expected["tools"]
    assert [len(r.messages) for r in log.requests] == expected["messages"]
    assert [r.usage and r.usage.prompt_tokens for r in log.requests] == expected["prompt_tokens"]
    assert [r.usage and r.usage.cached_tokens for r in log.requests] == expected["cached_tokens"]


def test_notes_name_the_first_three_lines_of_each_reason(tmp_path: Path) -> None:
    """A reason is told with its count and first three lines; with several files the lines carry the end of its path."""
    bad = b"x\n\nx\nx\nx\n" + json_lines(asking())
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_bytes(bad)
    second.write_bytes(bad)

    assert "Skipped, not JSON: 4 (lines 1, 3, 4, ...)." in read_logs([str(first)]).notes
    assert any(
        f"8 ({tmp_path.name}/a.jsonl:1, {tmp_path.name}/a.jsonl:3, " in note
        for note in read_logs([str(first), str(second)]).notes
    )


def test_several_files_are_one_log_in_the_order_given(tmp_path: Path) -> None:
    """Files are read in the order given, compressed or not, and indices run through them."""
    plain, packed = tmp_path / "plain.jsonl", tmp_path / "packed.log"
    plain.write_bytes(json_lines(asking(0), asking(1)))
    packed.write_bytes(gzip.compress(json_lines(asking(2))))

    log = read_logs([str(packed), str(plain), "-"], stdin=io.BytesIO(json_lines(asking(3))))

    assert ids(log) == ["r2", "r0", "r1", "r3"]
    assert [r.index for r in log.requests] == [0, 1, 2, 3]


def test_gzip_is_told_by_its_bytes() -> None:
    """Two gzip members are both read, whatever the name, without a note."""
    log = read_bytes(gzip.compress(json_lines(asking(0))) + gzip.compress(json_lines(asking(1))) + b"\0" * 20)

    assert ids(log) == ["r0", "r1"]
    assert not any("compressed" in note for note in log.notes)


@given(cut=st.integers(min_value=60, max_value=2300))
def test_a_cut_gzip_keeps_whole_records(cut: int) -> None:
    """However a gzip stream is cut, the records before the cut are read in order, and a note says so."""
    whole = [asking(i, noise=f"{i * 7919 % 104729:x}" * 40) for i in range(200)]
    packed = gzip.compress(json_lines(*whole), mtime=0)
    assert cut < len(packed)

    try:
        log = read_bytes(packed[:cut])
    except LogError as error:
        assert "no records" in error.message  # noqa: PT017 - a short stream may hold no whole record
    else:
        assert ids(log) == [r["id"] for r in whole[: len(log.requests)]]
        assert any("ends early" in note for note in log.notes)


def test_damage_and_rubbish_after_gzip_are_noted() -> None:
    """What stands before damage or before foreign bytes is read, and the note says which of the two it was."""
    packed = gzip.compress(json_lines(*(asking(i) for i in range(3))))
    damaged = packed[:-8] + b"\0" * 8

    rubbish = read_bytes(packed + b"rubbish")

    assert ids(rubbish) == ids(read_bytes(damaged)) == ["r0", "r1", "r2"]
    assert (rubbish.records_read, rubbish.skipped) == (3, {})
    behind = read_bytes(packed + damaged)
    assert (behind.records_read, behind.skipped) == (3, {"from a damaged compressed stream": 3})
    assert any("Counted as bad" in note and ": 3 (lines 4, ...)" in note for note in behind.alterations)
    assert any("after the end of the compressed stream" in note for note in rubbish.notes)
    assert any("damaged" in note for note in read_bytes(damaged).notes)


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_record_of_a_damaged_member_is_never_good(place: int, bit: int) -> None:
    """Wherever in a member a bit is wrong, its records are counted as bad; those of whole members before it are good."""
    whole = [asking(i, noise=f"{i * 7919 % 104729:x}" * 9) for i in range(40)]
    first, second = (gzip.compress(json_lines(*part), mtime=0) for part in (whole[:20], whole[20:]))
    damaged = bytearray(second)
    damaged[10 + place % (len(damaged) - 10)] ^= 1 << bit  # what stands in front is a header, mostly of no use

    log = read_bytes(first + bytes(damaged))

    assert ids(log)[:20] == [record["id"] for record in whole[:20]]
    assert log.records_read + sum(log.skipped.values()) == log.records
    if any("ends early" in note for note in log.alterations):
        return  # a code that eats up the rest looks as a cut does, and what stands before a cut is good
    assert log.records_read == 20
    assert any("damaged" in note for note in log.alterations)


def test_a_name_that_says_gzip_is_not_believed(tmp_path: Path) -> None:
    """Plain text under a .gz name is read as plain text, with a note."""
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(json_lines(asking()))

    log = read_logs([str(path)])

    assert ids(log) == ["r0"]
    assert any("the name says gzip" in note for note in log.notes)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_marks_and_line_ends_are_tolerated(encoding: str, line_end: str) -> None:
    """A byte-order mark, UTF-16, CRLF, blank lines and a missing last line end change nothing."""
    mark = "" if encoding == "utf-8-sig" else "\ufeff"
    text = line_end.join(["", json.dumps(asking(0)), "   ", json.dumps(asking(1), ensure_ascii=False)])

    log = read_bytes((mark + text).encode(encoding))

    assert (ids(log), log.records, log.skipped) == (["r0", "r1"], 2, {})


def test_lines_end_at_lf_only() -> None:
    """Line separators of Unicode stand in text and split nothing; a bare CR makes one unreadable line."""
    text = "a\u2028b\u2029c\x85d"
    data = json.dumps(asking(0, messages=[{"role": "user", "content": text}]), ensure_ascii=False).encode() + b"\n"

    log = read_bytes(data + json_lines(asking(1))[:-1] + b"\r" + json_lines(asking(2)))

    assert log.requests[0].messages[0].text == text
    assert log.skipped == {"not JSON": 1}


@given(
    data=st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\xff", b"\n")), max_size=30),
    limit=st.integers(min_value=1, max_value=40),
)
def test_lines_do_not_depend_on_how_the_bytes_arrive(data: list[bytes], limit: int) -> None:
    """The lines are those of ``bytes.split``, each over the limit replaced by None, whatever the reads return."""

    class Trickle(io.RawIOBase):
        def __init__(self) -> None:
            self.parts = [part for part in data if part]

        def read(self, size: int = -1) -> bytes:
            return self.parts.pop(0) if self.parts else b""

    whole = b"".join(data)
    if whole.startswith((b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return
    expected = whole.split(b"\n")
    if not expected[-1]:
        expected.pop()

    lines = split_lines(unpack(Trickle(), pytest.fail), limit)  # type: ignore[arg-type]

    assert list(lines) == [(n, x if len(x) <= limit else None) for n, x in enumerate(expected, start=1)]


def test_a_record_over_the_limit_is_skipped() -> None:
    """A giant line is skipped and counted, its neighbours are read."""
    giant = asking(1, messages=[{"role": "user", "content": "x" * 3_000_000}])

    log = read_bytes(json_lines(asking(0), giant, asking(2)), max_record_bytes=2 << 20)

    assert (ids(log), log.skipped) == (["r0", "r2"], {"over size": 1})
    assert "Skipped, over size (more than 2 MiB): 1 (line 2)." in log.notes


def test_bytes_that_are_not_utf8_skip_their_record_only() -> None:
    """A record with stray bytes in its text is skipped; the rest of the file is read."""
    log = read_bytes(json_lines(asking(0)) + b'{"messages":[{"role":"user","content":"caf\xe9"}]}\n' + json_lines(asking(1)))

    assert (ids(log), log.skipped) == (["r0", "r1"], {"not UTF-8": 1})


def test_json_that_loggers_write_but_the_standard_forbids() -> None:
    """NaN, huge numbers and lone surrogates do not cost the record."""
    log = read_bytes(
        b'{"id":"a","messages":[{"role":"user","content":"cut \\ud83d"}],"temperature":NaN}\n'
        + b'{"id":"b","x":1e400,"big":%s,"messages":[{"role":"user","content":"ok"}]}\n' % (b"9" * 5000)
    )

    assert ids(log) == ["a", "b"]
    assert log.requests[0].messages[0].text == "cut \ud83d"


def test_repeated_keys_read_as_the_last_and_are_noted() -> None:
    """Of two equal keys the last wins, as in every common parser, and a note says so."""
    log = read_bytes(
        b'{"model":"a","messages":[{"role":"user","content":"1"}],"model":"b","messages":[{"role":"user","content":"2"}]}\n'
    )

    assert (log.requests[0].model, log.requests[0].messages[0].text) == ("b", "2")
    assert "Records with a repeated key were read with its last value: 1 (line 1)." in log.notes


def test_order_is_by_time_when_every_record_has_one() -> None:
    """Records are sorted by time, ties in file order, indices stay those of the file."""
    log = read_bytes(json_lines(*(asking(i, ts=ts) for i, ts in enumerate([5, 1, "1970-01-01T00:00:01Z", 0.5]))))

    assert ids(log) == ["r3", "r1", "r2", "r0"]
    assert [r.index for r in log.requests] == [3, 1, 2, 0]


def test_file_order_is_kept_when_times_are_missing() -> None:
    """With a time on some records only, file order is kept and the note says how many have one."""
    log = read_bytes(json_lines(asking(0, ts=5), asking(1), asking(2, ts="yesterday")))

    assert ids(log) == ["r0", "r1", "r2"]
    assert "Only 1 of 3 records have a time: file order was kept." in log.notes
    assert "Times that cannot be read were dropped: 1 (line 3)." in log.notes


def test_what_cannot_be_read_is_one_clear_error(tmp_path: Path) -> None:
    """A missing file, an empty folder, an empty log, noise and a doubled ``-`` are errors that say where and what to do."""
    with pytest.raises(LogError, match=r"nowhere\.jsonl: cannot read: No such file"):
        read_logs([str(tmp_path / "nowhere.jsonl")])
    with pytest.raises(LogError, match="no file in this folder"):
        read_logs([str(tmp_path)])
    with pytest.raises(LogError, match="no file matches"):
        read_logs([str(tmp_path / "*.jsonl")])
    with pytest.raises(LogError, match=r"-: no records \(expected a format that radixlint formats lists"):
        read_bytes(b"\n \n")
    with pytest.raises(LogError, match=r"-: no records \(expected OpenAI chat"):
        read_bytes(b"\n \n", format="openai-chat")
    with pytest.raises(LogError, match=r"no records could be read \(2 not JSON\)"):
        read_bytes(b"<html>\nx\n")
    with pytest.raises(LogError, match=r"1 over size\) \(a record may be longer with --max-record-mb"):
        read_bytes(b"x" * 100, max_record_bytes=99)
    with pytest.raises(LogError, match="given twice"):
        read_logs(["-", "-"], stdin=io.BytesIO())
    with pytest.raises(LogError, match="no standard input"):
        read_logs(["-"])


def test_a_format_can_be_forced() -> None:
    """A named format alone is tried, an unknown one is refused with the known ones, a mix of formats is noted."""
    mixed = json_lines(asking(0), {"id": "t", "token_ids": [1]})

    assert ids(read_bytes(mixed, format="token-ids")) == ["t"]
    assert read_bytes(mixed, format="token-ids").skipped == {"no token ids": 1}
    assert read_bytes(mixed, format="openai-chat").skipped == {"no messages": 1}
    assert read_bytes(mixed).format == "openai-chat, token-ids"
    assert any("mixes formats" in note for note in read_bytes(mixed).notes)
    assert {"openai-chat", "token-ids"} <= set(format_names())
    assert list(format_names()) == sorted(set(format_names()))
    with pytest.raises(ConfigError, match=r"unknown log format 'csv'.*openai-chat.*token-ids"):
        read_bytes(mixed, format="csv")


def test_a_shape_that_no_format_knows_is_skipped_by_that_reason() -> None:
    """Records without anything to measure say so, whatever stands beside them."""
    assert read_bytes(json_lines(asking(0), {"level": "info"}, {"a": {"b": 1}})).skipped == {"no known shape": 2}

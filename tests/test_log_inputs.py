"""What may be given as a log: packed files, folders, patterns, whole documents; and what is refused, with what to do."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_records import asking, json_lines, read_bytes

from radixlint.errors import LogError
from radixlint.logs import read_logs
from radixlint.traffic import LogRead

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RECORDS = [asking(number) for number in range(4)]
WHOLE = ["r0", "r1", "r2", "r3"]


def ids(log: LogRead) -> list[str | None]:
    return [request.id for request in log.requests]


def packed(*records: object) -> bytes:
    return bytes(zstd.compress(json_lines(*records)))


def write(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)


@pytest.mark.parametrize("padding", [b"", b"\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"])
def test_zstd_frames_are_told_by_their_bytes(padding: bytes) -> None:
    """All frames are read, a frame of user data in front, between or behind is passed over, whatever the name."""
    log = read_bytes(padding + packed(*RECORDS[:2]) + padding + packed(*RECORDS[2:]) + padding)

    assert (ids(log), log.alterations) == (WHOLE, ())


@given(cut=st.integers(min_value=20, max_value=900))
def test_a_cut_zstd_keeps_whole_records(cut: int) -> None:
    """However a zstd stream is cut, what is read is the start of the log, and a note says that it ends early."""
    whole = [asking(i, noise=f"{i * 7919 % 104729:x}" * 40) for i in range(100)]
    frames = b"".join(packed(*whole[start : start + 20]) for start in range(0, 100, 20))
    assert cut < len(frames)

    try:
        log = read_bytes(frames[:cut])
    except LogError as error:
        assert "no records" in error.message  # noqa: PT017 - a short stream may hold no whole record
    else:
        assert ids(log) == [r["id"] for r in whole[: len(log.requests)]]
        assert any("ends early" in note or len(log.requests) % 20 == 0 for note in log.notes)


def test_damage_and_rubbish_after_zstd_are_noted() -> None:
    """Whole frames are read before damage and before foreign bytes, and the note says which of the two it was."""
    damaged = bytearray(packed(*RECORDS[2:]))
    damaged[-12] ^= 0xFF

    rubbish = read_bytes(packed(*RECORDS) + b"rubbish")
    broken = read_bytes(packed(*RECORDS[:2]) + bytes(damaged))

    assert ids(rubbish) == WHOLE
    assert any("after the end of the compressed stream" in note for note in rubbish.alterations)
    assert ids(broken)[:2] == WHOLE[:2]
    assert any("damaged" in note for note in broken.alterations)
    assert broken.records_read == 2


def test_zstd_without_a_decoder_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decoder is an extra: without it the error names it, and plain logs are read all the same."""
    monkeypatch.setitem(sys.modules, "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", None)
    monkeypatch.delattr("compression" if sys.version_info >= (3, 14) else "backports.zstd", raising=False)

    with pytest.raises(LogError, match=r"no decoder for it is installed \(pip install backports.zstd"):
        read_bytes(packed(*RECORDS))
    assert ids(read_bytes(json_lines(*RECORDS))) == WHOLE


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\n\n "])
def test_a_json_array_is_read_element_by_element(indent: int | None, mark: bytes) -> None:
    """An array is a log, pretty-printed or not, packed or not; what is no object in it is skipped and counted."""
    data = mark + json.dumps([*RECORDS, 5], indent=indent).encode()

    for log in (read_bytes(data), read_bytes(gzip.compress(data)), read_bytes(bytes(zstd.compress(data)))):
        assert (ids(log), log.records, log.skipped) == (WHOLE, 5, {"not an object": 1})


def test_an_array_may_be_longer_than_a_record_may_be() -> None:
    """The limit holds for each element: memory does not grow with the array."""
    data = json.dumps([*RECORDS[:2], asking(9, noise="x" * 5000), *RECORDS[2:]]).encode()

    log = read_bytes(data, max_record_bytes=200)

    assert (ids(log), log.skipped) == (WHOLE, {"over size": 1})


def test_documents_over_several_lines_are_records() -> None:
    """Objects one below the other, each over several lines, are read as records; notes name the line they start in."""
    documents = [*RECORDS[:2], {"level": "info"}, *RECORDS[2:]]

    log = read_bytes("\n".join(json.dumps(document, indent=1) for document in documents).encode())

    assert (ids(log), log.skipped) == (WHOLE, {"no known shape": 1})
    assert any(f"(line {2 * len(json.dumps(RECORDS[0], indent=1).splitlines()) + 1})" in note for note in log.alterations)


def test_a_cut_first_line_does_not_hide_the_others() -> None:
    """A first line that was cut, in a text or between its fields, is one bad record."""
    for cut in (b'{"id": "x", "messages": [{"role": "us', b'{"id": "x",', b'{"id": "x", "messages": [{"role":'):
        log = read_bytes(cut + b"\n" + json_lines(*RECORDS))

        assert (ids(log), sum(log.skipped.values())) == (WHOLE, 1)


def test_a_folder_is_all_its_files_in_order(tmp_path: Path) -> None:
    """Files of a folder and of folders in it are read by name; hidden ones and links to folders are left out."""
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    write(tmp_path, c__jsonl=json_lines(RECORDS[2]), a__zst=packed(RECORDS[0]), __dot=json_lines(asking(8)))
    write(tmp_path / "b", x__gz=gzip.compress(json_lines(RECORDS[1])))
    write(tmp_path / ".hidden", x=json_lines(asking(9)))
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "d.jsonl").write_bytes(json_lines(RECORDS[3]))

    assert ids(read_logs([str(tmp_path)])) == WHOLE


def test_foreign_files_in_a_folder_are_noted(tmp_path: Path) -> None:
    """A folder may hold other things: they are left out with a note each and do not count, and the logs are read."""
    write(tmp_path, a__jsonl=json_lines(*RECORDS), b__pkl=b"cposix\n", c__parquet=b"PAR1...", d__md=b"# Logs\n\nof May\n")

    log = read_logs([str(tmp_path)])

    assert (ids(log), log.records, log.skipped) == (WHOLE, 4, {})
    assert [note.split(":")[0].rpartition("/")[2] for note in log.alterations] == ["b.pkl", "c.parquet", "d.md"]
    with pytest.raises(LogError, match="no records"):
        read_logs([str(tmp_path / "d.md")])


@pytest.mark.parametrize("name", ["b.jsonl", "b.json", "b.log", "b.log.1", "b.jsonl.2026-11-29.gz", "B.NDJSON"])
def test_a_log_of_bad_records_in_a_folder_counts(tmp_path: Path, name: str) -> None:
    """A file that is called a log and holds nothing but bad records is no other thing: its records are skipped and told."""
    bad = b"".join(json.dumps(record).encode()[:-9] + b"\n" for record in RECORDS)
    (tmp_path / "a.jsonl").write_bytes(json_lines(*RECORDS))
    (tmp_path / name).write_bytes(gzip.compress(bad) if name.endswith(".gz") else bad)

    log = read_logs([str(tmp_path)])

    assert (ids(log), log.records, log.records_read, log.skipped) == (WHOLE, 8, 4, {"cut off": 4})


def test_a_folder_may_hold_logs_of_other_servers(tmp_path: Path) -> None:
    """A web server's access log has a log's name and is of another kind all the same: a note says what it is."""
    write(tmp_path, a__jsonl=json_lines(*RECORDS), b__log=b'10.0.0.1 - - [29/Nov] "GET /health HTTP/1.1" 200 5\n' * 4)

    log = read_logs([str(tmp_path)])

    assert (ids(log), log.records, log.skipped) == (WHOLE, 4, {})
    assert any("b.log: not read, an access log holds no prompts" in note for note in log.alterations)


def test_a_pattern_is_the_files_it_fits(tmp_path: Path) -> None:
    """A quoted pattern is worked out by us, sorted; a file whose name looks like one is read as itself."""
    (tmp_path / "day").mkdir()
    write(tmp_path / "day", b__jsonl=json_lines(RECORDS[1]), a__jsonl=json_lines(RECORDS[0]), c__txt=json_lines(RECORDS[2]))
    (tmp_path / "[x].jsonl").write_bytes(json_lines(RECORDS[3]))

    assert ids(read_logs([str(tmp_path / "**" / "*.jsonl"), str(tmp_path / "[x].jsonl")])) == ["r3", "r0", "r1", "r3"]


def tar(folder: Path) -> bytes:
    data = io.BytesIO()
    write(folder, x__jsonl=json_lines(*RECORDS))
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.add(folder / "x.jsonl", "x.jsonl")
    return data.getvalue()


def database(folder: Path) -> bytes:
    with sqlite3.connect(folder / "x.db") as connection:
        connection.execute("create table spend (prompt text)")
    connection.close()
    return (folder / "x.db").read_bytes()


@pytest.mark.parametrize(
    ("made", "name", "hint"),
    [
        (lambda _: b"PAR1....", "log", "Parquet"),
        (lambda _: b"\x80\x04...", "log", "never loaded"),
        (lambda _: b"cposix\nsystem\n", "dump.pkl", "never loaded.*log JSON instead"),
        (lambda _: b"PK\x03\x04...", "log.jsonl", "unpack it first"),
        (tar, "log", "tar archive"),
        (lambda folder: gzip.compress(tar(folder)), "log.tgz", "tar archive"),
        (database, "log", "SQLite"),
        (lambda _: b"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6,374,44\n", "log", "lengths only"),
        (lambda _: b'"id","prompt","response_tokens"\n1,Hi,3\n', "log", "export the rows as JSON Lines"),
    ],
)
def test_foreign_files_are_named(tmp_path: Path, made: Any, name: str, hint: str) -> None:
    """A file of a kind we know but do not read is an error that says what it is and how to turn it into a log."""
    data = made(tmp_path)
    path = tmp_path / name
    path.write_bytes(data)

    with pytest.raises(LogError, match=hint) as caught:
        read_logs([str(path)])

    assert caught.value.where == str(path)


def test_a_line_with_commas_does_not_hide_records() -> None:
    """Text that looks like a table's head is one bad line where records follow."""
    log = read_bytes(b"hello,world\n" + json_lines(*RECORDS))

    assert (ids(log), log.skipped) == (WHOLE, {"not JSON": 1})

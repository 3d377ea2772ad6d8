"""Hostile logs: whatever a file holds, good records are recovered, bad ones counted, and nothing but a clear error comes."""

from __future__ import annotations

import gzip
import json
import pickle
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_records import asking, json_lines, read_bytes, read_records

from radixlint.errors import LogError
from radixlint.logs import ReadOptions, read_logs

GOOD = json_lines(*(asking(number) for number in range(5)))
DEEP = 100_000
NOISE = b'<html>502 Bad Gateway</html>\n42\nnull\n"text"\n[1, 2]\n'

# What a log holds beside five good records, and how many records of it are read and skipped.
BESIDE: dict[str, tuple[bytes, int, int]] = {
    "cut off": (b'{"messages": [{"role": "user", "content": "x"', 0, 1),
    "stray bytes": (b'{"messages": [{"role": "user", "content": "caf\xe9"}]}\n', 0, 1),
    "half a character's bytes": (b'{"messages": [{"role": "user", "content": "\xe2\x82"}]}\n', 0, 1),
    "half a character's escape": (b'{"messages": [{"role": "user", "content": "\\ud83d"}]}\n', 1, 0),
    "zero bytes": (b"\0" * 4096 + b"\n", 0, 1),
    "deep arrays": (b"[" * DEEP + b"]" * DEEP + b"\n", 0, 1),
    "deep objects": (b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"\n", 0, 1),
    "deep messages": (b'{"messages": ' + b"[" * DEEP + b"]" * DEEP + b"}\n", 0, 1),
    "deep request in a string": (json.dumps({"request": '{"a":' * DEEP + "1" + "}" * DEEP}).encode() + b"\n", 0, 1),
    "noise": (NOISE, 0, 5),
    "line ends in text": ('{"messages": [{"role": "user", "content": "a\u2028b\u0085c"}]}\n'.encode(), 1, 0),
    "no number": (b'{"messages": [{"role": "user", "content": "x"}], "usage": {"prompt_tokens": NaN}}\n', 1, 0),
    "many digits": (b'{"messages": [{"role": "user", "content": "x"}], "usage": {"prompt_tokens": %s}}\n' % (b"9" * 5000), 1, 0),
    "more cached than sent": (
        json_lines(asking(9, usage={"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 9}})),
        1,
        0,
    ),
}


@pytest.mark.parametrize("beside", list(BESIDE))
@pytest.mark.parametrize("is_first", [False, True])
def test_good_records_are_recovered_and_the_rest_is_told(beside: str, is_first: bool) -> None:
    """Before or behind what is bad or odd, all good records are read; every skipped one is counted and told."""
    odd, read, skipped = BESIDE[beside]
    whole_line = odd if odd.endswith(b"\n") else odd + b"\n"

    log = read_bytes(whole_line + GOOD if is_first else GOOD + odd)

    assert (log.records_read, sum(log.skipped.values())) == (5 + read, skipped)
    assert log.records == 5 + read + skipped
    assert {f"r{number}" for number in range(5)} <= {request.id for request in log.requests}
    assert log.alterations or beside == "line ends in text"


@pytest.mark.parametrize(("start", "end"), [(b"", b"\n" + GOOD), (b"[" + GOOD.strip().replace(b"\n", b",\n") + b",", b"]")])
def test_memory_stays_bounded_where_a_small_file_unpacks_to_a_giant_record(tmp_path: Path, start: bytes, end: bytes) -> None:
    """A record over the limit is never held whole, as a line or as the element of an array; the others are read."""
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(start + b'{"messages": [{"role": "user", "content": "')
        for _ in range(64):
            stream.write(b"a" * (1 << 20))
        stream.write(b'"}]}' + end)

    tracemalloc.start()
    try:
        log = read_logs([str(path)], ReadOptions(max_record_bytes=1 << 20))
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (log.records_read, log.skipped) == (5, {"over size": 1})
    assert peak_bytes < 16 << 20


@pytest.mark.parametrize("text", ["half \ud83d", "\udca9"])
def test_half_characters_are_told(text: str) -> None:
    """A lone surrogate reads as U+FFFD, which is an alteration; whole characters written as a pair of escapes are none."""
    whole = asking(0, messages=[{"role": "user", "content": "\U0001f4a9"}])
    half = asking(1, messages=[{"role": "user", "content": text}])

    assert read_records(whole).alterations == ()
    assert [a.split(" (")[0] for a in read_records(whole, half).alterations] == ["Records with half of a character"]


class Dangerous:
    """Writes a file if it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        return Path.touch, (self.marker,)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", ["dump.pkl", "dump.jsonl"])
def test_pickles_are_never_loaded(tmp_path: Path, protocol: int, name: str) -> None:
    """A pickle of any protocol, under any name, is refused without being loaded."""
    marker = tmp_path / "was-executed"
    (tmp_path / name).write_bytes(pickle.dumps(Dangerous(marker), protocol))

    with pytest.raises(LogError):
        read_logs([str(tmp_path / name)])
    assert not marker.exists()


@given(
    edits=st.lists(
        st.tuples(st.integers(0, 2000), st.sampled_from([b"", b"\0", b'"', b"{", b"[", b"\n", b"\xff", b"\\", b"]}"]))
    ),
    as_array=st.booleans(),
    is_packed=st.booleans(),
)
def test_damaged_bytes_never_do_more_than_skip_records(edits: list[tuple[int, bytes]], as_array: bool, is_packed: bool) -> None:
    """A log with bytes put in, packed after or before that, is read as far as it goes, or refused with a clear error."""
    records = [asking(number, request={"body": '{"messages": []}'}, usage={"prompt_tokens": 1}) for number in range(8)]
    data = json.dumps(records, indent=1).encode() if as_array else json_lines(*records)
    data = gzip.compress(data, mtime=0) if is_packed else data
    for place, put_in in edits:
        place %= len(data)
        data = data[:place] + put_in + data[place + 1 :]

    try:
        log = read_bytes(data)
    except LogError as error:
        assert "-" in str(error)  # noqa: PT017 - the error names the input
    else:
        assert log.records == log.records_read + sum(log.skipped.values())
        assert log.alterations or log.records_read == log.records

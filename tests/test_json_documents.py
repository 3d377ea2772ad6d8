"""JSON that is not one record a line is cut into the same records, however it is laid out and however its bytes arrive."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.logs._json_documents import is_documents, split_documents

TEXT = st.text(alphabet='a"\\{}[],: \n\u00e9\u2028', max_size=8)
RECORDS = st.lists(
    st.dictionaries(TEXT, st.recursive(TEXT | st.integers() | st.none(), lambda v: st.lists(v) | st.dictionaries(TEXT, v))),
    min_size=1,
    max_size=5,
)


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def split(data: bytes, size: int = 1 << 20, limit: int = 1 << 20) -> list[tuple[int, bytes | None]]:
    return list(split_documents(iter(pieces(data, size)), limit))


@given(
    records=RECORDS, indent=st.sampled_from([None, 0, 2]), size=st.integers(1, 40), is_ascii=st.booleans(), in_array=st.booleans()
)
def test_records_are_those_of_a_json_parser(
    records: list[dict[str, Any]], indent: int | None, size: int, is_ascii: bool, in_array: bool
) -> None:
    """Elements of an array, and objects one after the other, come out whole, in any layout and any chunks."""
    if in_array:
        text = json.dumps(records, indent=indent, ensure_ascii=is_ascii)
    else:
        text = "\n".join(json.dumps(record, indent=indent, ensure_ascii=is_ascii) for record in records)

    found = split(text.encode(), size)

    assert [json.loads(record) for _, record in found if record is not None] == records
    assert len(found) == len(records)


def test_lines_are_those_where_records_begin() -> None:
    """Each record comes with the line it starts in."""
    data = b'[\n  {"a": "x\\n"},\n  {\n    "b": 2\n  }, {"c": 3}\n]\n{"d": 4}\n'

    assert [line for line, _ in split(data, 3)] == [2, 3, 5, 7]


def test_a_record_over_the_limit_is_told_and_its_neighbours_come() -> None:
    """A giant element is None; brackets and quotes in it are still followed."""
    giant = json.dumps({"text": '"]}' * 100})
    data = f'[{{"a": 1}}, {giant}, {{"b": 2}}]'.encode()

    assert [record for _, record in split(data, 7, limit=50)] == [b'{"a": 1}', None, b'{"b": 2}']


@pytest.mark.parametrize(
    ("data", "records"),
    [
        (b'[{"a": 1}, {"b": "cut', [b'{"a": 1}', b'{"b": "cut']),
        (b'[{"a": 1}, null, 3, "x, [y", {"b": 2}]', [b'{"a": 1}', b"null", b"3", b'"x, [y"', b'{"b": 2}']),
        (b'[{"a": 1}] } {"b": 2}', [b'{"a": 1}', b"}", b'{"b": 2}']),
        (b"[]", []),
        (b'[{"a": 1}] [{"b": 2}]', [b'{"a": 1}', b'{"b": 2}']),
    ],
)
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_what_is_no_record_does_not_hide_those_that_are(data: bytes, records: list[bytes], size: int) -> None:
    """A cut end, values that are no objects and stray brackets come as they are, for the reader to count."""
    assert [record for _, record in split(data, size)] == records


@pytest.mark.parametrize(
    ("head", "is_so"),
    [
        (b'[{"a": 1}]', True),
        (b'\n  [\n  {\n "a": 1', True),
        (b'{\n  "requests": [', True),
        (b'{"resourceSpans": [\n{"a": 1}]}', True),
        (b'{"a": 1}\n{"a": 2}\n', False),
        (b'{"a": "cut\n{"a": 2}\n', False),
        (b'{"a": 1,\n{"a": 2}\n', False),
        (b"[2026-11-29 13:05:59] Init\n", False),
        (b"[[[[", False),
        (b"INFO {", False),
        (b"", False),
    ],
)
def test_documents_are_told_from_lines(head: bytes, is_so: bool) -> None:
    """An array of objects and an object over several lines are documents; one object a line, cut or not, and text are not."""
    assert is_documents(head) is is_so

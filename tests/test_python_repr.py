"""Python's ``repr`` read by scanning: exact for what engines log, linear and harmless for anything else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.logs._id_lists import packed_ids
from radixlint.logs._python_repr import inner_fields, is_cut, plain_value, scan_fields, string_value

VALUES = st.one_of(
    st.text(), st.integers(), st.none(), st.booleans(), st.lists(st.integers()), st.dictionaries(st.text(), st.text())
)


@given(st.text())
def test_strings_come_back(text: str) -> None:
    """Whatever a string holds, reading its ``repr`` gives it back, half characters included."""
    assert string_value(repr(text).encode("utf-8")) == text


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), VALUES, min_size=1))
def test_fields_come_back_as_written(fields: dict[str, object]) -> None:
    """Each field of a call is found with its value as written, whatever brackets, quotes and commas stand in it."""
    shown = "Name(" + ", ".join(f"{name}={value!r}" for name, value in fields.items()) + ")"

    found = inner_fields(shown.encode())

    assert found == {name: repr(value).encode() for name, value in fields.items()}


@pytest.mark.parametrize("text", [b"a='x", b"a=[1, 2", b"a=f(b=1", b"a='it\\'"])
def test_what_is_cut_off_is_refused(text: bytes) -> None:
    """A string or a bracket without its end is an error, not a shorter value."""
    with pytest.raises(ValueError, match="not closed"):
        scan_fields(text)


@pytest.mark.parametrize("text", [rb"'\'\'", b"[(" * 2, b"'\\x", b'"\\"'])
def test_hostile_lines_take_linear_time(text: bytes) -> None:
    """Twenty times the length takes no more than about twenty times the time."""
    seconds = []
    for repeats in (20_000, 400_000):
        began = time.process_time()
        with pytest.raises(ValueError, match="not closed"):
            scan_fields(b"a=(" + text * repeats + b"'")
        seconds.append(time.process_time() - began)

    assert seconds[1] < 100 * seconds[0] + 0.5


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"'a' ... 'b'", True),
        (b"[1, 2] ... [3]", True),
        (b"<text: 9000 chars, blake2b=0123456789abcdef>", True),
        (b"'a ... b'", False),
        (b"[1, 2]", False),
        (b"None", False),
    ],
)
def test_cuts_are_told_from_dots_in_text(value: bytes, expected: bool) -> None:
    """Dots between two literals are a logger's; dots in one are the text's own."""
    assert is_cut(value) is expected


@pytest.mark.parametrize("text", ["__import__('os').getpid()", "[1", "f'{1}'", "open('x')", "9**9**9", "'\\q'" * 3 + "x"])
def test_nothing_but_literals_has_a_value(text: str) -> None:
    """Calls, operators and broken text have no value, and nothing of them is run."""
    assert plain_value(text.encode()) is None


def test_values_of_literals() -> None:
    """Lists and dictionaries of strings and numbers have their value, odd escapes as Python reads them."""
    assert plain_value(repr([{"role": "user", "n": 1.5}]).encode()) == [{"role": "user", "n": 1.5}]
    assert plain_value(rb"'\d'") == "\\d"


@given(st.lists(st.integers(min_value=0, max_value=2**32 - 1)))
def test_lists_of_ids(ids: list[int]) -> None:
    """A list as Python or JSON prints it gives the ids as little-endian uint32."""
    assert packed_ids(str(ids).encode()) == b"".join(i.to_bytes(4, "little") for i in ids)


@pytest.mark.parametrize(
    "text", ["[1 2]", "[1,,2]", "[,1]", "[1,]", "[4294967296]", "[-1]", "[1.5]", "[[1]]", "1", "[1", '["..."]']
)
def test_what_is_no_list_of_ids(text: str) -> None:
    """Anything but a list of integers of 32 bits is told, never read in part."""
    assert packed_ids(text.encode()) is None

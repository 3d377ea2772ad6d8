"""Records of token ids: packed exactly, or refused."""

from __future__ import annotations

import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_records import read_bytes, read_records

from radixlint.traffic import Request, Usage

IDS = st.lists(st.integers(min_value=0, max_value=2**32 - 1), max_size=20)


def read_one(**fields: Any) -> Request:
    return read_records({"token_ids": [1, 2], **fields}).requests[0]


@given(prompt=IDS.filter(bool), output=IDS)
def test_ids_become_little_endian_buffers(prompt: list[int], output: list[int]) -> None:
    """Prompt and output ids are packed as 4 bytes each, in order."""
    request = read_one(token_ids=prompt, output_ids=output)

    assert request.token_ids == b"".join(i.to_bytes(4, "little") for i in prompt)
    assert request.output_ids == b"".join(i.to_bytes(4, "little") for i in output)


@pytest.mark.parametrize("text", ["[1,2]", " [ 1 ,\t2 ] ", "[1,\r2]"])
def test_lists_are_read_however_they_are_written(text: str) -> None:
    """Blanks change no ids, and an empty output gives none."""
    line = '{"output_ids":[ ],"token_ids":' + text + "}"

    request = read_bytes(line.encode()).requests[0]

    assert (request.token_ids, request.output_ids) == (b"\1\0\0\0\2\0\0\0", b"")


@pytest.mark.parametrize("name", ["token_ids", "prompt_token_ids", "input_ids"])
def test_names_of_the_prompt(name: str) -> None:
    """The names that engines use for the prompt's ids are all read."""
    request = read_records({name: [5, 6]}).requests[0]

    assert array.array("I", request.token_ids or b"").tolist() == [5, 6]


def test_all_fields() -> None:
    """Everything beside the ids is optional and read where it is given."""
    usage = {"prompt_tokens": 2, "cached_tokens": 1}

    full = read_one(
        namespace="tenant", cache_salt="x", extra_key="k", priority=3, timestamp=0.0, id="a", session="s", usage=usage
    )
    bare = read_one()

    assert (full.namespace, full.priority, full.time_s, full.id, full.session) == ("tenant key=k salt=x", 3, 0.0, "a", "s")
    assert full.usage == Usage(2, 1)
    assert bare == Request(index=0, token_ids=full.token_ids, format="token-ids")


@pytest.mark.parametrize("ids", [[-1], [2**32], [10**30], [1.0], [True], ["1"], "1", {"a": 1}, [[1]], 7])
def test_what_is_no_list_of_ids_is_skipped(ids: object) -> None:
    """Ids that are no integers from 0 to 2^32 - 1 skip the record, in the prompt and in the output."""
    log = read_records({"token_ids": [1]}, {"token_ids": ids}, {"token_ids": [1], "output_ids": ids})

    assert (len(log.requests), log.skipped) == (1, {"token ids not integers": 2})


def test_an_empty_prompt_is_skipped() -> None:
    """A prompt without a token cannot be asked, null output can."""
    assert read_records({"token_ids": [1], "output_ids": None}, {"token_ids": []}).skipped == {"no token ids": 1}


@pytest.mark.parametrize("priority", ["high", 1.5, True, []])
def test_odd_priorities_are_dropped(priority: object) -> None:
    """A priority that is no integer counts as none, with a note."""
    log = read_records({"token_ids": [1], "priority": priority})

    assert log.requests[0].priority == 0
    assert log.notes == ("Priorities that are no integer were dropped: 1 (line 1).",)

"""What is skipped says what it is, and what is altered in reading is told."""

from __future__ import annotations

from typing import Any

import pytest
from log_records import read_records

HELLO = [{"role": "user", "content": "Hello"}]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"contents": [{"parts": [{"text": "Hi"}]}]}, "Gemini body, not read yet"),
        ({"prompt": "Once upon"}, "text completion body, not read yet"),
        ({"model": "text-embedding-3-small", "input": "Hi"}, "no messages"),
        ({"model": "m", "input": ["a", "b"]}, "no messages"),
        ({"event": "started"}, "no messages"),
    ],
)
@pytest.mark.parametrize("is_wrapped", [False, True])
def test_bodies_of_other_apis_are_skipped_by_name(body: dict[str, Any], reason: str, is_wrapped: bool) -> None:
    """A body that this version does not read says which API it is for, also in an envelope."""
    log = read_records({"messages": HELLO}, {"custom_id": "1", "body": body} if is_wrapped else body)

    assert log.skipped == {reason: 1}


@pytest.mark.parametrize("text", ["half \ud83d", "\udca9"])
def test_half_characters_are_told(text: str) -> None:
    """A lone surrogate reads as U+FFFD, which is an alteration; whole characters written as a pair of escapes are none."""
    whole = {"messages": [{"role": "user", "content": "\U0001f4a9"}]}
    half = {"messages": [{"role": "user", "content": text}]}

    assert read_records(whole).alterations == ()
    assert [a.split(" (")[0] for a in read_records(whole, half).alterations] == ["Records with half of a character"]

"""Text completions: prompts as text or token ids."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from log_records import asking, read_records


def test_prompts_as_text_and_as_ids() -> None:
    """Text is what the engine reads, with no layout around it; ids are exact; usage and reply come from the answer."""
    answer = {"choices": [{"text": " a time"}], "usage": {"prompt_tokens": 2}}
    log = read_records(
        {"model": "m", "prompt": "Once upon", "response": answer},
        {"request": {"model": "m", "prompt": ["Once upon"]}},
        {"model": "m", "prompt": [1, 258]},
    )

    assert log.format == "openai-completions"
    assert [r.rendered for r in log.requests] == ["Once upon", "Once upon", None]
    assert log.requests[2].token_ids == struct.pack("<2I", 1, 258)
    assert log.requests[0].usage is not None
    assert log.requests[0].reply is not None
    assert (log.requests[0].usage.prompt_tokens, log.requests[0].reply.text) == (2, " a time")
    assert [r.template for r in log.requests] == [None] * 3


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        (["a", "b"], "several prompts in one request"),
        ([[1, 2], [3]], "several prompts in one request"),
        ([], "no prompt"),
        ([1.5], "token ids not integers"),
        ([-1], "token ids not integers"),
    ],
)
def test_prompts_of_other_shapes_are_skipped(prompt: object, reason: str) -> None:
    """Each shape that is not one prompt is skipped for its own reason."""
    assert read_records(asking(), {"model": "m", "prompt": prompt}).skipped == {reason: 1}


@pytest.mark.parametrize("fields", [{"messages": [{"role": "user", "content": "x"}]}, {"prompt": {"id": "p"}}, {"input": "x"}])
def test_other_bodies_with_a_prompt_are_left_alone(fields: dict[str, Any]) -> None:
    """A prompt beside messages or input, or a prompt object, makes no completion."""
    log = read_records(asking(), {"model": "m", "prompt": "p", **fields})

    assert "openai-completions" not in log.format

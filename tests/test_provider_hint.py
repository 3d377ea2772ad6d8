"""Whose cache it may have been, where nobody says it: by the model's name, or by the counts that were reported."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import measure
from radixlint.traffic import LogRead, Message, Request, Usage

HOSTED = [1024, 1152, 0, 1280, 2048, 1024]


def hint(cached: Sequence[int | None], *, engine: str | None = None, model: str = "house-model") -> str | None:
    """Return the hint on a log whose requests report ``cached`` tokens."""
    requests = tuple(
        Request(
            index,
            model=model,
            messages=(Message("user", f"question {index}"),),
            usage=None if count is None else Usage(prompt_tokens=4_000, cached_tokens=count),
        )
        for index, count in enumerate(cached)
    )
    read = LogRead(format="made", records=len(requests), requests=requests, skipped={})
    return measure(read, AnalyzeOptions(policy=PolicyOptions(engine=engine), top=0)).provider_hint


def test_counts_in_the_steps_of_a_hosted_api_are_hinted_at() -> None:
    """From five requests on, all with steps of 128 from 1,024 tokens on, the hint names step, count and class of evidence."""
    said = hint(HOSTED)

    assert said is not None
    assert "multiples of 128 from 1,024 on (5 requests)" in said
    assert "--engine openai-legacy" in said
    assert "(assumed)" in said


@pytest.mark.parametrize(
    "cached",
    [
        pytest.param([1024, 1152, 1280, 2048], id="four-requests"),
        pytest.param([*HOSTED, 1040], id="a-block-of-16"),
        pytest.param([*HOSTED, 128], id="under-the-minimum"),
        pytest.param([0, 0, 0, 0, 0, 0], id="nothing-cached"),
        pytest.param([None] * 6, id="nothing-reported"),
    ],
)
def test_other_counts_give_no_hint(cached: list[int | None]) -> None:
    """One count out of step, too few of them or none at all say nothing of who counted."""
    assert hint(cached) is None


def test_who_is_named_needs_no_hint() -> None:
    """An engine that the user names is not doubted; a model that a provider is known to serve comes before the counts."""
    named = hint(HOSTED, model="gpt-4o")

    assert hint(HOSTED, engine="vllm") is None
    assert named is not None
    assert "Most requests ask for gpt-4o, a model of openai-legacy (OpenAI API, GPT-4o to GPT-5.5)" in named
    assert "so vllm is assumed: --engine openai-legacy" in named

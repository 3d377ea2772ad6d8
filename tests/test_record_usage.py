"""Usage in the shapes of all APIs: cached and written counted inside prompt, unknown never zero."""

from __future__ import annotations

from typing import Any

import pytest
from log_records import read_records

from radixlint.logs._record_usage import count_usage, read_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Usage

HELLO = [{"role": "user", "content": "Hello"}]


def tally_at_start() -> Tally:
    tally = Tally()
    tally.enter("log")
    return tally


def read_one(**fields: Any) -> Usage | None:
    return read_records({"messages": HELLO, **fields}).requests[0].usage


SHAPES = {
    "openai-chat": (
        {
            "prompt_tokens": 90,
            "completion_tokens": 2,
            "total_tokens": 92,
            "prompt_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 30, "audio_tokens": 0},
        },
        Usage(90, 40, 2, 30),
    ),
    "openai-responses": (
        {
            "input_tokens": 90,
            "input_tokens_details": {
                "cached_tokens": 40,
                "cache_write_tokens": 30,
                "cache_write_tokens_details": {"ttl_30m_tokens": 10, "ttl_12h_tokens": 20},
            },
            "output_tokens": 2,
        },
        Usage(90, 40, 2, 30, 20),
    ),
    "openai-realtime": (
        {"input_tokens": 90, "output_tokens": 2, "input_token_details": {"text_tokens": 90, "cached_tokens": 40}},
        Usage(90, 40, 2),
    ),
    "anthropic": (
        {
            "input_tokens": 3,
            "output_tokens": 2,
            "cache_read_input_tokens": 900,
            "cache_creation_input_tokens": 40,
            "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 30},
        },
        Usage(943, 900, 2, 40, 30),
    ),
    "anthropic-split-alone": (
        {"input_tokens": 3, "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 30}},
        Usage(43, None, None, 40, 30),
    ),
    "anthropic-nothing-cached": ({"input_tokens": 3, "output_tokens": 2}, Usage(3, None, 2)),
    "bedrock-converse": (
        {
            "inputTokens": 3,
            "outputTokens": 2,
            "totalTokens": 945,
            "cacheReadInputTokens": 900,
            "cacheWriteInputTokens": 40,
            "cacheDetails": [{"ttl": "5m", "inputTokens": 10}, {"ttl": "1h", "inputTokens": 30}],
        },
        Usage(943, 900, 2, 40, 30),
    ),
    "bedrock-invocation": (
        {"inputTokenCount": 3, "cacheReadInputTokenCount": 900, "cacheWriteInputTokenCount": 40, "outputTokenCount": 2},
        Usage(943, 900, 2, 40),
    ),
    "gemini": (
        {"promptTokenCount": 90, "cachedContentTokenCount": 40, "candidatesTokenCount": 2, "totalTokenCount": 92},
        Usage(90, 40, 2),
    ),
    "gemini-thoughts": (
        {"promptTokenCount": 90, "candidatesTokenCount": 2, "thoughtsTokenCount": 30, "totalTokenCount": 122},
        Usage(90, None, 32),
    ),
    "gemini-thoughts-alone": ({"prompt_token_count": 90, "thoughts_token_count": 30}, Usage(90, None, 30)),
    "gemini-interactions": ({"total_input_tokens": 90, "total_cached_tokens": 40, "total_output_tokens": 2}, Usage(90, 40, 2)),
    "deepseek": ({"prompt_tokens": 90, "prompt_cache_hit_tokens": 40, "prompt_cache_miss_tokens": 50}, Usage(90, 40)),
    "deepseek-hit-and-miss": ({"prompt_cache_hit_tokens": 40, "prompt_cache_miss_tokens": 50}, Usage(90, 40)),
    "xai": ({"prompt_tokens": 90, "cached_prompt_text_tokens": 40, "completion_tokens": 2}, Usage(90, 40, 2)),
    "moonshot": ({"prompt_tokens": 90, "cached_tokens": 40}, Usage(90, 40)),
    "perplexity": ({"input_tokens": 90, "input_tokens_details": {"cache_read_input_tokens": 40}}, Usage(90, 40)),
    "databricks": (
        {"prompt_tokens": 90, "completion_tokens": 2, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 30},
        Usage(90, 40, 2, 30),
    ),
    "cohere": (
        {"billed_units": {"input_tokens": 7}, "tokens": {"input_tokens": 90, "output_tokens": 2}, "cached_tokens": 40},
        Usage(90, 40, 2),
    ),
    "minimax": (
        {"input_tokens": 3, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 0},
        Usage(903, 900, None, 0),
    ),
    "cursor": ({"inputTokens": 3, "outputTokens": 2, "cacheReadTokens": 900, "cacheWriteTokens": 40}, Usage(943, 900, 2, 40)),
    "openrouter": (
        {"prompt_tokens": 90, "prompt_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 0}, "cost": 0.1},
        Usage(90, 40, None, 0),
    ),
    "openrouter-generation": (
        {"native_tokens_prompt": 90, "native_tokens_cached": 40, "native_tokens_completion": 2},
        Usage(90, 40, 2),
    ),
    "vllm": (
        {"prompt_tokens": 90, "prompt_tokens_details": {"cached_tokens": 40, "created_cache_tokens": 50}},
        Usage(90, 40, None, 50),
    ),
    "vllm-without-details": ({"prompt_tokens": 90, "completion_tokens": 2, "prompt_tokens_details": None}, Usage(90, None, 2)),
    "sglang-meta-info": ({"prompt_tokens": 90, "cached_tokens": 40, "completion_tokens": 2}, Usage(90, 40, 2)),
    "langchain": ({"input_tokens": 90, "input_token_details": {"cache_read": 40}}, Usage(90, 40)),
    "nothing-cached": ({"prompt_tokens": 90, "prompt_tokens_details": {"cached_tokens": 0}}, Usage(90, 0)),
    "floats": ({"prompt_tokens": 9.0}, Usage(9)),
    "empty": ({}, None),
    "null": (None, None),
}


@pytest.mark.parametrize(("usage", "expected"), SHAPES.values(), ids=SHAPES)
def test_usage_of_every_api(usage: object, expected: Usage | None) -> None:
    """Each shape gives counts with cached and written inside prompt; what is missing is None, never 0."""
    assert read_usage(usage, tally_at_start()) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"usageMetadata": SHAPES["gemini"][0]}, SHAPES["gemini"][1]),
        ({"response": {"usage": SHAPES["anthropic"][0]}}, SHAPES["anthropic"][1]),
        ({"response": {"meta_info": SHAPES["sglang-meta-info"][0]}}, SHAPES["sglang-meta-info"][1]),
        ({"tokenUsage": SHAPES["cursor"][0]}, SHAPES["cursor"][1]),
        (SHAPES["openrouter-generation"][0], SHAPES["openrouter-generation"][1]),
        ({"cache_hit": False, "cache_key": "k"}, None),
        ({"cached": True, "usage": {"prompt_tokens": 9}}, Usage(9)),
    ],
)
def test_where_usage_stands(fields: dict[str, Any], expected: Usage | None) -> None:
    """Usage is found beside the request or in its answer, under any of its names; a gateway's cache hit is none."""
    assert read_one(**fields) == expected


@pytest.mark.parametrize(("told", "prompt"), [(None, 10), (True, 10), (False, 14)])
def test_both_kinds_of_names_count_by_the_api(told: bool | None, prompt: int) -> None:
    """Where names of both kinds are present, the API of the record says whether the prompt includes what was cached."""
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 4}, "cache_read_input_tokens": 4}

    assert read_usage(usage, tally_at_start(), is_inclusive=told) == Usage(prompt, 4)


def test_names_of_one_kind_count_by_themselves() -> None:
    """Names decide before the API does: an Anthropic model behind an OpenAI-like gateway counts as the gateway."""
    gateway = {"prompt_tokens": 943, "prompt_tokens_details": {"cached_tokens": 900}}

    assert read_usage(gateway, tally_at_start(), is_inclusive=False) == Usage(943, 900)
    assert read_usage(SHAPES["anthropic"][0], tally_at_start(), is_inclusive=True) == SHAPES["anthropic"][1]


@pytest.mark.parametrize("value", [True, "200", -5, 1.5, [], {}, 2**60, float("nan"), float("inf")])
def test_wrong_usage_values_are_dropped_and_counted(value: object) -> None:
    """A value that is no token count is unknown, not an error and not a zero."""
    tally = tally_at_start()

    assert read_usage({"prompt_tokens": value, "completion_tokens": 3}, tally) == Usage(None, None, 3)
    assert [s.split(": ")[0] for s in tally.sentences()] == ["Usage values that are no token count were dropped"]


@pytest.mark.parametrize("usage", ["9", 7, [1]])
def test_usage_that_is_no_object_is_dropped_and_counted(usage: object) -> None:
    """Usage of another type is unknown, with a note."""
    tally = tally_at_start()

    assert read_usage(usage, tally) is None
    assert len(tally.sentences()) == 1


def test_more_cached_or_written_than_prompt_tokens_is_inconsistent() -> None:
    """An impossible count becomes unknown, with a note, and is not clipped."""
    tally = tally_at_start()

    assert read_usage({"prompt_tokens": 9, "cached_tokens": 10}, tally) == Usage(9, None)
    assert read_usage({"prompt_tokens": 9, "cache_creation_input_tokens": 10, "cached_tokens": 1}, tally) == Usage(9, 1)
    assert [("inconsistent" in s) for s in tally.sentences()] == [True, True]


@pytest.mark.parametrize(("is_inclusive", "expected"), [(True, Usage(90, 40, 2, 30, 20)), (False, Usage(160, 40, 2, 30, 20))])
def test_counts_given_one_by_one(is_inclusive: bool, expected: Usage) -> None:
    """Whoever knows where the counts stand says how they count."""
    usage = count_usage(tally_at_start(), prompt=90, cached=40, output=2, written=30, written_long=20, is_inclusive=is_inclusive)

    assert usage == expected

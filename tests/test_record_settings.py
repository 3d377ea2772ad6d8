"""Parameters beside the prompt and the provider's own reason for a miss, wherever loggers write them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from log_records import asking, read_records

from radixlint.traffic import Settings

SCHEMA = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"b": 1, "a": [1.50, True]}}}
USER = [{"role": "user", "content": "Hello"}]


def settings_of(*records: Any) -> Settings | None:
    (request,) = read_records(*records).requests
    return request.settings


def parameters_of(*records: Any) -> dict[str, Any]:
    settings = settings_of(*records)
    return {} if settings is None else {name: json.loads(value) for name, value in settings.parameters}


BODIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "openai-chat": (
        {
            "model": "m",
            "messages": USER,
            "tool_choice": "auto",
            "parallel_tool_calls": False,
            "temperature": 0.5,
            "reasoning_effort": "low",
            "verbosity": "high",
            "response_format": SCHEMA,
            "seed": 3,
            "service_tier": None,
        },
        {
            "tool_choice": "auto",
            "parallel_tool_calls": False,
            "reasoning_effort": "low",
            "verbosity": "high",
            "response_format": SCHEMA,
        },
    ),
    "extra-body": (
        {
            "model": "m",
            "messages": USER,
            "prompt_cache_key": "own",
            "extra_body": {"prompt_cache_key": "other", "chat_template_kwargs": {"enable_thinking": False}, "top_k": 2},
        },
        {"prompt_cache_key": "own", "chat_template_kwargs": {"enable_thinking": False}},
    ),
    "openai-responses": (
        {
            "model": "m",
            "input": "Q",
            "instructions": "S",
            "reasoning": {"effort": "high"},
            "speed": "fast",
            "text": {"format": {"type": "text"}, "verbosity": "low"},
            "prompt_cache_retention": "24h",
        },
        {
            "reasoning": {"effort": "high"},
            "text.format": {"type": "text"},
            "text.verbosity": "low",
            "prompt_cache_retention": "24h",
            "speed": "fast",
        },
    ),
    "anthropic-messages": (
        {
            "model": "claude-opus-5",
            "system": "S",
            "messages": USER,
            "max_tokens": 9,
            "effort": "medium",
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "output_config": {"effort": "low"},
        },
        {
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "output_config": {"effort": "low"},
            "effort": "medium",
        },
    ),
}


@pytest.mark.parametrize(("body", "told"), BODIES.values(), ids=BODIES)
def test_parameters_are_read_from_a_body(body: dict[str, Any], told: dict[str, Any]) -> None:
    """Those that a cache or template looks at are kept, sorted by name; sampling parameters and null are not."""
    settings = settings_of(body)

    assert settings is not None
    assert parameters_of(body) == told
    assert [name for name, _ in settings.parameters] == sorted(told)


@pytest.mark.parametrize(("body", "told"), BODIES.values(), ids=BODIES)
def test_parameters_are_read_from_a_wrapped_body(body: dict[str, Any], told: dict[str, Any]) -> None:
    """A body in an envelope gives the same; what the envelope has under such names is not the request's."""
    assert parameters_of({"request": body, "response": {}, "speed": "fast", "effort": "odd"}) == told


def test_values_are_compact_json_and_long_ones_a_hash() -> None:
    """White space goes, numbers and key order stay; beyond 2,000 bytes equal values have one short hash."""
    spaced = read_records({"messages": USER, "response_format": SCHEMA}).requests[0].settings
    long = [asking(n, response_format={"schema": "x" * (2_000 + n // 2)}) for n in range(3)]
    first, second, third = (request.settings for request in read_records(*long).requests)

    assert spaced is not None
    assert spaced.parameters == (("response_format", json.dumps(SCHEMA, separators=(",", ":"))),)
    assert first is second
    assert first is not None
    assert third is not None
    assert first != third
    assert len(first.parameters[0][1]) < 60


def test_equal_settings_are_one_object_and_none_are_none() -> None:
    """Requests share equal settings, however they were written; a record without any has None."""
    one = {"tool_choice": {"type": "any"}, "verbosity": "low"}
    log = read_records(asking(0, **one), asking(1, **dict(reversed(one.items()))), asking(2), asking(3, temperature=1, n=2))

    assert log.requests[0].settings is log.requests[1].settings is not None
    assert [request.settings for request in log.requests[2:]] == [None, None]


def test_text_of_answers_is_no_parameter() -> None:
    """Fields of the same name that hold an answer's thoughts, speed or sources are left alone."""
    answer = {"reasoning": "I thought long", "thinking": "so", "citations": ["a"], "speed": 91.5, "text": "said", "effort": 3}

    assert settings_of(asking(0, **answer)) is None


REASONS: dict[str, tuple[dict[str, Any], str | None]] = {
    "anthropic": (
        {"response": {"diagnostics": {"cache_miss_reason": {"type": "system_changed", "cache_missed_input_tokens": 9}}}},
        "system_changed",
    ),
    "anthropic-word": ({"response": {"diagnostics": {"cache_miss_reason": "tools_changed"}}}, "tools_changed"),
    "openai": (
        {"response": {"prompt_cache_diagnostics": {"type": "cache_miss", "reason": "text_format_changed"}}},
        "text_format_changed",
    ),
    "openai-hit": ({"response": {"prompt_cache_diagnostics": {"type": "cache_hit"}}}, None),
    "in-a-body": ({"response": {"status_code": 200, "body": {"prompt_cache_diagnostics": {"reason": "a_b"}}}}, "a_b"),
    "gateway": ({"cache_miss_reason": "ttl_expired_5m"}, "ttl_expired_5m"),
    "asked": ({"diagnostics": {"previous_message_id": "msg_1"}, "response": {}}, None),
    "asked-and-told": (
        {"diagnostics": {"previous_message_id": "m"}, "response": {"diagnostics": {"cache_miss_reason": "model_changed"}}},
        "model_changed",
    ),
    "others-diagnostics": ({"diagnostics": {"type": "network"}}, None),
    "sentence": ({"cache_miss_reason": "the tools have changed"}, None),
    "long": ({"cache_miss_reason": "x" * 61}, None),
    "longest": ({"cache_miss_reason": "x" * 60}, "x" * 60),
    "odd": ({"cache_miss_reason": {"type": 5}}, None),
    "null": ({"response": {"diagnostics": None}, "cache_miss_reason": None}, None),
}


@pytest.mark.parametrize(("fields", "word"), REASONS.values(), ids=REASONS)
def test_the_providers_reason_is_kept_as_its_word(fields: dict[str, Any], word: str | None) -> None:
    """The reason of a miss is kept if it is one word of up to 60 characters; a hit and what is no reason are not."""
    for around in (fields, {**fields, "request": asking()}):
        settings = settings_of(around if "request" in around else asking(0, **around))

        assert (settings and settings.miss_reason) == word


def test_batches_join_parameters_and_reason() -> None:
    """The parameters of a batch stand in its requests, the reasons in its results; a request has both."""
    body = {"model": "m", "messages": USER, "verbosity": "low"}
    answered = {"status_code": 200, "body": {"choices": [], "prompt_cache_diagnostics": {"reason": "input_changed"}}}
    openai = (
        {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": body},
        {"id": "b", "custom_id": "a", "response": answered, "error": None},
    )
    params = {"model": "claude-opus-5", "max_tokens": 9, "messages": USER, "thinking": {"type": "disabled"}}
    message = {"content": [], "diagnostics": {"cache_miss_reason": {"type": "messages_changed"}}}
    anthropic = (
        {"custom_id": "a", "params": params},
        {"custom_id": "a", "result": {"type": "succeeded", "message": message}},
    )

    for halves in (openai, openai[::-1]):
        assert settings_of(*halves) == Settings((("verbosity", '"low"'),), "input_changed")
    for halves in (anthropic, anthropic[::-1]):
        assert settings_of(*halves) == Settings((("thinking", '{"type":"disabled"}'),), "messages_changed")


def test_gateways_and_tracers_tell_parameters() -> None:
    """LiteLLM's model_parameters, Langfuse's modelParameters and spans' attributes give the same as a body."""
    payload = {
        "model_map_information": {},
        "call_type": "acompletion",
        "id": "p",
        "messages": USER,
        "model": "m",
        "model_parameters": {"tool_choice": "none", "temperature": 1},
        "metadata": {"usage_object": {"prompt_tokens": 5}},
        "response": {"prompt_cache_diagnostics": {"reason": "tools_changed"}},
    }
    observation = {
        "id": "o",
        "traceId": "t",
        "type": "GENERATION",
        "startTime": "2026-01-01T00:00:00Z",
        "model": "m",
        "input": {"messages": USER, "verbosity": "low"},
        "modelParameters": {"reasoning_effort": "low", "top_p": 1},
    }
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.openai.request.service_tier": "flex"}
    span = {"traceId": "t", "spanId": "s", "startTimeUnixNano": "1", "attributes": attributes}
    span["attributes"] |= {"gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Q"}]}])}

    assert settings_of(payload) == Settings((("tool_choice", '"none"'),), "tools_changed")
    assert parameters_of(observation) == {"verbosity": "low", "reasoning_effort": "low"}
    assert parameters_of(span) == {"service_tier": "flex"}

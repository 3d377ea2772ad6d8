"""LiteLLM: spend rows and logging payloads, their text if stored whole, their usage, and no response cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_records import json_lines, read_bytes, read_records

from radixlint.errors import LogError
from radixlint.traffic import Message, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"
CACHED = "served from the gateway's response cache"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]


def test_spend_rows() -> None:
    """Stored bodies give prompts; repeats are merged; cached answers, failures and other calls are left out, not bad."""
    log = read_bytes((FIXTURES / "litellm_spend.jsonl").read_bytes())

    assert log.format == "litellm-spend"
    assert [(r.id, r.has_prompt) for r in log.requests] == [
        ("r1", True),
        ("r2", True),
        ("r4", False),
        ("r5", False),
        ("r8", True),
    ]
    assert (log.records, log.records_read, log.skipped) == (9, 9, {})
    assert [any(f"Left out, {why}" in note for note in log.notes) for why in (CACHED, "call failed")] == [True, True]
    assert any("repeat a call were merged" in note for note in log.notes)
    assert any("embeddings" in note for note in log.notes)


def test_spend_fields() -> None:
    """A row names model, session, user, tenant, tags, host and time; metadata is JSON text."""
    first = read_records(rows("litellm_spend.jsonl")[0]).requests[0]

    assert (first.model, first.session, first.user, first.tenant) == ("gpt-5.4-2026-03-05", "s1", "ann", "team-a")
    assert (first.tags, first.host, first.time_s) == (("shop",), "10.0.0.7:8000", 1793610001.25)
    assert first.usage == Usage(160, 0, 5)
    assert (len(first.tools), first.messages[1]) == (1, Message("user", "Where is order 7?"))
    assert first.reply == Message("assistant", "On its way.")


def test_usage_is_inclusive_for_every_provider() -> None:
    """LiteLLM adds cached and written tokens to prompt_tokens, for Anthropic too, whose names it keeps beside."""
    log = read_bytes((FIXTURES / "litellm_spend.jsonl").read_bytes())

    assert log.requests[-1].usage == Usage(1150, 1000, 7, 100)
    assert log.requests[-1].messages[0].role == "system"


def test_older_rows_hold_the_details_elsewhere() -> None:
    """Without a usage object the counts of the row and its additional values are joined; a count of 0 is unknown."""
    row = rows("litellm_spend.jsonl")[0]
    older = json.dumps({"additional_usage_values": {"prompt_tokens_details": {"cached_tokens": 64}}})
    zero = row | {"request_id": "z", "prompt_tokens": 0, "completion_tokens": 0, "metadata": "{}"}

    log = read_records(row | {"metadata": older}, zero)

    assert [r.usage for r in log.requests] == [Usage(160, 64, 5), None]


@pytest.mark.parametrize(
    "mark", ["... (litellm_truncated 900 chars)", "... (litellm_truncated skipped 900 chars. Only the DB record is cut) ..."]
)
def test_cut_text_is_no_text(mark: str) -> None:
    """A body with a cut text gives usage alone, and the note names the setting."""
    row = rows("litellm_spend.jsonl")[0]
    body = {"messages": [{"role": "system", "content": "S" * 700 + mark}, {"role": "user", "content": "Q"}]}
    log = read_records(row | {"proxy_server_request": json.dumps(body)})

    assert [(r.has_prompt, r.usage) for r in log.requests] == [(False, Usage(160, 0, 5))]
    assert any("MAX_STRING_LENGTH_PROMPT_IN_DB" in note for note in log.notes)


def test_no_stored_prompt_names_the_setting() -> None:
    """An empty body gives usage alone, with what to switch on; with no usage either the row is an error that says so."""
    row = rows("litellm_spend.jsonl")[0] | {"proxy_server_request": "{}", "response": "{}"}

    assert any("store_prompts_in_spend_logs" in note for note in read_records(row).notes)
    with pytest.raises(LogError, match="store_prompts_in_spend_logs"):
        read_records(row | {"metadata": "{}", "prompt_tokens": 0})


def test_messages_without_a_body() -> None:
    """Messages stored in their own column, as JSON text, are a prompt; a body may stand inside the proxy's envelope."""
    row = rows("litellm_spend.jsonl")[0]
    messages = [{"role": "user", "content": "Q"}]
    alone = row | {"request_id": "a", "messages": json.dumps(messages), "proxy_server_request": "{}"}
    inside = row | {"request_id": "b", "proxy_server_request": json.dumps({"url": "u", "body": {"messages": messages}})}

    assert [r.messages for r in read_records(alone, inside).requests] == [(Message("user", "Q"),)] * 2


def test_columns_may_be_decoded() -> None:
    """Rows whose JSON columns are objects already give the same as those with text."""
    row = rows("litellm_spend.jsonl")[0]
    decoded = row | {name: json.loads(row[name]) for name in ("metadata", "messages", "response", "proxy_server_request")}

    assert read_records(decoded).requests == read_records(row).requests


def test_a_cache_hit_is_never_a_prefix_hit() -> None:
    """All rows from the response cache leave nothing to measure, and the error says why."""
    row = rows("litellm_spend.jsonl")[0]

    with pytest.raises(LogError) as error:
        read_records(row | {"cache_hit": "True"})
    assert CACHED in str(error.value.hint)
    (kept,) = read_records(row | {"cache_hit": "False", "cache_key": "a" * 64}).requests
    assert kept.usage is not None
    assert kept.usage.cached_tokens == 0


def test_payloads() -> None:
    """Messages as list or text, and the input of a Responses call; redacted texts give usage alone."""
    log = read_bytes((FIXTURES / "litellm_payload.jsonl").read_bytes())

    assert log.format == "litellm-payload"
    assert [(r.id, len(r.messages), len(r.tools)) for r in log.requests] == [
        ("p1", 2, 1),
        ("p2", 4, 1),
        ("p4", 0, 0),
        ("p5", 2, 1),
    ]
    assert (log.records_read, log.skipped) == (log.records, {})
    assert [r.usage for r in log.requests] == [Usage(160, 0, 5), Usage(176, 128, 4), Usage(400, 384, 5), Usage(170, 128, 5)]
    assert log.requests[2].reply is None
    assert any("turn_off_message_logging" in note for note in log.notes)


def test_payload_fields() -> None:
    """Float seconds are the time; the template, team and session are found in the metadata."""
    first = read_records(rows("litellm_payload.jsonl")[0]).requests[0]

    assert (first.session, first.user, first.tenant, first.template) == ("s1", "ann", "team-a", "desk")
    assert (first.host, first.time_s, first.tags) == ("api.openai.com", 1793610000.25, ("shop",))


def test_payload_messages_of_every_kind() -> None:
    """A body as messages, an Anthropic system text among the parameters, and plain text."""
    payload = rows("litellm_payload.jsonl")[0]
    asked = [{"role": "user", "content": "Q"}]
    body = payload | {"id": "a", "messages": {"system": "S", "messages": asked}}
    apart = payload | {"id": "b", "messages": asked, "model_parameters": {"system": "S"}}
    plain = payload | {"id": "c", "messages": "Q", "model_parameters": {}}

    by_id = {r.id: r.messages for r in read_bytes(json_lines(body, apart, plain)).requests}

    assert by_id["a"] == by_id["b"] == (Message("system", "S"), Message("user", "Q"))
    assert by_id["c"] == (Message("user", "Q"),)

"""Rows of calls that reached no engine, or failed there: left out, told, and no bad records."""

from __future__ import annotations

import json
from typing import Any

import pytest
from log_records import asking, read_records

from radixlint.errors import LogError
from radixlint.logs._uncalled_rows import FAILED, FROM_CACHE

GOOD = asking(1)
BODIES: dict[str, dict[str, Any]] = {
    "openai-chat": {"messages": [{"role": "user", "content": "x"}]},
    "anthropic-messages": {"system": "s", "messages": [{"role": "user", "content": "x"}]},
    "openai-responses": {"model": "m", "input": "x"},
    "openai-completions": {"model": "m", "prompt": "x"},
}
FAILURES: list[dict[str, Any]] = [
    {"error": {"message": "rate limit"}},
    {"error": "timed out"},
    {"response": {"error": {"code": 500}}},
    {"response": {"status_code": 429, "body": {}}},
    {"response": {"status_code": 200, "body": {"error": {"type": "overloaded_error"}}}},
    {"response": json.dumps({"type": "error", "error": {"type": "api_error"}})},
    {"status": 503},
    {"status": "failure"},
    {"status_code": "404"},
    {"statusCode": "502 Bad Gateway"},
    {"metadata": {"status": "failed"}},
]
ANSWERED: list[dict[str, Any]] = [
    {"error": None},
    {"error": ""},
    {"error": {}},
    {"status": 200},
    {"status": "completed"},
    {"status": 12345},
    {"response": {"error": None, "status": "completed"}},
    {"cache_hit": False},
    {"cache_hit": "no"},
    {"cache_hit": None},
]


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("fields", FAILURES, ids=json.dumps)
@pytest.mark.parametrize("is_wrapped", [False, True])
def test_failed_calls_are_left_out(name: str, fields: dict[str, Any], is_wrapped: bool) -> None:
    """An error or a status from 400 on, beside the request or in the answer, says that the call failed."""
    body = {**BODIES[name]}

    log = read_records(GOOD, {"request": body, **fields} if is_wrapped else {**body, **fields})

    assert [request.id for request in log.requests] == ["r1"]
    assert (log.records, log.records_read, log.skipped) == (2, 2, {})
    assert f"{FAILED}: 1 (line 2)." in log.alterations


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("flag", ["cache_hit", "cacheHit", "from_cache", "cached_response"])
@pytest.mark.parametrize("value", [True, "true", "True"])
def test_answers_of_a_gateways_cache_are_left_out(name: str, flag: str, value: object) -> None:
    """What a gateway answered itself is no request to an engine, wherever the flag stands."""
    for fields in ({flag: value}, {"metadata": {flag: value}}):
        log = read_records(GOOD, {**BODIES[name], **fields})

        assert [request.id for request in log.requests] == ["r1"]
        assert (log.records_read, log.skipped) == (2, {})
        assert f"{FROM_CACHE}: 1 (line 2)." in log.alterations


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("fields", ANSWERED, ids=json.dumps)
def test_all_other_calls_are_read(name: str, fields: dict[str, Any]) -> None:
    """An empty error, a status that is none of a failure and a flag that is off say nothing."""
    log = read_records({**BODIES[name], **fields})

    assert ([request.format for request in log.requests], log.alterations) == ([name], ())


def test_a_log_of_failed_calls_alone_is_refused() -> None:
    """Without any request the error says why there is none."""
    with pytest.raises(LogError, match=r"none of the 2 records read is a request.*call failed"):
        read_records({**GOOD, "status": 500}, {**GOOD, "error": "x"})

"""Nothing that stands in one request only leaves a log, whichever field it stands in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze
from radixlint.reports import TextStyle, analyze_json, analyze_text, per_request
from radixlint.result.measurement import Show, TreeLimits

CANARY = "Mallory-Canary-7f3a"


def record(number: int) -> dict[str, Any]:
    call = {"id": f"call{number}", "type": "function", "function": {"name": "find", "arguments": '{"order":1}'}}
    messages = [
        {"role": "system", "content": "You help at the desk of a large shop. " * 8},
        {"role": "user", "content": "Where is my order, please?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": "It is on its way."},
    ]
    tools = [{"type": "function", "function": {"name": "find", "parameters": {}}}]
    return {"id": f"r{number}", "model": "gpt-4o", "metadata": {"team": "a"}, "messages": messages, "tools": tools}


SMITH = f"{CANARY} Smith 0"
CALL = ("messages", 2, "tool_calls", 0)
PLACES: dict[str, tuple[tuple[str | int, ...], object]] = {
    "role": (("messages", 1, "role"), CANARY),
    "role of three words": (("messages", 1, "role"), SMITH),
    "text": (("messages", 1, "content"), f"Where is {CANARY}, please?"),
    "name of a message": (("messages", 1, "name"), CANARY),
    "part type": (("messages", 1, "content"), [{"type": CANARY, CANARY: CANARY}]),
    "tool name": (("tools", 0, "function", "name"), CANARY),
    "called name": ((*CALL, "function", "name"), CANARY),
    "arguments": ((*CALL, "function", "arguments"), json.dumps({"order": CANARY})),
    "tool_call id": ((*CALL, "id"), CANARY),
    "answered id": (("messages", 3, "tool_call_id"), CANARY),
    "key": ((CANARY,), CANARY),
    "metadata": (("metadata",), {"session_id": CANARY, "user_id": CANARY, CANARY: CANARY}),
    "usage": (("usage",), {"prompt_tokens": CANARY, CANARY: 1}),
    "reply": (("response",), {"choices": [{"message": {"content": CANARY}}]}),
    **{
        name: ((name,), CANARY)
        for name in ("id", "model", "session", "user", "cache_salt", "organization", "lora", "namespace", "priority", "timestamp")
    },
}


def put(field: str, one: dict[str, Any]) -> None:
    (*path, last), value = PLACES[field]
    inner: Any = one
    for step in path:
        inner = inner[step]
    inner[last] = value


@pytest.mark.parametrize("field", PLACES)
@pytest.mark.parametrize("show", [Show.SHARED, Show.HASH])
def test_what_one_request_holds_is_in_no_report(tmp_path: Path, field: str, show: Show) -> None:
    """Whatever a logger put into a field of one record is in neither report; rows name ids unless text is hashed."""
    log = tmp_path / "log.jsonl"
    records = [record(i) for i in range(12)]
    put(field, records[5])
    log.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")

    report = analyze([str(log)], AnalyzeOptions(top=50, tree=TreeLimits(depth=9, width=50), show=show))

    style = TextStyle()
    assert CANARY not in analyze_text.render(report, style)
    assert CANARY not in analyze_json.render(report, style)
    assert (CANARY in per_request.render(report.rows, style)) == (field == "id" and show is Show.SHARED)

"""Claude Code and Codex: what the provider reported, each call once, and never a rate from the text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_records import read_bytes, read_records

from radixlint.logs import read_logs
from radixlint.traffic import Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]


def test_claude_code() -> None:
    """Lines of one request are one call with its last output, also in a resumed session; synthetic ones are no calls."""
    log = read_bytes((FIXTURES / "claude_code.jsonl").read_bytes())

    assert (log.format, log.records, log.records_read, log.skipped) == ("claude-code", 10, 10, {})
    assert [r.id for r in log.requests] == ["req_1", "req_2", "req_4"]
    assert [r.usage for r in log.requests] == [
        *(Usage(14003, 0, 80, 14000, 14000), Usage(14305, 14000, 20, 300), Usage(5900, 0, 40, 5000)),
    ]
    assert any("synthetic" in note for note in log.notes)


def test_claude_code_names_sessions_and_no_folders() -> None:
    """A call has its session, model and time, and a mark for side chains; the working directory is not kept."""
    log = read_bytes((FIXTURES / "claude_code.jsonl").read_bytes())

    assert [(r.session, r.model, r.tags) for r in log.requests] == [
        *(("c0ffee", "claude-opus-5", ()), ("c0ffee", "claude-opus-5", ()), ("c0ffee", "claude-haiku-5-5", ("sidechain",))),
    ]
    assert [r.time_s for r in log.requests] == [1793610002.0, 1793610009.0, 1793610015.0]
    assert "/home/ann" not in repr(log)


def test_codex() -> None:
    """Each new count is a call; running sums, repeated events and counts without info are none."""
    log = read_bytes((FIXTURES / "codex_rollout.jsonl").read_bytes())

    assert (log.format, log.records, log.records_read, log.skipped) == ("codex-rollout", 11, 11, {})
    assert [r.usage for r in log.requests] == [Usage(12000, 0, 100), Usage(12300, 11904, 50), Usage(9000, 1024, 20)]
    assert {(r.model, r.session) for r in log.requests} == {("gpt-5.6-sol", "0199-a")}
    assert any(note.startswith("Compactions") for note in log.notes)
    assert "/home/ann" not in repr(log)


def test_codex_counts_without_a_sum() -> None:
    """Without running sums an equal count is a repeat only if nothing happened in between."""
    meta, *_, item = lines("codex_rollout.jsonl")[:4]
    count = {"type": "event_msg", "payload": {"type": "token_count", "info": {"last_token_usage": {"input_tokens": 9}}}}

    assert len(read_records(meta, count, count, item, count).requests) == 2


def test_a_forked_session_repeats_no_call(tmp_path: Path) -> None:
    """Lines that a fork copied from the first session are counted once; its new calls have its own name."""
    first = lines("codex_rollout.jsonl")
    fork = json.loads(json.dumps(first[0]))
    fork["payload"]["id"] = "0199-b"
    new = json.loads(json.dumps(first[-1]))
    new["timestamp"] = "2026-11-02T10:00:00.000Z"
    new["payload"]["info"]["total_token_usage"]["input_tokens"] += 5000
    for name, rows in (("a.jsonl", first), ("b.jsonl", [fork, *first, new])):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    log = read_logs([str(tmp_path)])

    assert [r.session for r in log.requests] == ["0199-a"] * 3 + ["0199-b"]


@pytest.mark.parametrize("name", ["claude_code.jsonl", "codex_rollout.jsonl"])
def test_no_rate_from_text(name: str) -> None:
    """A transcript lacks the head of every prompt, so requests have no prompt, and a note says why."""
    log = read_bytes((FIXTURES / name).read_bytes())

    assert not any(request.has_prompt for request in log.requests)
    assert any("reported usage alone" in note for note in log.notes)

"""What a body as sent shows of its cache marks and turns: how far marks stand apart, what nothing reads, and what comes first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from request_bodies import MARK, PROSE, Body, text

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Finding

CLOCK = "It is 2026-03-04T05:06:07Z."
LETTER = "\n".join(PROSE.split("\n")[:4])


def found(folder: Path, body: object, rule: str, name: str = "body.json") -> list[Finding]:
    """Return the findings of one rule in one body."""
    (folder / name).write_text(json.dumps(body, indent=1), encoding="utf-8")
    report = check_paths(CheckOptions(arguments=(name,), settings=Settings(), start=folder))
    assert report.prompts >= 1
    return [finding for finding in report.findings if finding.rule == rule]


def claude(*messages: Body, **more: Any) -> Body:
    """Return a body whose rules are marked."""
    system = [text(PROSE, is_marked=True)]
    return {"model": "claude-opus-5", "max_tokens": 9, "system": system, "messages": list(messages), **more}


def said(role: str, *blocks: Body | str) -> Body:
    """Return a message of several blocks."""
    return {"role": role, "content": [text(block) if isinstance(block, str) else block for block in blocks]}


def calls(number: int, *, is_marked: bool = True) -> list[Body]:
    """Return a message with calls, and one with their results, the last of them marked."""
    used = [{"type": "tool_use", "id": f"c{n}", "name": "find", "input": {"shelf": n}} for n in range(number)]
    results: list[Body] = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": "Nothing"} for n in range(number)]
    if is_marked:
        results[-1]["cache_control"] = MARK
    return [{"role": "assistant", "content": used}, {"role": "user", "content": results}]


PAGES = [f"Page {number}." for number in range(30)]
LAST = text("The last page.", is_marked=True)


def test_many_blocks_behind_the_turn_before_hide_its_entry(tmp_path: Path) -> None:
    """The mark stands 32 blocks behind the question before: 30 pages, the last one, and the reply."""
    body = claude(said("user", LETTER), said("assistant", "Yes."), said("user", *PAGES, LAST))

    assert [(f.severity, "32 blocks" in f.message) for f in found(tmp_path, body, "RL605")] == [("warning", True)]


@pytest.mark.parametrize("number", [11, 24])
def test_many_calls_are_a_word(tmp_path: Path, number: int) -> None:
    """Whether a run of calls counts as one block is told differently, so that it is no more than a word."""
    body = claude(said("user", LETTER), *calls(number))

    assert [f.severity for f in found(tmp_path, body, "RL605")] == ["info"]


@pytest.mark.parametrize(
    "messages",
    [
        [said("user", LETTER), *calls(10)],
        [said("user", text(LETTER, is_marked=True)), *calls(24)],
        [said("user", LETTER), *calls(10), *calls(10)],
        [said("user", *PAGES, LAST)],
        [said("user", *PAGES, LAST), said("assistant", "Yes."), said("user", "And then?")],
        [said("user", LETTER), said("assistant", "Yes."), said("user", *PAGES[:9], LAST, *PAGES)],
        [m for n in range(20) for m in (said("user", f"Question {n}"), said("assistant", "Yes."))] + [said("user", LAST)],
        [said("user", LETTER), said("assistant", "Yes."), said("user", *[f"{CLOCK} {p} {CLOCK}" for p in PAGES[:10]], LAST)],
    ],
)
def test_an_entry_within_reach_is_found(tmp_path: Path, messages: list[Body]) -> None:
    """Twenty blocks, a mark on the turn before, a first turn, many short turns, and times in a text are no distance."""
    assert found(tmp_path, claude(*messages), "RL605") == []


def test_passages_between_two_marks_of_the_rules_are_found_where_they_are(tmp_path: Path) -> None:
    """Each request has both marks in the same place, so nothing is looked for."""
    system = [text(PROSE, is_marked=True), *map(text, PAGES), text("The end.", is_marked=True)]

    assert found(tmp_path, claude(said("user", "Hi."), system=system), "RL605") == []


def chat(*messages: tuple[str, str], model: str = "gpt-5-mini") -> Body:
    """Return a body of OpenAI's chat."""
    return {"model": model, "messages": [{"role": role, "content": content} for role, content in messages]}


@pytest.mark.parametrize("role", ["system", "developer"])
def test_rules_behind_the_question_are_not_shared(tmp_path: Path, role: str) -> None:
    """A user has spoken ahead of the only system message."""
    behind = chat(("user", "Are you open?"), (role, PROSE))
    between = chat(("user", "You serve a library."), (role, PROSE), ("user", "Are you open?"))

    assert [f.severity for f in found(tmp_path, behind, "RL105")] == ["error"]
    assert [f.severity for f in found(tmp_path, between, "RL105")] == ["info"]


@pytest.mark.parametrize(
    "messages",
    [
        [("system", PROSE), ("user", "Are you open?")],
        [("system", "Be brief."), ("user", "Are you open?"), ("system", PROSE)],
        [("user", "Are you open?"), ("system", "Be brief.")],
        [("user", PROSE), ("assistant", "Yes."), ("user", "Are you open?")],
    ],
)
def test_rules_first_and_reminders_are_no_fault(tmp_path: Path, messages: list[tuple[str, str]]) -> None:
    """The first system message decides, and a short one costs little wherever it stands."""
    assert found(tmp_path, chat(*messages), "RL105") == []


def test_a_time_ahead_of_a_marked_document_is_told(tmp_path: Path) -> None:
    """A document that could be cached by itself is surely meant to be; a shorter text may be the newest turn of many."""
    bare = {"system": PROSE}
    long = claude(said("user", CLOCK, text(PROSE, is_marked=True)), **bare)
    short = claude(said("user", CLOCK, text("Are you open?", is_marked=True)), **bare)

    assert [f.severity for f in found(tmp_path, long, "RL601")] == ["error"]
    assert [f.severity for f in found(tmp_path, short, "RL601")] == ["info"]


@pytest.mark.parametrize(
    "body",
    [
        claude(said("user", CLOCK, text(PROSE, is_marked=True))),
        claude(said("user", text(f"{PROSE} {CLOCK}", is_marked=True)), system=PROSE),
        claude(said("user", "Now.", text(PROSE, is_marked=True)), system=PROSE),
        claude(said("user", CLOCK), said("assistant", "Yes."), said("user", text(PROSE, is_marked=True)), system=PROSE),
    ],
)
def test_a_mark_of_a_turn_that_follows_others_is_right(tmp_path: Path, body: Body) -> None:
    """Behind a mark of its own, in the same text, without a time, or in a conversation the mark of a turn is read."""
    assert found(tmp_path, body, "RL601") == []


def marked(model: str) -> Body:
    """Return a chat body with Anthropic's mark."""
    return {"model": model, "messages": [said("system", text(PROSE, is_marked=True)), said("user", "Hi.")]}


@pytest.mark.parametrize(
    "model", ["meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-8B", "mistral-large-latest", "google/gemma-3-27b-it", "llama3.1:8b"]
)
def test_engines_for_open_weights_read_no_mark(tmp_path: Path, model: str) -> None:
    """It is a word, for a gateway may do something with it."""
    assert [f.severity for f in found(tmp_path, marked(model), "RL610")] == ["info"]


@pytest.mark.parametrize("model", ["qwen3-coder-plus", "qwen/qwen3-coder", "minimax-m2", "our-assistant", "claude-opus-5"])
def test_models_that_may_read_a_mark_are_left_alone(tmp_path: Path, model: str) -> None:
    """Qwen's and MiniMax's own hosts read marks; a name of one's own may stand for any model."""
    assert found(tmp_path, marked(model), "RL610") == []


@pytest.mark.parametrize(
    ("model", "severity"),
    [
        ("meta.llama3-1-70b-instruct-v1:0", ["warning"]),
        ("us.meta.llama3-3-70b-instruct-v1:0", ["warning"]),
        ("openai.gpt-oss-120b-1:0", ["info"]),
        ("us.anthropic.claude-opus-5-v1:0", []),
        ("amazon.nova-pro-v1:0", []),
        ("arn:aws:bedrock:us-east-1:1:application-inference-profile/abc", []),
    ],
)
def test_a_point_for_a_model_without_caching(tmp_path: Path, model: str, severity: list[str]) -> None:
    """Bedrock caches Claude and Nova; what a profile stands for is not known."""
    system = [{"text": PROSE}, {"cachePoint": {"type": "default"}}]
    body = {"modelId": model, "system": system, "messages": [{"role": "user", "content": [{"text": "Hi."}]}]}

    assert [f.severity for f in found(tmp_path, body, "RL610")] == severity


LONG = f"{PROSE}\n{PROSE.replace('Our', 'Their')}"


def test_a_fixed_head_without_a_mark_at_its_end(tmp_path: Path) -> None:
    """GPT-5.6, and Anthropic if asked, mark the newest message: sure where a template has one question, else a word."""
    alone = chat(("developer", LONG), ("user", "{{ question }}"), model="gpt-5.6-sol")
    sent = chat(("developer", LONG), ("user", "Are you open?"), model="gpt-5.6-sol")
    asked = claude(said("user", "{{ docs }} {{ question }}"), system=LONG, cache_control=MARK)

    assert [f.severity for f in found(tmp_path, alone, "RL604")] == ["warning"]
    assert [f.severity for f in found(tmp_path, sent, "RL604")] == ["info"]
    assert [f.severity for f in found(tmp_path, asked, "RL604")] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        chat(("developer", LONG), ("user", "{{ question }}"), model="gpt-5.5"),
        chat(("developer", "Be brief."), ("user", "{{ question }}"), model="gpt-5.6"),
        chat(("developer", LONG), ("user", "Hi."), ("assistant", "Yes?"), ("user", "Are you open?"), model="gpt-5.6"),
        chat(("developer", LONG), ("user", "{{ history }}"), ("user", "{{ question }}"), model="gpt-5.6"),
        {
            "model": "gpt-5.6",
            "messages": [
                said("developer", {**text(LONG), "prompt_cache_breakpoint": {"mode": "explicit"}}),
                {"role": "user", "content": "{{ question }}"},
            ],
        },
    ],
)
def test_a_head_that_is_short_marked_or_part_of_a_conversation(tmp_path: Path, body: Body) -> None:
    """Older models cache without marks; a conversation reads the mark of the turn before."""
    assert found(tmp_path, body, "RL604") == []

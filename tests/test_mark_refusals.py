"""Where the place of a cache mark is not certain no fix is offered, and where it is, the edit is the least there can be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from generated_bodies import CLOCK, LONG

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.files.edited_bytes import EditableText
from radixlint.result.finding import Finding

WORDS = json.dumps(LONG)
MARK = '"cache_control": {"type": "ephemeral"}'
ASK = '"messages": [{"role": "user", "content": "Hi."}]'


def found(folder: Path, name: str, text: str, rule: str) -> Finding:
    """Return the one finding of a rule in a file."""
    (folder / name).write_text(text, encoding="utf-8")
    report = check_paths(CheckOptions(arguments=(name,), settings=Settings(), start=folder))
    [finding] = [finding for finding in report.findings if finding.rule == rule]
    return finding


def body(system: str) -> str:
    """Return a body around the source of its system text."""
    return f'{{"model": "claude-opus-5", "max_tokens": 8, "system": {system}, {ASK}}}'


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        ("alias.yaml", body(f'[{{"type": "text", "text": &rules {WORDS}}}]'), "RL604"),
        (
            "keep.yaml",
            "model: claude-opus-5\nmax_tokens: 8\nsystem: |+\n  "
            + LONG.replace("\n", "\n  ")
            + "\n\nmessages:\n- {role: user, content: Hi.}\n",
            "RL604",
        ),
        (
            "part.json",
            body(f'[{{"type": "text", "text": {json.dumps(CLOCK + chr(10) + LONG)}, {MARK}}}]'),
            "RL601",
        ),
        (
            "short.json",
            body(f'[{{"type": "text", "text": "Be kind."}}, {{"type": "text", "text": {json.dumps(CLOCK + LONG)}, {MARK}}}]'),
            "RL601",
        ),
        (
            "comment.yaml",
            "model: claude-opus-5\nmax_tokens: 8\nsystem:\n"
            + f"- type: text\n  text: {WORDS}\n"
            + f"- type: text\n  text: '{CLOCK}'\n  cache_control: {{type: ephemeral}}  # our own\n"
            + "messages:\n- {role: user, content: Hi.}\n",
            "RL601",
        ),
        (
            "filled.json",
            body(
                f'[{{"type": "text", "text": {WORDS}, "cache_control": {{"type": "ephemeral", "ttl": "{{{{ ttl }}}}"}}}}, '
                f'{{"type": "text", "text": "A.", {MARK}}}, '
                '{"type": "text", "text": "B.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}]'
            ),
            "RL606",
        ),
    ],
)
def test_nothing_is_offered_where_the_place_is_not_certain(tmp_path: Path, name: str, text: str, rule: str) -> None:
    """Anchors, kept line ends, a value within the only marked text, a short prefix, a comment, a filled in time: left alone."""
    assert found(tmp_path, name, text, rule).edits == ()


def test_marks_between_parts_of_other_lives_are_not_dropped(tmp_path: Path) -> None:
    """Of five marks, each behind a part for fewer requests, none is covered by the next: a person has to choose."""
    names = ["", "{{ version }}", "{{ tenant.name }}", "{{ user.name }}", "{{ session_id }}"]
    blocks = ", ".join(f'{{"type": "text", "text": {json.dumps(f"Rules for {name}.")}, {MARK}}}' for name in names)

    assert found(tmp_path, "body.json", body(f"[{blocks}]"), "RL603").edits == ()


def test_thinking_takes_no_mark(tmp_path: Path) -> None:
    """A history that ends in thinking is marked at the block ahead of it."""
    turns = [
        {"role": "user", "content": [{"type": "text", "text": LONG}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Let me see.", "signature": "x"}]},
        {"role": "user", "content": "And now?"},
    ]
    text = json.dumps({"model": "claude-opus-5", "max_tokens": 8, "system": "Be kind.", "messages": turns})
    after = EditableText(text.encode()).edited(found(tmp_path, "body.json", text, "RL604").edits)

    turns[0]["content"][0]["cache_control"] = {"type": "ephemeral"}  # type: ignore[index]
    assert json.loads(after)["messages"] == turns


def test_tools_carry_the_mark_where_the_system_text_varies(tmp_path: Path) -> None:
    """The last tool is the last stable block ahead of a clock in the system text; the marks behind it go."""
    tool = {"name": "hours", "description": LONG, "input_schema": {"type": "object"}}
    mark = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    whole = {
        "model": "claude-opus-5",
        "max_tokens": 8,
        "tools": [tool],
        "system": [{"type": "text", "text": CLOCK}, {"type": "text", "text": "Be kind.", **mark}],
        "messages": [{"role": "user", "content": "Hi."}],
    }
    text = json.dumps(whole, indent=1)
    after = EditableText(text.encode()).edited(found(tmp_path, "body.json", text, "RL601").edits)

    whole["tools"], whole["system"] = [{**tool, **mark}], [{"type": "text", "text": t} for t in (CLOCK, "Be kind.")]
    assert after.decode() == json.dumps(whole, indent=1)

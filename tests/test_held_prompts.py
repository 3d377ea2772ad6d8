"""Prompts under names that say something else, windows of Dify, and chat templates for requests with tools alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport

RULES = (
    "You are the desk of the city library. Answer in two short sentences and never guess. Loans last four weeks and can be "
    "renewed twice unless someone waits. Late items cost twenty cents a day, never more than the price of the item. Rooms are "
    "booked at the desk, two hours a day for each card. Never give out what another reader has borrowed."
)
PROMPT = f"You speak with {{user_name}}. {RULES}"
LETTER = "Dear {user_name}, the book that you asked for is here, and waits for you at the desk on the first floor. Yours, us."


def check(folder: Path, name: str, written: str) -> CheckReport:
    """Check one file."""
    (folder / name).write_text(written, encoding="utf-8")
    return check_paths(CheckOptions(arguments=(name,), settings=Settings(), start=folder))


@pytest.mark.parametrize("key", ["answer", "help", "email", "subject", "error", "channel", "greet"])
@pytest.mark.parametrize("held", [True, False])
def test_a_prompt_is_one_whatever_its_name(tmp_path: Path, key: str, held: bool) -> None:
    """Under ``prompts`` a key is a name; elsewhere a text that surely speaks to a model outweighs it."""
    texts = {"version_note": "Two.", key: PROMPT if held else f"You are the voice of the library for {{user_name}}. {RULES}"}
    report = check(tmp_path, "assistant.json", json.dumps({"prompts": texts} if held else texts))

    assert [(finding.rule, finding.span.line) for finding in report.findings] == [("RL101", 1)]


@pytest.mark.parametrize(
    "document",
    [
        {"subject": "Your book", "prompt_text": LETTER},
        {"prompts": [{"title": "Desk", "description": LETTER, "question": "Which?"}]},
        {"templates": {"answer": LETTER, "help": LETTER}},
        {"errors": {"help": "You need {count} more seats for this. Ask the desk for a larger room, or come on another day."}},
    ],
)
def test_texts_for_people_stay_texts_for_people(tmp_path: Path, document: object) -> None:
    """Mails, forms and help texts beside such keys are no prompts."""
    assert check(tmp_path, "texts.json", json.dumps(document)).prompts == 0


def dify(window: str) -> str:
    """Return an app with a memory."""
    return f"""app:
  mode: advanced-chat
kind: app
workflow:
  graph:
    nodes:
    - data:
        memory:
          role_prefix: {{assistant: '', user: ''}}
          window: {window}
        prompt_template:
        - role: system
          text: |
            {RULES}
"""


@pytest.mark.parametrize(
    ("window", "rules"),
    [
        ("{enabled: true, size: 10}", ["RL701"]),
        ("{enabled: false, size: 10}", []),
        ("{size: 10}", []),
    ],
)
def test_a_window_of_dify_keeps_the_newest_turns(tmp_path: Path, window: str, rules: list[str]) -> None:
    """Without the window all turns are sent."""
    report = check(tmp_path, "app.yml", dify(window))

    assert report.prompts == 1
    assert [finding.rule for finding in report.findings] == rules


TOOLS = "{% for t in tools %}{{ t | tojson }}\n{% endfor %}"
TURNS = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"


def chat_template(folder: Path, template: str) -> CheckReport:
    """Check a chat template in the file of its tokenizer."""
    return check(folder, "tokenizer_config.json", json.dumps({"chat_template": template}))


def test_a_template_for_requests_with_tools_is_tried_with_tools(tmp_path: Path) -> None:
    """Without tools it stops; with them it is append-only, or is not."""
    good = chat_template(tmp_path, TOOLS + TURNS)
    bad = chat_template(tmp_path, TOOLS + TURNS.replace("{% endfor", "{% if loop.last %}[end]{% endif %}{% endfor"))
    broken = chat_template(tmp_path, TURNS + "{% for p in no_such_thing.parts.all %}{{ p }}{% endfor %}")

    assert (good.prompts, good.notes) == (1, ())
    assert "RL506" not in {finding.rule for finding in good.findings}
    assert "RL506" in {finding.rule for finding in bad.findings}
    assert any("cannot be tried" in note for note in broken.notes)

"""Messages that were not sent yet may be cleaned, and what is loaded for other ends is no window on the conversation."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

HEAD = "from openai import OpenAI\n\nclient = OpenAI()\nRULES = '  Answer in one sentence. '\n\n\n"
SENT = "return client.chat.completions.create(model='gpt-5-mini', messages=messages)\n"
CLEANED = "    for m in messages:\n        m['content'] = m['content'].strip()\n"
MADE = "    messages = [{'role': 'system', 'content': RULES}, {'role': 'user', 'content': question}]\n"


def _found(folder: Path, code: str) -> list[tuple[str, str]]:
    (folder / "desk.py").write_text(HEAD + code, encoding="utf-8")
    report = check_paths(CheckOptions(("desk.py",), Settings(), folder))
    return [(f.rule, f.severity.value) for f in report.findings if f.rule in ("RL701", "RL703")]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def ask(question):\n" + MADE + CLEANED + "    " + SENT, []),
        ("def ask(messages):\n" + CLEANED + "    " + SENT, [("RL703", "warning")]),
        (
            "def ask(question, history):\n" + MADE + "    messages.extend(history)\n" + CLEANED + "    " + SENT,
            [("RL703", "warning")],
        ),
        (
            "def ask(question):\n" + MADE + "    while True:\n        for m in messages:\n"
            "            m['content'] = m['content'].strip()\n        messages.append(send(messages))\n    " + SENT,
            [("RL703", "warning")],
        ),
    ],
)
def test_only_messages_that_may_have_been_sent_are_history(tmp_path: Path, code: str, found: list[tuple[str, str]]) -> None:
    """A list that the function wrote out just ahead is new; one given, filled from elsewhere or gone over again is not."""
    assert _found(tmp_path, code) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def ask(store):\n    messages = store.load_messages(limit=20)\n    " + SENT, [("RL701", "warning")]),
        (
            "def ask(store):\n    messages = [{'role': r.role, 'content': r.text} for r in store.load_messages(limit=20)]\n    "
            + SENT,
            [("RL701", "warning")],
        ),
        ("def page(store):\n    return store.list_messages(limit=20)\n\n\ndef ask(messages):\n    " + SENT, [("RL701", "info")]),
        (
            "def dump(db):\n    for row in db.execute('SELECT * FROM turns ORDER BY id DESC LIMIT 9'):\n        print(row)\n\n\n"
            "def ask(messages):\n    " + SENT,
            [("RL701", "info")],
        ),
    ],
)
def test_a_load_is_a_window_if_it_reaches_a_prompt(tmp_path: Path, code: str, found: list[tuple[str, str]]) -> None:
    """The newest turns that are loaded and sent are a warning; those that are followed to no prompt are a note."""
    assert _found(tmp_path, code) == found

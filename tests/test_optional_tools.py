"""Tools that come and go by a flag are told as what they are: a choice of tools, not text that a condition switches."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

HEAD = (
    "from openai import OpenAI\n\nclient = OpenAI()\n"
    "SEARCH = {'type': 'function', 'function': {'name': 'search', 'description': 'Search.', 'parameters': {}}}\n"
    "SYSTEM = 'Answer in one sentence and name your source. ' * {times}\n\n\n"
)
SENT = (
    "    return client.chat.completions.create(model='gpt-4.1', tools=tools, messages=[{'role': 'system', 'content': SYSTEM},"
    " {'role': 'user', 'content': question}])\n"
)
BY_FLAG = "def ask(question, use_tools=False):\n    tools = []\n    if use_tools:\n        tools = [SEARCH]\n" + SENT
BY_TERNARY = "def ask(question, use_tools=False):\n    tools = [SEARCH] if use_tools else None\n" + SENT
BY_USER = BY_FLAG.replace("use_tools=False", "user").replace("use_tools", "user.is_admin")
BY_CONSTANT = "TOOLS_ON = True\n\n\n" + BY_FLAG.replace(", use_tools=False", "").replace("use_tools", "TOOLS_ON")


@pytest.mark.parametrize(
    ("code", "times", "found"),
    [
        (BY_FLAG, 60, [("RL801", "info")]),
        (BY_TERNARY, 60, [("RL801", "info")]),
        (BY_USER, 60, [("RL801", "warning")]),
        (BY_FLAG, 2, []),
        (BY_CONSTANT, 60, []),
    ],
)
def test_a_flag_chooses_tools(tmp_path: Path, code: str, times: int, found: list[tuple[str, str]]) -> None:
    """A flag that nothing is known about is a note, one of the user a warning; little text behind it is not worth a word."""
    (tmp_path / "desk.py").write_text(HEAD.replace("{times}", str(times)) + code, encoding="utf-8")

    report = check_paths(CheckOptions(("desk.py",), Settings(), tmp_path))

    assert [(finding.rule, finding.severity.value) for finding in report.findings] == found

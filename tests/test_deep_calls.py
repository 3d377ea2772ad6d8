"""Calls that go too deep to be followed are told, so that no finding is not taken for a clean file."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings


def _chain(depth: int) -> str:
    steps = "".join(f"def f{i}():\n    return f{i + 1}()\n\n\n" for i in range(depth))
    return (
        "import datetime\nfrom openai import OpenAI\n\nclient = OpenAI()\nRULES = 'Answer in one sentence. ' * 40\n\n\n"
        f"{steps}def f{depth}():\n    return str(datetime.datetime.now())\n\n\n"
        "def ask(question):\n    return client.chat.completions.create(model='gpt-4.1', messages=[\n"
        "        {'role': 'system', 'content': f0() + RULES}, {'role': 'user', 'content': question}])\n"
    )


@pytest.mark.parametrize(("depth", "found", "notes"), [(5, ["RL201"], 0), (14, [], 1)])
def test_a_chain_too_deep_is_one_note(tmp_path: Path, depth: int, found: list[str], notes: int) -> None:
    """Within the limit the clock is found and nothing is noted; beyond it one note names the function."""
    (tmp_path / "desk.py").write_text(_chain(depth), encoding="utf-8")

    report = check_paths(CheckOptions(("desk.py",), Settings(), tmp_path))

    assert [finding.rule for finding in report.findings] == found
    assert len(report.notes) == notes
    assert all("ask (line" in note and "too deep" in note for note in report.notes)

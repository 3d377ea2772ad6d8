"""What tells the model who it is stays at the head of a prompt, whatever else stands in its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.fixing import fix_paths
from radixlint.config import Settings

RULES = "Name the source of each answer, and say so if you are not sure.\n" * 8
ASKED = "Question: {{ question }}\n"


def _moved(folder: Path, line: str) -> tuple[bool, list[str]]:
    """Return whether the line moved, and what is found without a fix."""
    (folder / "a.j2").write_text(f"{line}\n{RULES}{ASKED}", encoding="utf-8")
    done = fix_paths(CheckOptions(("a.j2",), Settings(), folder), with_unsafe=True, is_dry=False)
    text = (folder / "a.j2").read_text(encoding="utf-8")
    return not text.startswith(line), [finding.rule for finding in done.report.findings if not finding.edits]


@pytest.mark.parametrize(
    "line",
    [
        "You are a helpful assistant for {{ user_name }}.",
        "You are a clerk. It is {{ now() }}. Be kind.",
        "You\u2019re the library desk of {{ user_name }}.",
        "You are Ada, who works for {{ user_name }}.",
        "Act as the coach of {{ user_name }}.",
        "Your role is to help {{ user_name }}.",
        "Du bist eine Hilfe f\u00fcr {{ user_name }}.",
        "\u4f60\u662f {{ user_name }} \u7684\u52a9\u624b\u3002",
        "{% if user.is_staff %}You are a tutor for staff.{% else %}You are a tutor.{% endif %}",
    ],
)
def test_the_role_stays_ahead(tmp_path: Path, line: str) -> None:
    """The finding is told and left for a person."""
    is_moved, left = _moved(tmp_path, line)

    assert not is_moved
    assert left


@pytest.mark.parametrize(
    "line",
    ["You are talking to {{ user_name }}.", "Hello {{ user_name }}.", "It is {{ now() }}.", "Answer as {{ user_name }} would."],
)
def test_other_lines_move(tmp_path: Path, line: str) -> None:
    """A line about the user or the time is moved as before."""
    assert _moved(tmp_path, line) == (True, [])

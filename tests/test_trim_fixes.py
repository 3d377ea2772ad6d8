"""The trim of a condition that prints blanks alone: every outcome prints the same, and what one outcome printed stays."""

from __future__ import annotations

import itertools
from pathlib import Path

import jinja2
import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.files.edited_bytes import EditableText

RULES = "You answer questions for the city library. Keep replies short and friendly, and never guess.\n" * 6
ASKED = "Reader: {{ question }}\n"


def trimmed(folder: Path, block: str) -> str:
    """Return a template with the edits of its RL404 findings made."""
    text = f"Hello.\n{block}{RULES}{ASKED}"
    (folder / "a.j2").write_text(text, encoding="utf-8")
    findings = check_paths(CheckOptions(arguments=("a.j2",), settings=Settings(), start=folder)).findings
    assert [f.rule for f in findings if f.rule == "RL404"] == ["RL404"]
    edits = [edit for f in findings if f.rule == "RL404" for edit in f.edits]
    return EditableText(text.encode()).edited(edits).decode()


@pytest.mark.parametrize(
    "block",
    [
        "{% if user.a %}\n{% set x = 1 %}\n{% endif %}\n",
        "{% if user.a %}{% set x = 1 %}\n\n{% elif user.b -%}\n{% else %} {% endif %}\n",
        "{%- if user.a %}\n{# why #}\n{% set x = 'a' +%}\n\n{% endif %}\n",
    ],
)
def test_every_outcome_prints_the_same(tmp_path: Path, block: str) -> None:
    """Rendered by Jinja itself, all outcomes are equal after the fix, which changes no word and leaves nothing to find."""
    after = jinja2.Template(trimmed(tmp_path, block), keep_trailing_newline=True)
    before = jinja2.Template(f"Hello.\n{block}{RULES}{ASKED}", keep_trailing_newline=True)
    users = [{"a": a, "b": b} for a, b in itertools.product((True, False), repeat=2)]

    assert len({before.render(user=user, question="Q") for user in users}) > 1
    [text] = {after.render(user=user, question="Q") for user in users}
    assert text.split() == before.render(user={}, question="Q").split()
    assert trimmed_again(tmp_path, block) == ()


def trimmed_again(folder: Path, block: str) -> tuple[object, ...]:
    """Return what RL404 finds in the fixed template."""
    (folder / "a.j2").write_text(trimmed(folder, block), encoding="utf-8")
    report = check_paths(CheckOptions(arguments=("a.j2",), settings=Settings(), start=folder))
    return tuple(finding for finding in report.findings if finding.rule == "RL404")


def test_a_block_that_may_do_more_is_left(tmp_path: Path) -> None:
    """A tag whose print is not known is nothing to trim around."""
    block = "{% if user.a %}\n{% import 'x.j2' as y %}\n{% endif %}\n"

    assert trimmed(tmp_path, block) == f"Hello.\n{block}{RULES}{ASKED}"

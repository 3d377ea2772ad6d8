"""A name in the settings' ``variables`` that nothing is called by is a note where the whole project was checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from radixlint.cli.command_group import cli

FIXED = "Answer in plain words and keep it short.\n" * 12
SETTINGS = '[variables]\ncustmer = "tenant"\ndesk = "static"\nquestion = "turn"\nname = "user"\nlookup = "static"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two folders, whose prompts hold ``customer.name``, ``question`` and the call ``lookup``."""
    (tmp_path / "radixlint.toml").write_text(SETTINGS, encoding="utf-8")
    for folder, text in (("a", "{{ question }}"), ("b", "{{ customer.name }}{{ lookup(x) }}")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.j2").write_text(FIXED + text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _checked(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["check", *arguments])
    return result.exit_code, result.stderr


def test_a_name_met_nowhere_is_noted_with_the_nearest(project: Path) -> None:
    """Names of values, their starts, their last parts and calls are met; the others are told once, and the exit stays 0."""
    code, told = _checked(".")

    assert code == 0
    assert told.strip() == "note: radixlint.toml:1: no checked prompt holds `custmer` (did you mean `customer`?), `desk`"


@pytest.mark.parametrize("arguments", [["a"], ["a/p.j2", "b/p.j2"], [".", "--quiet"], [".", "--isolated"]])
def test_a_part_of_the_project_says_nothing_of_the_rest(project: Path, arguments: list[str]) -> None:
    """Files and folders by name may lack a variable that the others hold; quiet runs and runs without settings say nothing."""
    assert _checked(*arguments) == (0, "")


def test_long_lists_are_cut(project: Path) -> None:
    """Of many names the first eight are told, and how many more there are."""
    rows = "".join(f'zz{number}qq = "static"\n' for number in range(20))
    (project / "radixlint.toml").write_text(f"[variables]\n{rows}", encoding="utf-8")

    assert _checked(".")[1].strip().endswith("`zz7qq` and 12 more")

"""A report is one file: a module ``<subject>_<format>`` is all it takes to be offered by ``--format``."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from radixlint import reports
from radixlint.cli.command_group import cli
from radixlint.cli.output import format_names, render

SUBJECTS = ("check", "rules", "rule", "simulate", "demo", "kv")
NEW_REPORT = """
def render(report, style):
    return f"{report} in {style.width} columns, {style.color}\\n"
"""


def test_a_new_file_is_a_new_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module dropped into the package is listed, and renders, without any other change; a file gets no colour."""
    (tmp_path / "kv_one_line.py").write_text(NEW_REPORT, encoding="utf-8")
    monkeypatch.setattr(reports, "__path__", [*reports.__path__, str(tmp_path)])
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert format_names("kv") == ("json", "one-line", "text")
    assert render("kv", "one-line", "value", "x.txt") == "value in 100 columns, False\n"
    assert render("kv", "one-line", "value").endswith("True\n")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_command_offers_the_reports_there_are(subject: str) -> None:
    """The choices of ``--format`` are the modules of the subject, under both spellings of the option."""
    command = cli.get_command(click.Context(cli), subject)
    assert command is not None
    (option,) = (parameter for parameter in command.params if "--format" in parameter.opts)
    modules = {path.stem for path in Path(reports.__path__[0]).glob(f"{subject}_*.py")}

    assert isinstance(option.type, click.Choice)
    assert {f"{subject}_{name.replace('-', '_')}" for name in option.type.choices} == modules
    assert "text" in option.type.choices
    assert "--output-format" in option.opts

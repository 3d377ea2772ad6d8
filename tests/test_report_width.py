"""Every text report keeps to the width of the terminal, with colour and without."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from rich.text import Text

from radixlint.cli import output
from radixlint.cli.command_group import cli
from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn

SAMPLE = str(Path(__file__).parent.parent / "radixlint" / "samples" / "support_desk.jsonl")
ESCAPES = re.compile("\x1b\\[[0-9;]*m")
COMMANDS = [
    f"analyze {SAMPLE} --by template --by session --tree --curve --optimum --model llama-3.1-8b --gpu h100",
    f"analyze {SAMPLE} --engine anthropic --by model",
    f"diff {SAMPLE} --split-at 2026-03-09T10:12:00Z",
    f"simulate {SAMPLE} --policy lpm --kv-tokens 2000",
    "simulate --workload rag --policy fcfs --kv-tokens 3000",
    "demo",
    "formats",
    "rules",
    "rule RL201",
    "kv --model llama-3.1-8b --tokens 3000 --sequences 8 --gpu h100",
]


@pytest.mark.parametrize("color", [False, True], ids=["plain", "colour"])
@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_no_line_of_a_report_is_wider_than_the_terminal(
    command: str, width: int, color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In 80 and in 120 columns a terminal cuts or wraps nothing, and colour changes no line."""
    monkeypatch.setattr(output, "terminal_style", lambda: TextStyle(width, color))
    result = CliRunner().invoke(cli, command.split(), standalone_mode=False)
    lines = ESCAPES.sub("", result.stdout).splitlines()

    assert result.exception is None
    assert lines
    assert [line for line in lines if cell_len(line) > width] == []
    assert ("\x1b[" in result.stdout) == (color and command.split()[0] != "kv")


@pytest.mark.parametrize(
    "command", ["", *["check", "rules", "rule", "analyze", "why", "diff", "simulate", "formats", "kv", "advise"]]
)
def test_no_line_of_a_help_is_wider_than_80_columns(command: str) -> None:
    """The help of the group and of every command fits the narrowest usual terminal."""
    lines = CliRunner().invoke(cli, [*command.split(), "--help"]).stdout.splitlines()

    assert lines
    assert [line for line in lines if len(line) > 80] == []


@pytest.mark.parametrize(
    ("line", "drawn_lines"),
    [
        ("one two three four", ["one two three four"]),
        ("one two three four five six seven", ["one two three four five", "    six seven"]),
        ("  - a note of several words here", ["  - a note of several", "    words here"]),
        ("lbl  of a row that is too long", ["lbl  of a row that is too", "     long"]),
        ("a-word-that-is-longer-than-the-line it", ["a-word-that-is-longer-than-the-line", "    it"]),
    ],
)
def test_a_long_line_goes_on_under_its_last_column(line: str, drawn_lines: list[str]) -> None:
    """A line is cut at a space; the rest is set under its value, under the text of a note, or a little in; words stay whole."""
    assert drawn([Text(line)], TextStyle(25)).splitlines() == drawn_lines


def test_a_line_for_other_programs_stays_whole() -> None:
    """What is marked so is never wrapped."""
    assert drawn([Text("one two three four five six seven", no_wrap=True)], TextStyle(25)).count("\n") == 1

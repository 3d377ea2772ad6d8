"""``check --log`` on the command line: what it prints, its JSON, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from radixlint.cli.command_group import cli
from radixlint.errors import LogError

RULES = "You sort the letters of a town hall into taxes, permits, schools and waste, one word for each of them, no more.\n"
SECRET = "Dear clerk, my name is Ottilie."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a template and a log of its requests, and go there."""
    (tmp_path / "letters.j2").write_text("Now: {{ now() }}\n" + RULES * 3, encoding="utf-8")
    rows = [
        {"messages": [{"role": "system", "content": f"Now: 10:0{n}\n{RULES * 3}"}, {"role": "user", "content": SECRET}]}
        for n in range(4)
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(cli, ["check", "letters.j2", "--isolated", *arguments], standalone_mode=False)


def test_a_finding_has_a_line_about_the_log() -> None:
    """Three of four requests broke; nothing that a user wrote is shown; the exit code is that of the findings."""
    result = check("--log", "log.jsonl")

    assert result.return_value == 1
    assert "log: 75.0% of 4 requests broke here, " in result.stdout
    assert "Of 4 requests in the log all were made by the template" in result.stderr
    assert "Ottilie" not in result.output


def test_json_has_the_figures_with_their_evidence() -> None:
    """The field is null without a log, and an object with one."""
    plain, joined = (json.loads(check("--format", "json", *more).stdout) for more in ((), ("--log", "log.jsonl")))

    assert {finding["measured"] for finding in plain["findings"]} == {None}
    (measured,) = [finding["measured"] for finding in joined["findings"] if finding["measured"]]
    assert (measured["requests"], measured["broken_rate"], measured["evidence"]) == (4, 0.75, "simulated")
    assert any(note.startswith("Of 4 requests") for note in joined["notes"])


def test_over_five_percent_bad_records_exit_2_unless_lenient(folder: Path) -> None:
    """As for ``analyze``: the report is written in any case."""
    with open(folder / "log.jsonl", "a", encoding="utf-8") as stream:
        stream.write("{broken\n")
    strict, lenient = check("--log", "log.jsonl"), check("--log", "log.jsonl", "--lenient")

    assert (strict.return_value, lenient.return_value) == (2, 1)
    assert strict.stdout == lenient.stdout
    assert "broke here" in strict.stdout


def test_a_log_that_is_missing_is_refused() -> None:
    """There is no report then."""
    result = check("--log", "none.jsonl")

    assert isinstance(result.exception, LogError)
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--layout", "openai"), "--layout is about a log"),
        (("--lenient",), "--lenient is about a log"),
        (("--log", "log.jsonl", "--fix"), "before --fix"),
        (("--log", "-", "-"), "at once"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments: tuple[str, ...], words: str) -> None:
    """Options on a log need one, fixes make prompts that were never sent, and standard input is read once."""
    result = check(*arguments)

    assert isinstance(result.exception, click.UsageError)
    assert words in result.exception.message

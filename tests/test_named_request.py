"""Which request ``why`` is asked about: by id or number, and one that the options on records left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from log_records import asking, json_lines

from radixlint.cli.command_group import cli


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "log.jsonl"
    path.write_bytes(json_lines(*(asking(i, session=f"s{i % 3}", ts=1_764_028_800 + 60 * i) for i in range(9))))
    return str(path)


def error_of(*arguments: str, stdin: bytes | None = None) -> str:
    """Return the one line on stderr of ``radixlint why`` where it cannot say which request is meant."""
    done = CliRunner().invoke(cli, ["why", *arguments], input=stdin)
    assert done.exit_code != 0
    return str(done.exception) if not done.stderr else done.stderr


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (("--session", "s0"), "--session"),
        (("--since", "00:05"), "--since"),
        (("--until", "00:01"), "--until"),
        (("--of-model", "gpt-x", "--session", "s1"), "--session or --of-model"),
    ],
)
def test_a_request_that_was_left_out_is_said_to_be(log: str, flags: tuple[str, ...], named: str) -> None:
    """Its id is in the log: the error says so, and names the options that leave requests out."""
    if "--of-model" in flags:
        with open(log, "ab") as out:
            out.write(json_lines(asking(20, session="s1", ts=1_764_030_000, model="gpt-x")))
    said = error_of(log, "--request", "r1", *flags)

    assert f"'r1' is in the log, but was left out by {named}" in said


def test_a_request_that_is_nowhere_is_not_said_to_be_left_out(log: str) -> None:
    """No record has the id: the numbers there are and examples of ids follow."""
    said = error_of(log, "--request", "r99", "--session", "s0")

    assert "none of the 3 requests is 'r99'" in said
    assert "a number from 0 to 2" in said


def test_of_standard_input_both_are_possible(log: str) -> None:
    """A stream cannot be read again: the error says what would have left the request out."""
    said = error_of("-", "--request", "r1", "--session", "s0", stdin=Path(log).read_bytes())

    assert "if it is in the log, --session left it out" in said


def test_without_a_request_the_error_says_how_to_name_one(log: str) -> None:
    """The option is explained, and where ids come from."""
    said = error_of(log)

    assert "--request ID" in said
    assert "radixlint analyze" in said


def test_a_number_out_of_range_is_answered_with_the_range(log: str) -> None:
    """The numbers of nine requests run from 0 to 8."""
    assert "a number from 0 to 8" in error_of(log, "--request", "9")

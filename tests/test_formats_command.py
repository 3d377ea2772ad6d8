"""``radixlint formats`` lists every format that can be read, for people and for programs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from radixlint.cli.command_group import cli
from radixlint.logs import format_names, load_formats
from radixlint.logs._log_format import Format
from radixlint.reports import TextStyle, formats_text
from radixlint.result.format_facts import FormatFacts


def test_the_json_list_is_complete() -> None:
    """Each format is listed once, by name, with what it is told by and what it gives."""
    result = CliRunner().invoke(cli, ["formats", "--format", "json"])
    listed = json.loads(result.output)

    assert (result.exit_code, listed["schema_version"]) == (0, 1)
    assert [fact["name"] for fact in listed["formats"]] == list(format_names())
    assert all(fact["accepts"] and fact["gives"] for fact in listed["formats"])


def test_the_text_list_names_every_format() -> None:
    """People see each name at the start of a line, and how to force one."""
    result = CliRunner().invoke(cli, ["formats"])

    assert result.exit_code == 0
    assert set(format_names()) <= {line.partition(" ")[0] for line in result.output.splitlines()}
    assert "--from NAME" in result.output


def test_text_of_a_users_map_is_made_safe() -> None:
    """A format described by a file of somebody else cannot send control bytes or mark-up to the terminal."""
    text = formats_text.render([FormatFacts("a\x1b[2J", "[/b] b\x9b31m", "c\u202e")], TextStyle())

    assert not {"\x1b", "\x9b", "\u202e"} & set(text)
    assert "[/b] b" in text


@pytest.mark.parametrize("format_", load_formats(), ids=lambda format_: format_.name)
def test_every_format_is_one_kind(format_: Format) -> None:
    """A format reads JSON records or lines of text, says what it reads, and has its place among the others."""
    assert all((format_.name, format_.accepts, format_.missing, format_.gives))
    assert 0 < format_.rank < 100
    assert (format_.find, format_.claims) != (None, None)

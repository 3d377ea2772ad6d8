"""The help and the pages of ``check`` name every option and every key, each under the heading that its reader looks for."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from radixlint.cli.check_command import check
from radixlint.cli.command_group import cli
from radixlint.config.setting_keys import KEYS, Key

DOCS = Path(__file__).resolve().parent.parent / "docs"
OPTIONS = [name for param in check.params if isinstance(param, click.Option) for name in param.opts if name.startswith("--")]


def sections() -> dict[str, str]:
    """Return the help by heading."""
    text = CliRunner().invoke(cli, ["check", "--help"]).output
    parts = re.split(r"^([A-Z][\w ]+):\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_in_the_help_and_on_the_page(name: str) -> None:
    """Each name stands under one heading of the help, and on the page."""
    pattern = rf"(?:^  (?:-\w, )?|\(also\s+){name}\b(?!-)"
    found = [heading for heading, text in sections().items() if heading != "Examples" and re.search(pattern, text, re.MULTILINE)]

    assert len(found) == 1
    assert re.search(rf"`{name}\b(?!-)", (DOCS / "check.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Report and exit code", ("--fail-on", "--max-warnings", "--exit-zero", "--format", "--output", "--quiet")),
        ("Joined with a log", ("--log", "--engine", "--tokenizer", "--layout", "--chat-template", "--lenient")),
        ("Which files", ("--exclude", "--force-exclude", "--show-files")),
    ],
)
def test_options_stand_where_they_are_looked_for(heading: str, names: tuple[str, ...]) -> None:
    """What belongs together stands together."""
    text = sections()[heading]

    assert [name for name in names if not re.search(rf"^  (?:-\w, )?{name}\b(?!-)", text, re.MULTILINE)] == []


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_key_of_the_config_file_is_on_its_page(key: Key) -> None:
    """The page says of each key what the schema says."""
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")

    assert f"| `{key.name}` | {key.summary} |" in page

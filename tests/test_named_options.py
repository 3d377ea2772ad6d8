"""No text names an option that its reader cannot give: messages, helps, examples and pages are held against the commands."""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from radixlint.cli.command_group import cli
from radixlint.cli.help_sections import SectionedCommand

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
NAMES = tuple(cli.list_commands(click.Context(cli)))
OF_LOGS = ("analyze", "why", "check-log")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+\b")
# Options of the servers whose logs are read, and of other programs that we tell people to run.
OF_OTHERS = frozenset(
    """
    --disable-radix-cache --enable-cache-report --enable-log-requests --enable-prompt-tokens-details --include-body --log-requests
    --log-requests-format --log-requests-level --max-log-len --model-path --no-enable-prefix-caching --schedule-policy
    --slot-prompt-similarity --tensor-parallel-size --tp-size
    """.split()  # noqa: SIM905 - a list of thirty quotes is harder to read
)
# Said only where the command can follow it: a reason each.
NOT_REACHED = {
    ("check-log", "--top"): "a gate counts all breaks, so none is left unlisted",
    ("check-log", "--curve"): "a gate draws no curve",
    ("check-log", "--gpu"): "a gate works out no times",
    ("why", "--gpu"): "one request has no throughput",
    ("why", "--top"): "one request has one break",
    ("why", "--curve"): "one request has no curve",
}


@functools.cache
def command_of(name: str) -> click.Command:
    """Return the command ``name``."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


@functools.cache
def options_of(name: str) -> frozenset[str]:
    """Return every spelling of the options of the command ``name``."""
    options = (param for param in command_of(name).params if isinstance(param, click.Option))
    return frozenset(opt for option in options for opt in (*option.opts, *option.secondary_opts)) | {"--help", "-h"}


ALL_OPTIONS = frozenset().union(*map(options_of, NAMES)) | {"--version"}


def module_path(name: str) -> Path | None:
    """Return the file of a module of ours, None if ``name`` is none."""
    path = ROOT.joinpath(*name.split("."))
    found = (path.with_suffix(".py"), path / "__init__.py")
    return next((one for one in found if one.is_file()), None)


@functools.cache
def imported(path: Path) -> frozenset[Path]:
    """Return our modules that ``path`` imports, wherever in it."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    names = {
        name for node in nodes if node.module for name in (node.module, *(f"{node.module}.{one.name}" for one in node.names))
    }
    return frozenset(found for name in names if name.startswith("radixlint") and (found := module_path(name)))


def reached(start: Path) -> set[Path]:
    """Return all of our modules that ``start`` can come to, itself included."""
    seen, ahead = set[Path](), [start]
    while ahead:
        path = ahead.pop()
        if path not in seen:
            seen.add(path)
            ahead += imported(path)
    return seen


def messages(path: Path) -> Iterator[str]:
    """Yield the texts in ``path`` that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in bare]
    yield from (node.value for node in texts if isinstance(node.value, str))


def strangers(name: str, text: str) -> set[str]:
    """Return the options in ``text`` that the command ``name`` lacks; one named with its own command is none."""
    if re.search(r"`?radixlint [a-z]|`(analyze|check-log) --|analyze it with", text):
        return set()
    known = options_of(name) | OF_OTHERS | {option for command, option in NOT_REACHED if command == name}
    return set(OPTION.findall(text)) - known


@pytest.mark.parametrize("name", OF_LOGS)
def test_messages_name_options_of_the_command_that_prints_them(name: str) -> None:
    """Whatever a command may print, in any module it comes to, names options that it has."""
    start = ROOT / "radixlint" / "cli" / f"{name.replace('-', '_')}_command.py"
    shared = ROOT / "radixlint" / "cli"
    paths = [path for path in reached(start) if path.parent != shared or path == start]
    found = {(path.name, option) for path in paths for text in messages(path) for option in strangers(name, text)}

    assert len(paths) > 100
    assert found == set()


@pytest.mark.parametrize("name", NAMES)
def test_helps_fit_80_columns_and_name_options_of_their_own(name: str) -> None:
    """No line is longer than 80 columns, and every option in the text of a help is one of the command, or of another named."""
    text = CliRunner().invoke(cli, [name, "--help"], terminal_width=80, max_content_width=80).output

    assert max(map(len, text.splitlines())) <= 80
    assert {one for line in text.splitlines() for one in strangers(name, line)} == set()


@pytest.mark.parametrize("name", OF_LOGS)
def test_a_help_has_a_line_an_option_examples_and_exit_codes(name: str) -> None:
    """Each option fits on one line; two or three examples and the codes follow."""
    command = command_of(name)
    text = CliRunner().invoke(cli, [name, "--help"], terminal_width=80, max_content_width=80).output
    listed = text[re.search(r"^[A-Z][\w ]+:\n  -", text, re.MULTILINE).start() : text.index("\nExamples:")]  # type: ignore[union-attr]
    lines = [line for line in listed.splitlines() if line.startswith("  ")]

    assert isinstance(command, SectionedCommand)
    assert [line for line in lines if not line.startswith("  -")] == []
    assert 2 <= len(command.examples) <= 3
    assert {code for code, _ in command.exit_codes} >= {"0", "2"}


def commands_in(text: str) -> Iterator[list[str]]:
    """Yield the words of each call of ours in ``text``: in a block of code, or between backticks."""
    joined = text.replace("\\\n", " ")
    for found in re.finditer(r"(?:^|[`|$ ])radixlint ((?:%s)\b[^\n`|#]*)" % "|".join(NAMES), joined, re.MULTILINE):  # noqa: UP031
        yield found[1].split()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_name_options_that_exist(path: Path) -> None:
    """Options of calls are those of the command; others in a page are of some command of ours, or of a server."""
    text = path.read_text(encoding="utf-8")
    calls = [(words[0], word) for words in commands_in(text) for word in words if OPTION.fullmatch(word)]
    wrong = [(name, word) for name, word in calls if word not in options_of(name)]

    assert wrong == []
    assert set(OPTION.findall(text)) - ALL_OPTIONS - OF_OTHERS == set()


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_calls_of_the_command(name: str) -> None:
    """Every example can be parsed as it stands."""
    for example in getattr(command_of(name), "examples", ()):
        words = shlex.split(example.rpartition("| ")[2])
        assert words[:2] == ["radixlint", name]
        command_of(name).make_context(name, words[2:]).close()

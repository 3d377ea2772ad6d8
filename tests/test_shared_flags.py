"""Options that several commands have are said once: same words, same range, wherever they stand."""

from __future__ import annotations

import click
import pytest

from radixlint.cli.advise_command import advise
from radixlint.cli.analyze_command import analyze
from radixlint.cli.check_log_command import check_log
from radixlint.cli.simulate_command import simulate

OWN_WORDS = {"--engine", "--workload", "--model", "--gpu", "--kv-tokens", "--output", "--format", "--quiet"}


def words(command: click.Command) -> dict[str, str | None]:
    """Return the help of each option."""
    return {option.opts[0]: option.help for option in command.params if isinstance(option, click.Option)}


@pytest.mark.parametrize(
    ("one", "other"), [(analyze, simulate), (analyze, advise), (simulate, advise), (analyze, check_log), (simulate, check_log)]
)
def test_an_option_of_two_commands_has_one_text(one: click.Command, other: click.Command) -> None:
    """But for options whose meaning or default differs by command, the help of both is the same."""
    shared = set(words(one)) & set(words(other)) - OWN_WORDS

    assert "--lenient" in shared
    assert {name for name in shared if words(one)[name] != words(other)[name]} == set()

"""``check --select``, ``--extend-select``, ``--ignore``, ``--config``, ``--isolated``: which rules run, by whose choice."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from radixlint.cli.help_sections import section

if TYPE_CHECKING:
    from radixlint.config import Settings

_rules = section("Which rules")
_settings = section("Which settings")

_OPTIONS: Final = (
    _rules("--select", multiple=True, metavar="CODES", help="Run only these rules: codes, names, prefixes (RL2) or ALL."),
    _rules("--extend-select", multiple=True, metavar="CODES", help="Run these rules too."),
    _rules("--ignore", multiple=True, metavar="CODES", help="Leave these rules out; added to the config file's."),
    _settings("--config", metavar="FILE", help="Read this config file instead of searching for one."),
    _settings("--isolated", is_flag=True, help="Read no config file."),
)


class RuleFlags(NamedTuple):
    """What the user asked of rules; the three selections are words, split at commas."""

    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    config: str | None
    isolated: bool

    def settings(self, start: Path) -> Settings:
        """Read the config file.

        Raises:
            ConfigError: it cannot be read, or is wrong.
        """
        from radixlint.api.rule_book import selector_fault
        from radixlint.config import load_settings

        if self.config is not None and self.isolated:
            raise click.UsageError("--config and --isolated exclude each other")
        config = Path(self.config) if self.config is not None else None
        return load_settings(start, config, is_isolated=self.isolated, selector_fault=selector_fault)


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the five options to a command; it takes them as one argument, ``rule_flags``."""

    @functools.wraps(command)
    def joined(
        *arguments: Any,
        select: tuple[str, ...],
        extend_select: tuple[str, ...],
        ignore: tuple[str, ...],
        config: str | None,
        isolated: bool,
        **others: Any,
    ) -> Any:
        flags = RuleFlags(split(select), split(extend_select), split(ignore), config, isolated)
        return command(*arguments, rule_flags=flags, **others)

    for option in reversed(_OPTIONS):
        joined = option(joined)
    return joined


def split(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of an option that is repeated or holds several, separated by commas."""
    return tuple(word for value in values for part in value.split(",") if (word := part.strip()))

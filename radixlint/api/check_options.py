"""What one run of ``check`` is asked for, and which rules that means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from radixlint.catalog import select_rules
from radixlint.config import Settings
from radixlint.errors import ConfigError
from radixlint.result.rule import Rule


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What one run checks.

    ``select`` (if not empty) replaces the settings' selection and ignores; ``ignore`` and ``exclude`` add to the
    settings'. ``read_stdin`` is called once, with the most bytes wanted, if ``-`` is among the arguments; its text counts as
    the file ``stdin_name``.
    """

    arguments: tuple[str, ...]
    settings: Settings
    start: Path
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    stdin_name: str = "stdin.j2"
    read_stdin: Callable[[int], bytes] | None = None


def chosen_rules(rules: Sequence[Rule], options: CheckOptions) -> tuple[Rule, ...]:
    """Return the rules to run; a mistake in the config file is reported with the file and key.

    Raises:
        ConfigError: a selector matches no rule.
    """
    settings = options.settings
    for key, words in (("select", settings.select), ("ignore", settings.ignore)):
        try:
            select_rules(rules, words, ())
        except ConfigError as error:
            raise ConfigError(error.message, where=f"{settings.source}: {key}", hint=error.hint) from error
    if options.select:
        return select_rules(rules, options.select, options.ignore)
    return select_rules(rules, settings.select, (*settings.ignore, *options.ignore))

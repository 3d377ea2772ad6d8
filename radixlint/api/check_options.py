"""What one run of ``check`` is asked for, and which rules that means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from radixlint.catalog import load_own_rules, load_rules, refuse_taken, select_rules, unknown_rule
from radixlint.config import Settings
from radixlint.errors import ConfigError, RuleError, all_in_one
from radixlint.lint import load_rule
from radixlint.result.rule import Rule


class CheckOptions(Struct, frozen=True):
    """What one run checks.

    ``select`` (if not empty) replaces the settings' selection and ignores; ``extend_select``, ``ignore`` and ``exclude`` add to
    the settings'. ``own_rules`` are files and folders of rules besides those of the settings. ``is_exclusion_forced`` says
    that exclusions hold for files named as arguments too. ``read_stdin`` is called once, with the most bytes wanted, if ``-``
    is among the arguments; its text counts as the file ``stdin_name``.
    """

    arguments: tuple[str, ...]
    settings: Settings
    start: Path
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    stdin_name: str = "stdin.j2"
    read_stdin: Callable[[int], bytes] | None = None
    extend_select: tuple[str, ...] = ()
    own_rules: tuple[str, ...] = ()
    is_exclusion_forced: bool = False


def every_rule_of(options: CheckOptions) -> tuple[Rule, ...]:
    """Return the rules of radixlint and the user's own, with the sizes that the settings give them.

    Raises:
        RuleError: a rule of the user's is malformed, or does not suit its detector.
        ConfigError: the settings give a size to a rule that there is not, or that has none.
    """
    settings = options.settings
    packs = [*settings.rules, *(options.start / path for path in options.own_rules)]
    own = load_own_rules(packs, options.start)
    built_in = load_rules()
    load_all(own)
    refuse_taken(own, built_in)
    return with_sizes((*built_in, *own), settings)


def load_all(rules: Sequence[Rule]) -> None:
    """Join rules with their detectors and fixers.

    Raises:
        RuleError: rules do not suit theirs; names all.
    """
    mistakes: list[RuleError] = []
    for rule in rules:
        try:
            load_rule(rule)
        except RuleError as error:
            mistakes.append(error)
    if mistakes:
        raise all_in_one(mistakes)


def with_sizes(rules: Sequence[Rule], settings: Settings) -> tuple[Rule, ...]:
    """Return the rules with the sizes that the settings give them; raises as ``every_rule_of``."""
    sized = {rule.id: rule for rule in rules}
    for word, tokens in settings.min_tokens.items():
        found = next((rule for rule in rules if word in (rule.id, rule.name)), None)
        if found is None:
            error = unknown_rule(rules, word)
            raise ConfigError(error.message, where=settings.place("rule"), hint=error.hint)
        if "min_tokens" not in found.params:
            raise ConfigError(
                f"{found.id} has no min-tokens", where=settings.place("rule"), hint=f"see `radixlint rule {found.id}`"
            )
        sized[found.id] = replace(found, params={**found.params, "min_tokens": tokens})
    return tuple(sized.values())


def chosen_rules(rules: Sequence[Rule], options: CheckOptions) -> tuple[Rule, ...]:
    """Return the rules to run; a mistake in the config file is reported with the file and key.

    Raises:
        ConfigError: a selector matches no rule.
    """
    settings = options.settings
    by_key = [("select", settings.select), ("extend-select", settings.extend_select), ("ignore", settings.ignore)]
    by_key += [("per-file-ignores", item.value) for item in settings.per_file_ignores]
    mistakes: list[ConfigError] = []
    for key, word in [(key, word) for key, words in by_key for word in words]:
        try:
            select_rules(rules, (word,), ())
        except ConfigError as error:
            mistakes.append(ConfigError(error.message, where=settings.place(key), hint=error.hint))
    if mistakes:
        raise all_in_one(mistakes)
    extend = (*settings.extend_select, *options.extend_select)
    if options.select:
        return select_rules(rules, options.select, options.ignore, options.extend_select)
    return select_rules(rules, settings.select, (*settings.ignore, *options.ignore), extend)

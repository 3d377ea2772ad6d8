"""The rules as a reader asks for them: all, or one by code or name."""

from __future__ import annotations

from radixlint.catalog import load_rules
from radixlint.errors import ConfigError
from radixlint.result.rule import Rule
from radixlint.spelling import nearest


def every_rule() -> tuple[Rule, ...]:
    """Return all rules, by code.

    Raises:
        RuleError: a rule file is malformed.
    """
    return tuple(load_rules())


def one_rule(word: str) -> Rule:
    """Return the rule whose code (``RL201``) or name is ``word``, in upper or lower case.

    Raises:
        ConfigError: there is none; the error names the nearest one.
        RuleError: a rule file is malformed.
    """
    rules = every_rule()
    for rule in rules:
        if word.upper() == rule.id or word.lower() == rule.name:
            return rule
    near = nearest(word.upper(), (rule.id for rule in rules)) if word[:2].upper() == "RL" else None
    near = near or nearest(word.lower(), (rule.name for rule in rules))
    raise ConfigError(f"unknown rule {word!r}", hint=f"did you mean {near}?" if near else "radixlint rules lists them")

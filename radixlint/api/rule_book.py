"""The rules as a reader asks for them: all, or one by code or name."""

from __future__ import annotations

from radixlint.catalog import load_rules, unknown_rule
from radixlint.result.rule import Rule


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
    raise unknown_rule(rules, word)

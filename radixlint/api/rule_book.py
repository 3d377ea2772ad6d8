"""The rules as a reader asks for them: all, or one by code or name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from radixlint.catalog import load_own_rules, load_rules, refuse_taken, unknown_rule
from radixlint.result.rule import Rule


def every_rule(packs: Sequence[str] = ()) -> tuple[Rule, ...]:
    """Return all rules, by code, and behind them those of the files and folders ``packs``.

    Raises:
        RuleError: a rule file is malformed.
    """
    here = Path.cwd()
    own = load_own_rules([here / pack for pack in packs], here)
    refuse_taken(own, load_rules())
    return (*load_rules(), *own)


def one_rule(word: str, packs: Sequence[str] = ()) -> Rule:
    """Return the rule whose code (``RL201``) or name is ``word``, in upper or lower case; ``packs`` as for ``every_rule``.

    Raises:
        ConfigError: there is none; the error names the nearest one.
        RuleError: a rule file is malformed.
    """
    rules = every_rule(packs)
    for rule in rules:
        if word.upper() == rule.id or word.lower() == rule.name:
            return rule
    raise unknown_rule(rules, word)

"""The rules as a reader asks for them: all, or one by code or name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from radixlint.catalog import load_own_rules, load_rules, refuse_taken, unknown_rule
from radixlint.errors import ConfigError
from radixlint.result.cause import Cause
from radixlint.result.rule import Rule

_OWN_CODE: Final = re.compile(r"RL[0-9]+", re.IGNORECASE)


def every_rule(packs: Sequence[str] = ()) -> tuple[Rule, ...]:
    """Return all rules, by code, and behind them those of the files and folders ``packs``.

    Raises:
        RuleError: a rule file is malformed.
    """
    here = Path.cwd()
    own = load_own_rules([here / pack for pack in packs], here)
    refuse_taken(own, load_rules())
    return (*load_rules(), *own)


def selector_fault(word: str) -> ConfigError | None:
    """Return what is wrong with a word that picks rules by a code of radixlint's own; other words may name people's own rules."""
    if not _OWN_CODE.fullmatch(word.strip()):
        return None
    rules = load_rules()
    return None if any(rule.id.startswith(word.strip().upper()) for rule in rules) else unknown_rule(rules, word)


def one_rule(word: str, packs: Sequence[str] = ()) -> Rule:
    """Return the rule whose code (``RL201``) or name is ``word``, in upper or lower case; ``packs`` as for ``every_rule``.

    Raises:
        ConfigError: there is none; the error names the nearest one, those that ``word`` begins, or those about a cause.
        RuleError: a rule file is malformed.
    """
    rules = every_rule(packs)
    for rule in rules:
        if word.upper() == rule.id or word.lower() == rule.name:
            return rule
    if word.lower() in set(Cause):
        raise _cause_named(rules, word.lower())
    begun = [rule for rule in rules if len(word) > 1 and (rule.id.startswith(word.upper()) or rule.name.startswith(word.lower()))]
    if begun:
        raise ConfigError(f"no rule is {word!r}", hint=f"these begin so: {_listed(begun)}")
    raise unknown_rule(rules, word)


def _cause_named(rules: Sequence[Rule], cause: str) -> ConfigError:
    """Return what is to be said of the name of a cause: which rules look for it in templates."""
    about = [rule for rule in rules if _is_about(rule, cause)]
    told = f"rules about it: {_listed(about)}" if about else "no rule looks for it in templates"
    return ConfigError(f"{cause} is a cause seen in logs, not a rule", hint=f"{told}; docs/causes.md explains causes")


def _is_about(rule: Rule, cause: str) -> bool:
    """Whether ``rule`` looks for values from where ``cause`` comes from, or is named after it."""
    origins = rule.params.get("origins", ())
    kind = cause.partition("-")[0]
    return rule.name == cause or (isinstance(origins, list | tuple) and any(one in (kind, f"{kind}s") for one in origins))


def _listed(rules: Sequence[Rule]) -> str:
    return ", ".join(f"{rule.id} {rule.name}" for rule in rules)

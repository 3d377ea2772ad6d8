"""The rule catalogue: YAML files in, checked ``Rule`` values out, and the selectors that pick among them.

What a rule's detector and params mean is not known here; ``lint`` joins them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from radixlint.catalog.rule_packs import load_own_rules, refuse_taken, rule_files
from radixlint.catalog.rule_schema import SOURCE_DETECTOR, file_name_of
from radixlint.catalog.rules_as_read import kept_in, rule_in
from radixlint.errors import ConfigError, RuleError
from radixlint.result.rule import Rule
from radixlint.spelling import guess

__all__ = [
    "SOURCE_DETECTOR",
    "load_own_rules",
    "load_rules",
    "refuse_taken",
    "rule_files",
    "rules_folder",
    "select_rules",
    "unknown_rule",
]

_PACKAGE: Final = Path(__file__).resolve().parent.parent


def rules_folder() -> Path:
    """Return where the rules are: the packaged folder if there is one, else the checkout's ``rules/``.

    Raises:
        RuleError: there is neither.
    """
    # The packaged folder wins: an installed copy's sibling ``rules`` could be anyone's.
    for folder in (_PACKAGE / "_rules", _PACKAGE.parent / "rules"):
        if folder.is_dir():
            return folder
    raise RuleError(
        "the rules are missing from this installation", where=str(_PACKAGE / "_rules"), hint="install radixlint again"
    )


@functools.cache
def load_rules(folder: Path | None = None) -> tuple[Rule, ...]:
    """Return all rules that ship with radixlint, by id.

    Args:
        folder: where the YAML files are; ``rules_folder()`` if None.

    Raises:
        RuleError: a file is malformed, or two files share an id or a name.
    """
    place = folder or rules_folder()
    kept = kept_in(place)
    rules = tuple(rule_in(path, kept) for path in sorted(place.glob("*.yaml")))
    if not rules:
        raise RuleError("no rule file (*.yaml) in this folder", where=str(place))
    seen: dict[str, str] = {}
    for rule in rules:
        for key in (rule.id, rule.name):
            if key in seen:
                raise RuleError(
                    f"{key} is taken by {seen[key]} already", where=file_name_of(rule.id, rule.name), hint="codes are unique"
                )
            seen[key] = file_name_of(rule.id, rule.name)
    return tuple(sorted(rules, key=lambda rule: rule.id))


def select_rules(
    rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str], extend: Sequence[str] = ()
) -> tuple[Rule, ...]:
    """Return the rules picked by ``select`` or ``extend`` and not by ``ignore``, in their order; the more specific selector wins.

    Args:
        rules: all rules.
        select: codes (``RL201``), names, code prefixes (``RL2``) or ``ALL``; empty means ``ALL``.
        ignore: the same words; at equal length ``ignore`` wins.
        extend: the same words, added to ``select``.

    Raises:
        ConfigError: a selector matches no rule.
    """
    chosen = (*(tuple(select) or ("ALL",)), *extend)
    for selector in (*chosen, *ignore):
        if not any(_strength(rule, selector) for rule in rules):
            raise unknown_rule(rules, selector)
    return tuple(r for r in rules if _best(r, chosen) > _best(r, ignore))


def _best(rule: Rule, selectors: Sequence[str]) -> int:
    return max((_strength(rule, s) for s in selectors), default=0)


def _strength(rule: Rule, selector: str) -> int:
    """How exactly ``selector`` names ``rule``: 0 not at all, 1 ``ALL``, then by length of the prefix."""
    word = selector.strip()
    if word.upper() == "ALL":
        return 1
    if word.lower() == rule.name:
        return len(rule.id)
    return len(word) if len(word) >= 2 and rule.id.startswith(word.upper()) else 0


def unknown_rule(rules: Sequence[Rule], selector: str) -> ConfigError:
    """Return the error for a word that names no rule, with the nearest that does."""
    words = [word for rule in rules for word in (rule.id, rule.name)]
    near = guess(selector, words) or _same_hundreds(rules, selector.strip().upper())
    return ConfigError(f"unknown rule {selector!r}", hint=f"{near}run `radixlint rules` for the list")


def _same_hundreds(rules: Sequence[Rule], code: str) -> str:
    """Return which codes there are in the hundreds of a code that there is not, empty if there are none."""
    hundreds = code[:-2]
    found = [rule.id for rule in rules if len(rule.id) == len(code) and rule.id[:-2] == hundreds]
    return f"{hundreds} has {', '.join(found)}; " if found else ""

"""Names that say they hold tools: by the head of their last part, as in ``user.tools``, ``admin_tools`` and ``toolsFor``."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Expression

LISTS: Final = frozenset(("tools", "toolset", "functions"))
"""Words for more than one tool."""
_FILTERS: Final = frozenset(("select", "selectattr", "reject", "rejectattr", "filter", "where", "where_exp"))
_WORD: Final = late_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# An index picks among lists: ``tools_by_role[user.role]``, and so do ``lookup`` of Handlebars and ``index`` of Go.
_INDEXED: Final = late_pattern(r"\[|\b(?:lookup|index)\s")
_PREPOSITIONS: Final = frozenset(("for", "of", "by", "in", "from", "with"))


def holds_tools(name: str, words: AbstractSet[str]) -> bool:
    """Whether the head of the last part of a dotted name is one of ``words``.

    >>> [holds_tools(name, LISTS) for name in ("user.tools", "selectTools", "tools_for_user", "tools.name", "tool_rules")]
    [True, True, True, False, False]
    """
    last = name.rpartition(".")[2]
    if not any(word in last.lower() for word in words):
        return False
    parts = [word.lower() for word in _WORD.findall(last)]
    at = next((i for i, word in enumerate(parts) if i and word in _PREPOSITIONS), len(parts))
    return parts[at - 1] in words if at else False


def any_holds(names: Iterable[str], words: AbstractSet[str]) -> bool:
    """Whether one of ``names`` holds tools."""
    return any(holds_tools(name, words) for name in names)


def gives_tools(expression: Expression) -> bool:
    """Whether a value is a list of tools: a call that returns one, or a name that all else depends on."""
    if any_holds(expression.calls, LISTS):
        return True
    named = [holds_tools(name, LISTS) for name in expression.names]
    return any(named) and (all(named) or (not expression.calls and bool(_INDEXED.search(expression.text))))


def filters_tools(expression: Expression) -> bool:
    """Whether a value is what a filter leaves of tools."""
    if not any_holds(expression.names, LISTS | {"tool"}):
        return False
    return not _FILTERS.isdisjoint((*expression.filters, *(call.rpartition(".")[2] for call in expression.calls)))

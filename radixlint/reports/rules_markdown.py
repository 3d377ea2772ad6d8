"""The rules as the front page of their documentation: a table a group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from radixlint.reports import TextStyle
from radixlint.reports._rule_markdown import page_name, prose
from radixlint.result.rule import Rule

_GROUPS: Final = {
    "RL0": "Files and comments",
    "RL1": "Order of the prompt's parts",
    "RL2": "Values that change",
    "RL3": "Order that is not fixed",
    "RL4": "Form of the text",
    "RL5": "Chat templates",
    "RL6": "Cache marks of providers",
    "RL7": "History",
    "RL8": "Tools and parameters",
    "RL9": "Retrieval, memory and folders",
}
_GROUP_CHARS: Final = 3
_OWN: Final = "Others"


def render(report: Sequence[Rule], style: TextStyle) -> str:
    """Return the page in Markdown, rules in the order given; ``style`` has no effect."""
    parts = ["# Rules", "`radixlint rule CODE` prints the page of one. `[*]`: `--fix` repairs it; `[-]`: `--unsafe-fixes` does."]
    for group, rules in groupby(report, key=lambda rule: rule.id[:_GROUP_CHARS]):
        rows = "\n".join(map(_row, rules))
        parts.append(f"## {group}xx: {_GROUPS.get(group, _OWN)}\n\n| rule | | severity | what |\n|---|---|---|---|\n{rows}")
    return "\n\n".join(parts) + "\n"


def _row(rule: Rule) -> str:
    mark = "" if not rule.is_fixable else "`[*]`" if rule.fix_safety == "safe" else "`[-]`"
    return f"| [{rule.id} {rule.name}]({page_name(rule)}) | {mark} | {rule.severity.value} | {prose(rule.summary)} |"

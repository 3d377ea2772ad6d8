"""A count never stands in front of a noun that does not fit it: ``1 requests``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "radixlint"
# What is told there is told to callers, of sizes that nobody sets to one.
INNER = ("radix", "replay", "blocks")
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent.name not in INNER)
NOUNS = (
    "answers|blocks|breaks|calls|conversations|files|groups|lines|lists|messages|namespaces|places|points|prompts|records|replicas|"
    "requests|rules|sessions|texts|tokens|tools|turns|users|values"
)
ADJECTIVE = r"(?!(?:a|and|at|by|for|from|in|is|of|on|or|over|per|the|to|with)\b)[a-z]+"
# A count is written whole or with thousands marks; means and rates have other formats, and "1.0 tokens" is right.
COUNT_FORMATS = (None, ",")
# What the number in front of it cannot be one for: a reason each.
AT_LEAST_TWO = {
    "branch_points.py": "as many as are looked at are hundreds",
    "_cut_text.py": "text looks cut from several texts and hundreds of characters on",
    "compared_advice.py": "the least that can be compared are several",
    "hosted_counts.py": "a prefix that an API keeps has a thousand tokens",
    "demo_findings.py": "sizes of the demo's own cache",
    "demo_text.py": "the memory of the demo's own prefix",
    "value_kinds.py": "a kind takes several values in several requests",
}


def bare_counts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and noun wherever an f-string writes a number and then, always, the plural."""
    for text in (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)):
        for value, words in pairwise(text.values):
            if isinstance(value, ast.FormattedValue) and isinstance(words, ast.Constant) and _is_count(value):
                found = re.match(rf" (?:{ADJECTIVE} )?({NOUNS})\b", str(words.value))
                if found:
                    yield value.lineno, found[1]


def _is_count(value: ast.FormattedValue) -> bool:
    spec = value.format_spec
    written = (
        "".join(str(part.value) for part in spec.values if isinstance(part, ast.Constant))
        if isinstance(spec, ast.JoinedStr)
        else None
    )
    return written in COUNT_FORMATS


@pytest.mark.parametrize("path", [path for path in FILES if path.name not in AT_LEAST_TWO], ids=lambda path: path.name)
def test_counts_go_through_the_one_function_that_knows_plurals(path: Path) -> None:
    """No sentence puts a bare number in front of a fixed plural; ``counted`` writes both."""
    assert list(bare_counts(ast.parse(path.read_text(encoding="utf-8")))) == []


def test_the_search_finds_what_it_is_for() -> None:
    """A bare count is found with its noun; a mean, a helper's result and a singular are not."""
    source = 'f"{n:,} requests"; f"{n} more values"; f"{mean:,.1f} tokens"; f"{counted(n, noun)} in all"; f"{n} request"'

    assert [noun for _, noun in bare_counts(ast.parse(source))] == ["requests", "values"]

"""Suppressions in Python stand in comments; literals that look like them are prompts."""

from __future__ import annotations

import json

import pytest

from radixlint.files.suppression import read_suppressions
from radixlint.prompt import SourceText


def lines_covered(text: str, path: str = "app.py") -> list[tuple[int | None, int | None]]:
    """Return the lines of each suppression."""
    found = read_suppressions(SourceText(path, text), lambda word: frozenset((word,)))
    return [(directive.first_line, directive.last_line) for directive in found.directives]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\nb = 2  # radixlint: ignore[RL201]\n", [(2, 2)]),
        ("b = 2# radixlint: ignore[RL201]\n", [(1, 1)]),
        ("b = 2  # noqa: E501  # radixlint: ignore[RL201]\n", [(1, 1)]),
        ("# radixlint: ignore-next[RL201]\n\nb = 2\n", [(3, 3)]),
        ("# radixlint: ignore-file[RL201]\n", [(None, None)]),
        ("b = (  # radixlint: ignore[RL201]\n", [(1, 1)]),
        ("s = '  # radixlint: ignore[RL201]'\n", []),
        ('s = """\n# radixlint: ignore-file[RL201]\n{# radixlint: ignore #}\n<!-- radixlint: ignore -->\n"""\n', []),
        ("s = f'{x}  # radixlint: ignore[RL201]'  # radixlint: ignore[RL202]\n", [(1, 1)]),
        ("s = '\\'  # radixlint: ignore[RL201]'\n", []),
    ],
)
def test_suppressions_in_python(text: str, expected: list[tuple[int | None, int | None]]) -> None:
    """Each comment counts, behind code and in code that does not parse; no literal does."""
    assert lines_covered(text) == expected


def test_suppressions_in_notebooks() -> None:
    """A comment in a code cell covers its line of the file; text cells and literals have none."""
    code = {"cell_type": "code", "source": ["# radixlint: ignore-next[RL201]\n", "a = 1\n", "s = ' # radixlint: ignore'"]}
    text = json.dumps({"cells": [{"cell_type": "markdown", "source": ["# radixlint: ignore-file"]}, code]}, indent=1)
    ((first, last),) = lines_covered(text, "a.ipynb")
    assert first == last
    assert first is not None
    assert text.split("\n")[first - 1].strip() == '"a = 1\\n",'
    assert lines_covered('{"a": "radixlint: ignore"', "a.ipynb") == []

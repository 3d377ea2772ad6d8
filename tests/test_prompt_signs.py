"""Text with fields that is a prompt, and text with fields that is none: manuals, notes, build scripts, pages."""

from __future__ import annotations

import pytest

from radixlint.prompt import SourceText
from radixlint.sources._prompt_signs import Choice, is_page, judge_template, judge_text

LONG = "The tool copies a folder and keeps the times of all files in it, unless it is told not to. " * 40


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.txt", "Write a poem about {subject} in the style of {author}.\n"),
        ("a.md", f"{LONG}\n\nText:\n{{text}}\n"),
        ("a.md", f"{LONG}\n\n```diff\n{{diff}}\n```\n"),
        ("a.md", f"You are a careful clerk. {LONG} Look at {{thing}} and at nothing else. {LONG * 8}"),
        ("review_prompt.md", f"{LONG} Look at {{thing}} and at nothing else. {LONG * 8}"),
    ],
)
def test_prompts(path: str, text: str) -> None:
    """Text that speaks to a model, that is named a prompt, or that ends where its input stands is looked at."""
    assert judge_text(SourceText(path, text)).choice is not Choice.OTHER


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("CMakeLists.txt", "set(DIR ${CMAKE_BINARY_DIR}/{name})\n"),
        ("notes.txt", "The shorthand @{upstream} and ${HOME} work again, as does @{now}.\n"),
        ("guide.md", "# Guide\n\n```python\nprint(f'{name}')\n```\n\nCall `GET /v1/{id}`.\n"),
        ("api.md", "* `callback` {Function} called with {http.ClientRequest}\n* Returns: {string}\n"),
        ("page.md", "See {ref}`the guide` and {doc}`start`.\n\n```{note}\nOld.\n```\n"),
        ("keys.txt", f"{LONG} The command d{{motion}} deletes. {LONG}"),
        ("a.txt", f"{LONG} Mind what {{customer_name}} said before.\n"),
        ("help.txt", "Go to {file}.\n vim:tw=78:ts=8:noet:ft=help:norl:\n"),
    ],
)
def test_other_text(path: str, text: str) -> None:
    """Braces of build scripts, of git and shells, in code, as types, as directives or in manuals make no prompt."""
    assert judge_text(SourceText(path, text)).choice is Choice.OTHER


@pytest.mark.parametrize(
    ("path", "text", "is_one"),
    [
        ("card.md", "---\nlicense: {{ license }}\n---\n# Card of {{ name | title }}\n", True),
        ("card.md", "---\nmodel: any\n---\nYou are a clerk. {{ name | title }}\n", False),
        ("card.prompt.md", "---\nmodel: any\n---\nSort this: {{ name | title }}\n", False),
        ("card.md", "# Card of {{ name | title }}\n", False),
    ],
)
def test_pages_with_front_matter(path: str, text: str, is_one: bool) -> None:
    """Markdown with front matter is a page unless it speaks to a model or is named a prompt."""
    assert is_page(SourceText(path, text)) is is_one


@pytest.mark.parametrize(
    ("text", "is_other"),
    [
        ("Roses\nViolets\nSugar\nYou\n{{ name }}\nLove\nEnd\n", False),
        ("Title\nSummary\nKey points\nOpen questions\nNext steps\n{{ notes }}\nSources\n", False),
        ("port: {{ port }}\nhost: db\nuser: app\ntimeout: 30\nworkers: 4\nlevel: info\n", True),
        ("numpy\nscipy>=1\npandas==2\nrequests\nrich==13\nclick\nflask=={{ version }}\n", True),
    ],
    ids=["lines-of-words", "outline", "settings", "requirements"],
)
def test_short_lines_are_no_settings_by_themselves(text: str, is_other: bool) -> None:
    """A template of lines of one or two words is a prompt like any; lines with keys and values make settings of it."""
    assert judge_template(SourceText("t.j2", text)).is_other == is_other

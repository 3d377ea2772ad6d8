"""One rule explained for people: what, why, bad, good, fix, when not to, references."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._figures import SEVERITY_COLORS, counted
from radixlint.result.rule import CLOSING_TOKENS, Rule, RuleExample
from radixlint.safe_text import safe, safe_line

if TYPE_CHECKING:
    from rich.text import Text

_INDENT: Final = "  "
_MAX_EXAMPLE_LINES: Final = 24


def render(report: Rule, style: TextStyle) -> str:
    """Return the page of one rule."""
    return drawn(_lines(report, style), style)


def _lines(rule: Rule, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    color = SEVERITY_COLORS[rule.severity]
    heading = Text().append(f"{safe_line(rule.id)} {safe_line(rule.name)}", "bold")
    yield heading.append("  ").append(rule.severity.value, f"bold {color}").append(f", fix {rule.fix_safety}", "dim")
    yield Text()
    yield from _section("What", rule.summary, style)
    yield from _section("Why", rule.why, style)
    if rule.limit:
        closing = (
            f" Text behind the newest question counts only from {counted(CLOSING_TOKENS, 'token')} on." if rule.params else ""
        )
        yield from _section("When", rule.limit + closing, style)
    for title, mark, examples in (("Bad", "red", rule.failing), ("Good", "green", rule.passing)):
        if examples:
            yield from _example(title, mark, examples[0], style)
    yield from _section("Fix", rule.fix, style)
    if rule.when_not:
        yield from _section("When not to", rule.when_not, style)
    if rule.references:
        yield Text("References", "bold cyan")
        yield from (Text(_INDENT + safe_line(reference)) for reference in rule.references)
        yield Text()
    quiet = f"To silence it on one line, end the line with a comment: radixlint: ignore[{rule.id}]"
    yield from (Text(line, "dim") for line in textwrap.wrap(quiet, style.width))


def _section(title: str, text: str, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield Text(title, "bold cyan")
    for paragraph in safe(text).strip().split("\n\n"):
        for line in textwrap.wrap(" ".join(paragraph.split()), style.width - len(_INDENT), break_on_hyphens=False):
            yield Text(_INDENT + line)
    yield Text()


def _example(title: str, mark: str, example: RuleExample, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield Text().append(title, f"bold {mark}").append(f"  {safe_line(example.name)} (.{safe_line(example.kind)})", "dim")
    lines = safe(example.text).rstrip("\n").split("\n")
    for line in lines[:_MAX_EXAMPLE_LINES]:
        parts = textwrap.wrap(line, style.width - 4, drop_whitespace=False, replace_whitespace=False) or [""]
        yield from (Text().append(f"{_INDENT}│ ", mark).append(part) for part in parts)
    if len(lines) > _MAX_EXAMPLE_LINES:
        yield Text(f"{_INDENT}… {counted(len(lines) - _MAX_EXAMPLE_LINES, 'more line')}", "dim")
    yield Text()

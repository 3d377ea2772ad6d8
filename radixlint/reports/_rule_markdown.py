"""One rule as Markdown: what, when, why, bad, good, fix, when not to; the page of the documentation, and the help of SARIF."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.plural import counted
from radixlint.reports._markdown_escape import plain
from radixlint.result.rule import CLOSING_TOKENS, Rule, RuleExample
from radixlint.safe_text import safe

_PROGRAMS: Final = ("py", "ts")
_SHOWN_LINES: Final = 40


def page_name(rule: Rule) -> str:
    """Return the file name of the rule's page."""
    return f"{rule.id}-{rule.name}.md"


def rule_sections(rule: Rule, *, with_examples: bool = True) -> Iterator[str]:
    """Yield the page's sections below its title, each with its heading and without a newline at the end."""
    yield f"## What\n\n{prose(rule.summary)}"
    if rule.limit:
        closing = (
            f" Text behind the newest question counts only from {counted(CLOSING_TOKENS, 'token')} on." if rule.params else ""
        )
        yield f"## When\n\n{prose(rule.limit + closing)}"
    yield f"## Why\n\n{prose(rule.why)}"
    if with_examples and rule.failing:
        yield "## Bad\n\n" + "\n\n".join(map(_example, _shown(rule.failing)))
    if with_examples and rule.passing:
        yield "## Good\n\n" + "\n\n".join(map(_example, _shown(rule.passing)))
    yield f"## Fix\n\n{prose(rule.fix)}\n\n{fix_words(rule)}"
    if rule.when_not:
        yield f"## When not to\n\n{prose(rule.when_not)}"
    if rule.references:
        yield "## Seen in\n\n" + "\n".join(f"- <{safe(reference)}>" for reference in rule.references)


def fix_words(rule: Rule) -> str:
    """Return a sentence on who can make the fix."""
    if not rule.is_fixable:
        return "A person has to make it."
    if rule.fix_safety == "safe":
        return "`radixlint check --fix` makes it."
    return "`radixlint check --fix --unsafe-fixes` makes it where it can; it changes what the model reads."


def prose(text: str) -> str:
    """Return paragraphs as they are written in a rule: code spans stay, all other markup is shown literally."""
    paragraphs = (" ".join(part.split()) for part in safe(text).strip().split("\n\n"))
    return "\n\n".join(_literal(paragraph) for paragraph in paragraphs)


def _literal(paragraph: str) -> str:
    spans = re.split(r"(`[^`]+`)", paragraph)
    return "".join(span if i % 2 else plain(span) for i, span in enumerate(spans))


def _shown(examples: Sequence[RuleExample]) -> list[RuleExample]:
    """Return the first example, and the first short one in each language of programs."""
    short = [example for example in examples if example.text.count("\n") <= _SHOWN_LINES]
    first = {example.kind: example for example in reversed(short) if example.kind in _PROGRAMS}
    return [examples[0], *(first[kind] for kind in _PROGRAMS if kind in first and first[kind] is not examples[0])]


def _example(example: RuleExample) -> str:
    text = safe(example.text).rstrip("\n")
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * max(3, longest + 1)
    places = f", found at {', '.join(example.expected)}" if example.expected else ""
    kind = "" if example.kind == "j2" else example.kind
    return f"`{example.name}.{example.kind}`{places}:\n\n{fence}{kind if kind.isalnum() else ''}\n{text}\n{fence}"

"""Findings on the upkeep of a file: comments that suppress nothing or name no rule, includes that were not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from radixlint.files.suppression import UNUSED_RULE, Suppressions
from radixlint.lint import source_finding
from radixlint.prompt import SourceText, Span
from radixlint.result.finding import Finding
from radixlint.result.rule import Rule

INCLUDE_RULE: Final = "RL003"
UNKNOWN_RULE: Final = "RL004"

_UNREAD: Final = re.compile(r"(?:line (?P<line>\d+)|(?P<path>.+?):(?P<there>\d+)): (?P<what>.*(?:read without it|not followed))")

RulesById = Mapping[str, Rule]


def unused(
    source: SourceText, suppressions: Suppressions, findings: Sequence[Finding], run: RulesById, every: AbstractSet[str]
) -> Iterator[Finding]:
    """Yield a finding for each suppression of a file that suppresses nothing.

    Args:
        source: the file.
        suppressions: what its comments say.
        findings: all of the file, suppressed or not.
        run: the rules that ran on it.
        every: codes of all rules.
    """
    if UNUSED_RULE not in run:
        return
    for directive in suppressions.idle(findings, run.keys(), every):
        # Whether a comment against this very rule is of use shows only when its findings are there.
        if directive.codes is None or UNUSED_RULE not in directive.codes:
            fields = {"written": directive.written, "advice": directive.advice(findings)}
            yield source_finding(run[UNUSED_RULE], directive.span, source, fields)


def unknown(source: SourceText, suppressions: Suppressions, run: RulesById) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Return a finding for each suppression that names no rule, or cannot be read; a note each where that rule does not run."""
    if UNKNOWN_RULE not in run:
        return (), tuple(f"{span.path}:{span.line}: in a suppression: {problem}" for span, problem in suppressions.mistakes)
    rule = run[UNKNOWN_RULE]
    return tuple(source_finding(rule, span, source, {"problem": problem}) for span, problem in suppressions.mistakes), ()


def unresolved(source: SourceText, notes: Iterable[str], run: RulesById) -> tuple[list[Finding], list[str]]:
    """Return a finding for each note on a file that was not read, and the other notes."""
    findings: list[Finding] = []
    others: list[str] = []
    lines = source.text.split("\n")
    for note in notes:
        match = _UNREAD.fullmatch(note)
        if match is None or INCLUDE_RULE not in run:
            others.append(note)
        else:
            findings.append(
                source_finding(run[INCLUDE_RULE], _span(match, source.path, lines), source, {"problem": match["what"]})
            )
    return findings, others


def _span(match: re.Match[str], path: str, lines: Sequence[str]) -> Span:
    """Return the line that names the file, without the blanks around it."""
    if match["line"] is None:
        number = int(match["there"])
        return Span(match["path"], number, 1, number, 2)
    number = int(match["line"])
    text = lines[number - 1] if number <= len(lines) else ""
    first = len(text) - len(text.lstrip())
    return Span(path, number, first + 1, number, max(len(text.rstrip()), first + 1) + 1)

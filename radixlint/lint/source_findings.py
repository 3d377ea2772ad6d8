"""Findings on a file as it is written, without a prompt: it does not parse, a comment suppresses nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from radixlint.catalog import load_rules
from radixlint.errors import SourceError
from radixlint.lint.rule_message import message_of
from radixlint.prompt import SourceText, Span, lines_of
from radixlint.result.finding import Finding
from radixlint.result.rule import Rule

PARSE_RULE: Final = "RL001"
_FRAME_CONTEXT_LINES: Final = 1


def parse_failure(error: SourceError, source: SourceText, rules: Iterable[Rule]) -> Finding:
    """Return the finding for a file that does not parse; it is made whether or not ``rules`` holds RL001."""
    rule = next((r for r in (*rules, *load_rules()) if r.id == PARSE_RULE), None)
    assert rule is not None
    span = Span(source.path, error.line, error.column, error.line, error.column + 1)
    advice = f"{error.hint[0].upper()}{error.hint[1:]}. " if error.hint else ""
    return source_finding(rule, span, source, {"error": error.message}, advice)


def source_finding(rule: Rule, span: Span, source: SourceText, fields: Mapping[str, str], advice: str = "") -> Finding:
    """Return the finding of a rule at a place of a file; ``fields`` fill its message, ``advice`` goes ahead of its help."""
    frame, first = frame_of(source.path, lines_of(source.text), span)
    return Finding(
        rule=rule.id,
        name=rule.name,
        span=span,
        severity=rule.severity,
        confidence=rule.confidence,
        lifetime=None,
        lost_tokens=0,
        message=message_of(rule, fields),
        help=f"{advice}{' '.join(rule.fix.split())}",
        fix_safety=rule.fix_safety,
        frame=frame,
        frame_line=first,
    )


def frame_of(path: str, lines: Sequence[str], span: Span) -> tuple[tuple[str, ...], int]:
    """Return the source lines of ``span`` with one line around them, and the number of the first; none of another file."""
    if span.path != path:
        return (), 1
    first = max(1, span.line - _FRAME_CONTEXT_LINES)
    last = min(len(lines), span.end_line + _FRAME_CONTEXT_LINES)
    return tuple(lines[first - 1 : last]), first

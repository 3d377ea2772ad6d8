"""One fault is told once, though several prompts bring it: a text that a function makes, others send and a third file joins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from radixlint.prompt import Confidence, Span
from radixlint.result.finding import Finding, Severity

_RELATED_MAX: Final = 16
_SEVERITIES: Final = (Severity.INFO, Severity.WARNING, Severity.ERROR)
_CONFIDENCES: Final = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def told_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without those that a rule tells of one place again; the gravest, surest, costliest one stays."""
    kept: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.span)
        other = kept.get(key)
        kept[key] = finding if other is None else _joined(other, finding)
    return tuple(kept.values())


def _joined(one: Finding, two: Finding) -> Finding:
    """Return the weightier of two findings with the places of both, and what only the other has: its lines, its repair."""
    first, second = (two, one) if _weight(two) > _weight(one) else (one, two)
    related = tuple(dict.fromkeys((*first.related, *second.related)))[:_RELATED_MAX]
    found = replace(first, related=related)
    if not first.frame:
        found = replace(found, frame=second.frame, frame_line=second.frame_line)
    if not first.edits and second.edits:
        found = replace(found, edits=second.edits, fix_safety=second.fix_safety)
    return found


def _weight(finding: Finding) -> tuple[int, int, int]:
    return (_SEVERITIES.index(finding.severity), _CONFIDENCES.index(finding.confidence), finding.lost_tokens)

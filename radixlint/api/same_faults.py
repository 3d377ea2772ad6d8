"""One fault is told once, though several prompts bring it: a text that a function makes, others send and a third file joins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from radixlint.prompt import Confidence, Span
from radixlint.result.finding import Finding, Severity

_SEVERITIES: Final = (Severity.INFO, Severity.WARNING, Severity.ERROR)
_CONFIDENCES: Final = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def told_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without those that a rule tells of one place again; the gravest, surest, costliest one stays."""
    kept: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.span)
        other = kept.get(key)
        if other is None or _weight(finding) > _weight(other):
            kept[key] = finding
    return tuple(kept.values())


def _weight(finding: Finding) -> tuple[int, int, int]:
    return (_SEVERITIES.index(finding.severity), _CONFIDENCES.index(finding.confidence), finding.lost_tokens)

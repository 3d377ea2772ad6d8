"""One fault is told once, though several prompts bring it: a text that a function makes, others send and a third file joins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.prompt import Confidence, Prompt, Span
from radixlint.result.finding import Finding, Severity

_RELATED_MAX: Final = 16
_PROGRAMS: Final = (".py", ".ipynb", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_SEVERITIES: Final = (Severity.INFO, Severity.WARNING, Severity.ERROR)
_CONFIDENCES: Final = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def told_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without those that a rule tells of one place again; the gravest, surest, costliest one stays.

    What a program makes and a template prints is told at the program, or at the tag alone where that says what is graver.
    """
    kept: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.span)
        other = kept.get(key)
        kept[key] = finding if other is None else _joined(other, finding)
    return tuple(_at_their_source(kept))


def _at_their_source(kept: dict[tuple[str, Span], Finding]) -> Iterator[Finding]:
    """Yield the findings without those at a tag of another file through which a value comes that is told where it is made."""
    dropped: set[tuple[str, Span]] = set()
    programs = {key: finding for key, finding in kept.items() if finding.span.path.lower().endswith(_PROGRAMS)}
    for key, finding in programs.items():
        for place in finding.related:
            if not place.is_step or place.span.path == finding.span.path:
                continue
            at_tag = kept.get((finding.rule, place.span))
            if at_tag is not None:
                is_graver = _SEVERITIES.index(at_tag.severity) > _SEVERITIES.index(finding.severity)
                dropped.add(key if is_graver else (finding.rule, place.span))
    return (finding for key, finding in kept.items() if key not in dropped)


def without_covered(findings: Iterable[Finding], prompts: Iterable[Prompt]) -> tuple[Finding, ...]:
    """Return the findings without those on places that a change of the conversation covers, where that is told itself.

    What is written into the first message is also ahead of all messages: what repairs the change repairs both.
    """
    found = tuple(findings)
    told = {finding.span for finding in found if finding.severity is not Severity.INFO}
    covering = [event for prompt in prompts for event in prompt.events if event.covers and event.span in told]
    covered = {place for event in covering for place in event.covers} - {event.span for event in covering}
    return tuple(finding for finding in found if finding.span not in covered) if covered else found


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

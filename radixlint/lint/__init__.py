"""Run rules over a prompt: each detector's hits become findings with words, frame, prompt strip and edits."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from radixlint.catalog import SOURCE_DETECTOR
from radixlint.detectors import Hit
from radixlint.lifetime import classify
from radixlint.lint.body_limits import with_limits
from radixlint.lint.fixed_lifetimes import with_one_of
from radixlint.lint.lifetime_strip import LifetimeStrip
from radixlint.lint.rule_message import help_of, message_of
from radixlint.lint.rule_plugins import LoadedRule, load_rule, runnable
from radixlint.lint.source_findings import PARSE_RULE, frame_of, parse_failure, source_finding
from radixlint.prompt import Confidence, Lifetime, Prompt, Segment, Span, lines_of
from radixlint.result.finding import Finding, PromptStrip, Severity
from radixlint.result.rule import Rule
from radixlint.stake.traits import traits_of
from radixlint.stake.value_words import mark_words

__all__ = [
    "PARSE_RULE",
    "classified",
    "frame_of",
    "lint_folder",
    "lint_prompt",
    "load_rule",
    "notes_on",
    "parse_failure",
    "source_finding",
]

_RANK = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def classified(prompt: Prompt, variables: Mapping[str, Lifetime], alike: AbstractSet[Lifetime] = frozenset()) -> Prompt:
    """Say of each segment of a prompt how long it lives, and of a request body what its provider's cache asks: what rules see.

    Args:
        prompt: as read.
        variables: lifetimes that the user gives to variables.
        alike: lifetimes of values that never differ (there is only one user): they count as static.
    """
    found = classify(with_limits(prompt), variables)
    return with_one_of(found, alike) if alike else found


def lint_prompt(prompt: Prompt, rules: Iterable[Rule], count: Callable[[str], int]) -> tuple[Finding, ...]:
    """Return what ``rules`` find in ``prompt``, by path, line, column and rule.

    Args:
        prompt: classified, with its source.
        rules: the rules to run; those of the source readers, of other kinds of prompts and of folders are passed over.
        count: text to number of tokens.

    Raises:
        RuleError: a rule names a detector, a fixer or params that do not exist.
    """
    counted = functools.cache(count)
    strip: LifetimeStrip | None = None
    findings: list[Finding] = []
    causes: dict[int, Span] = {}
    known: dict[int, Confidence] = {}
    traits = traits_of(prompt)
    for loaded in runnable(rules, prompt.kind).finding:
        for hit in loaded.find(prompt, counted) if loaded.concerns(traits) else ():
            # What stands in a chat template's file is not laid out as the prompt of a conversation is.
            strip = strip or (LifetimeStrip(prompt, counted) if prompt.chat_template is None else None)
            shown = strip.broken_at(hit.index, hit.lost_tokens) if strip and hit.has_break else None
            findings.append(_finding(loaded, hit, prompt, shown))
            known[id(findings[-1])] = hit.segment.confidence
            if hit.cause is not None:
                causes[id(findings[-1])] = hit.cause
    return _sorted(_without_echoes(_without_guesses(findings, known), causes))


def notes_on(prompt: Prompt, rules: Iterable[Rule]) -> tuple[str, ...]:
    """Return what could not be judged of ``prompt``, one line each, in the words of the rules' detectors."""
    return tuple(dict.fromkeys(note for loaded in runnable(rules, prompt.kind).noting for note in loaded.notes(prompt)))


def lint_folder(prompts: Sequence[Prompt], rules: Iterable[Rule], count: Callable[[str], int]) -> tuple[Finding, ...]:
    """Return what the rules that compare prompts find among ``prompts`` (classified, by path), ordered as in ``lint_prompt``.

    Raises:
        RuleError: as ``lint_prompt``.
    """
    counted = functools.cache(count)
    findings: list[Finding] = []
    for rule in rules:
        if rule.detector == SOURCE_DETECTOR or "folder" not in rule.applies_to:
            continue
        loaded = load_rule(rule)
        for found in loaded.find_across(prompts, counted) if loaded.is_for_folders else ():
            prompt, hit = prompts[found.prompt], found.hit
            strip = LifetimeStrip(prompt, counted).broken_at(hit.index, hit.lost_tokens)
            findings.append(_finding(loaded, hit, prompt, strip))
    return _sorted(findings)


def _finding(loaded: LoadedRule, hit: Hit, prompt: Prompt, strip: PromptStrip | None) -> Finding:
    segment, rule = hit.segment, loaded.rule
    confidence = min(segment.confidence, rule.confidence, key=_RANK.index)
    # A guess, or a value that costs one cold prompt a day, is worth a word but not a failed build.
    is_of_process = segment.kept == "process"
    is_minor = confidence is Confidence.LOW or (segment.lifetime is Lifetime.DAY and not is_of_process)
    lines = lines_of(prompt.source.text) if prompt.source else ()
    frame, first = frame_of(prompt.path, lines, hit.span)
    # What the model reads is not changed for a guess, nor for what costs one cold prompt a day.
    edits = () if is_minor and rule.fix_safety == "unsafe" else loaded.edits(prompt, hit)
    return Finding(
        rule=rule.id,
        name=rule.name,
        span=hit.span,
        severity=Severity.INFO if is_minor or hit.is_minor else _severity(rule, segment),
        confidence=confidence,
        lifetime=segment.lifetime if hit.is_value and not is_of_process else None,
        lost_tokens=hit.lost_tokens,
        message=message_of(rule, hit.fields) + _doubt(segment),
        help=help_of(rule, segment, has_fix=bool(edits)),
        fix_safety=rule.fix_safety,
        related=hit.related,
        frame=frame,
        frame_line=first,
        mark=mark_words(segment) if hit.is_value else "",
        strip=strip,
        scope=hit.scope or rule.scope or ("process" if is_of_process else segment.lifetime.label),
        edits=edits,
    )


def _severity(rule: Rule, segment: Segment) -> Severity:
    """Return how bad a fault is: what is drawn once a process costs one cold prompt for each, not one for each call."""
    return Severity.WARNING if segment.kept == "process" and rule.severity is Severity.ERROR else rule.severity


def _doubt(segment: Segment) -> str:
    """Return the reason for a classification that is not sure, in parentheses."""
    return f" ({segment.reason})" if segment.reason and segment.confidence is not Confidence.HIGH else ""


def _without_guesses(findings: list[Finding], known: Mapping[int, Confidence]) -> list[Finding]:
    """Drop a finding of low confidence where a surer one stands, or one, however modest, on a value that is ``known``."""

    def sureness(finding: Finding) -> tuple[int, int]:
        return _RANK.index(finding.confidence), _RANK.index(known[id(finding)])

    surest: dict[Span, tuple[int, int]] = {}
    for finding in findings:
        surest[finding.span] = max(sureness(finding), surest.get(finding.span, (0, 0)))
    return [f for f in findings if f.confidence is not Confidence.LOW or sureness(f) == surest[f.span]]


def _without_echoes(findings: list[Finding], causes: Mapping[int, Span]) -> list[Finding]:
    """Drop a finding whose cause has a finding of its own, at least as sure: what repairs that one repairs both."""
    # A finding that names its own place as its cause gives way there, and is the cause of others if it stays.
    gives_way = {id(f): f.span for f in findings if causes.get(id(f)) == f.span}
    kept = _without_told(findings, causes, gives_way)
    others = {key: place for key, place in causes.items() if key not in gives_way}
    return _without_told(kept, others, others)


def _without_told(findings: list[Finding], apart: Mapping[int, Span], causes: Mapping[int, Span]) -> list[Finding]:
    """Drop findings of ``causes`` whose place has one of another rule, at least as sure, that is not ``apart``."""
    own = {f.span: f for f in findings if id(f) not in apart}

    def is_told(finding: Finding) -> bool:
        cause = own.get(causes[id(finding)]) if id(finding) in causes else None
        if cause is None or cause.rule == finding.rule:
            return False
        return _RANK.index(cause.confidence) >= _RANK.index(finding.confidence)

    return [finding for finding in findings if not is_told(finding)]


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda f: (f.span.path, f.span.line, f.span.column, f.rule)))

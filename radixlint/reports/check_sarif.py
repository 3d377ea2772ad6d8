"""``check`` as SARIF 2.1.0, for code scanning: relative addresses, and fingerprints that outlive a move of the line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from radixlint import __version__
from radixlint.reports import TextStyle
from radixlint.reports._figures import counted
from radixlint.reports._sarif_place import ROOT_ID, artifact, code_flows, fixes, location, message_text, related_locations
from radixlint.reports._sarif_rule import LEVELS, sarif_rule
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport, Finding
from radixlint.result.finding_key import numbered_keys
from radixlint.safe_text import json_text

MAX_RESULTS: Final = 25_000
"""What code scanning takes of one run."""

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT: Final = "radixlintFinding/v1"
_ROOT: Final = "The folder in which radixlint was started."


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the report as one run; suppressed findings and those of a baseline are in it, marked; ``style`` has no effect."""
    results = _results(report)
    run = {
        "tool": {
            "driver": {
                "name": "radixlint",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [sarif_rule(rule) for rule in report.rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT_ID: {"description": {"text": _ROOT}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": _notifications(report, len(results) - MAX_RESULTS),
            }
        ],
        "results": results[:MAX_RESULTS],
        "properties": {"evidence": Evidence.STATIC.value, "tokenizer": report.tokenizer},
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _results(report: CheckReport) -> list[dict[str, object]]:
    """Return all results, those that are not suppressed first; keys are numbered over all, so that none depends on the rest."""
    kinds = {id(f): "inSource" for f in report.silenced} | {id(f): "external" for f in report.known}
    every = sorted((*report.findings, *report.silenced, *report.known), key=lambda f: (f.span, f.rule, f.message))
    keyed = sorted(zip(every, numbered_keys(every), strict=True), key=lambda item: id(item[0]) in kinds)
    indices = {rule.id: index for index, rule in enumerate(report.rules)}
    return [_result(finding, key, kinds.get(id(finding)), indices) for finding, key in keyed]


def _result(finding: Finding, key: str, suppression: str | None, indices: Mapping[str, int]) -> dict[str, object]:
    index = indices.get(finding.rule)
    return {
        "ruleId": finding.rule,
        **({} if index is None else {"ruleIndex": index}),
        "level": LEVELS[finding.severity],
        "message": {"text": f"{message_text(finding.message)}. {message_text(finding.help)}"},
        "locations": [location(finding.span)],
        "relatedLocations": related_locations(finding.related),
        "codeFlows": code_flows(finding.span, finding.message, finding.related),
        "partialFingerprints": {_FINGERPRINT: key},
        "suppressions": [] if suppression is None else [{"kind": suppression}],
        "fixes": fixes(finding.edits, finding.help),
        "properties": _properties(finding),
    }


def _properties(finding: Finding) -> dict[str, object]:
    measured = finding.measured
    known = {
        "confidence": finding.confidence.value,
        "lostTokens": finding.lost_tokens,
        "lifetime": None if finding.lifetime is None else finding.lifetime.label,
        "scope": finding.scope or None,
        "fixSafety": finding.fix_safety if finding.edits else None,
        "measuredRequests": measured and measured.requests,
        "measuredBrokenRate": measured and measured.broken_rate,
        "measuredLostTokens": measured and measured.lost_tokens,
    }
    return {name: value for name, value in known.items() if value is not None}


def _notifications(report: CheckReport, excess: int) -> list[dict[str, object]]:
    """Return what the run has to say beside its results: files not read, notes, results left out."""
    said: list[dict[str, object]] = [
        {
            "level": "warning",
            "message": {"text": f"Skipped: {message_text(item.reason)}"},
            "locations": [{"physicalLocation": {"artifactLocation": artifact(item.path)}}],
        }
        for item in report.skipped
    ]
    said += _notes(report.notes)
    if excess > 0:
        said += _notes([f"{counted(excess, 'result')} more than code scanning takes, left out"])
    return said


def _notes(sentences: Iterable[str]) -> list[dict[str, object]]:
    return [{"level": "note", "message": {"text": message_text(sentence)}} for sentence in sentences]

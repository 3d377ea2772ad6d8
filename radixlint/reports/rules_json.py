"""The rules for programs: everything a rule file says but the detector's parameters."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.reports import TextStyle
from radixlint.result.rule import Rule, RuleExample
from radixlint.safe_text import json_text


def render(report: Sequence[Rule], style: TextStyle) -> str:
    """Return the rules as JSON in the order given; ``style`` has no effect."""
    return json_text({"schema_version": 1, "rules": [_rule(rule) for rule in report]})


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "name": rule.name,
        "severity": rule.severity.value,
        "confidence": rule.confidence.value,
        "summary": rule.summary,
        "why": rule.why,
        "fix": rule.fix,
        "fix_safety": rule.fix_safety,
        "applies_to": list(rule.applies_to),
        "references": list(rule.references),
        "examples": {"fail": [_example(e) for e in rule.failing], "pass": [_example(e) for e in rule.passing]},
    }


def _example(example: RuleExample) -> dict[str, object]:
    return {"name": example.name, "kind": example.kind, "text": example.text, "expected": list(example.expected)}

"""The rules as a JSON document: everything a rule file says but the detector's parameters."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.result.rule import Rule, RuleExample


def rule_document(rules: Sequence[Rule]) -> dict[str, object]:
    """Return the document of ``rules``, in the order given."""
    return {"schema_version": 1, "rules": [_rule(rule) for rule in rules]}


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "name": rule.name,
        "severity": rule.severity.value,
        "confidence": rule.confidence.value,
        "summary": rule.summary,
        "limit": rule.limit or None,
        "why": rule.why,
        "fix": rule.fix,
        "fix_safety": rule.fix_safety,
        "is_fixable": rule.is_fixable,
        "when_not": rule.when_not or None,
        "applies_to": list(rule.applies_to),
        "references": list(rule.references),
        "examples": {"fail": [_example(e) for e in rule.failing], "pass": [_example(e) for e in rule.passing]},
    }


def _example(example: RuleExample) -> dict[str, object]:
    return {"name": example.name, "kind": example.kind, "text": example.text, "expected": list(example.expected)}

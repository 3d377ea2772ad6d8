"""Help speaks of a fix only where one is offered."""

from __future__ import annotations

import pytest

from radixlint.api.rule_examples import example_findings
from radixlint.catalog import load_rules
from radixlint.result.rule import Rule

EXPLAINED = [rule for rule in load_rules() if "The fix " in rule.fix]


@pytest.mark.parametrize("rule", EXPLAINED, ids=lambda rule: rule.id)
def test_what_the_fix_does_is_told_where_there_is_one(rule: Rule) -> None:
    """In examples of the rule, in any format, the paragraph on the fix stands at findings with edits and at no others."""
    found = [f for example in rule.failing for f in example_findings(example, (rule,))]

    assert any(finding.edits for finding in found)
    assert [bool(finding.edits) for finding in found] == ["The fix " in finding.help for finding in found]


def test_code_without_a_fixer_hears_of_none() -> None:
    """A cache mark in code is left to a person, and its help speaks of no fix."""
    rule = next(rule for rule in EXPLAINED if rule.id == "RL601")
    found = [f for example in rule.failing if example.kind == "py" for f in example_findings(example, (rule,))]

    assert found
    assert not [finding.help for finding in found if "The fix " in finding.help]

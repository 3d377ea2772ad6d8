"""The examples in rule files are tests: a failing one yields its rule at exactly the places named, a passing one does not."""

from __future__ import annotations

import pytest

from radixlint.api.rule_examples import example_findings, example_place
from radixlint.catalog import load_rules
from radixlint.files.edited_bytes import EditableText
from radixlint.result.finding import Finding
from radixlint.result.rule import Rule, RuleExample

CASES = [
    pytest.param(rule, example, id=f"{rule.id}/{group}/{example.name}")
    for rule in load_rules()
    for group, examples in (("pass", rule.passing), ("fail", rule.failing))
    for example in examples
]


def findings_in(example: RuleExample) -> tuple[Finding, ...]:
    """Return all that the whole catalogue finds in an example and the files beside it."""
    return example_findings(example, load_rules())


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example(rule: Rule, example: RuleExample) -> None:
    """The rule fires at the expected places of its example, and nowhere else."""
    found = [f for f in findings_in(example) if f.rule == rule.id]

    assert [example_place(f) for f in found] == list(example.expected)


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_rule_has_enough_examples(rule: Rule) -> None:
    """Every rule shows at least three passing and three failing examples."""
    assert len(rule.passing) >= 3
    assert len(rule.failing) >= 3


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_passing_examples_are_clean(rule: Rule) -> None:
    """A passing example is good style: no rule has more than a note to say about it."""
    loud = {e.name: [f.rule for f in findings_in(e) if f.severity != "info"] for e in rule.passing}

    assert {name: rules for name, rules in loud.items() if rules} == {}


FIXED = [
    pytest.param(rule, example, id=f"{rule.id}/{example.name}")
    for rule in load_rules()
    if rule.is_fixable
    for example in rule.failing
    if example.fixed is not None
]


@pytest.mark.parametrize(("rule", "example"), FIXED)
def test_edits_give_the_fixed_text(rule: Rule, example: RuleExample) -> None:
    """Where a rule has a fixer, the edits of an example's findings give exactly the repaired text that it shows."""
    edits = [edit for finding in findings_in(example) if finding.rule == rule.id for edit in finding.edits]

    assert EditableText(example.text.encode()).edited(edits).decode() == example.fixed


@pytest.mark.parametrize("rule", [rule for rule in load_rules() if rule.is_fixable], ids=lambda rule: rule.id)
def test_a_rule_with_a_fixer_shows_what_it_makes(rule: Rule) -> None:
    """At least one failing example of such a rule shows its repaired text."""
    assert any(example.fixed is not None for example in rule.failing)


def test_fixed_text_is_clean() -> None:
    """Where an example shows its repaired text, no rule has anything to say about that."""
    repaired = [(r.id, RuleExample(e.name, e.kind, e.fixed)) for r in load_rules() for e in r.failing if e.fixed]

    assert repaired
    assert [(code, e.name) for code, e in repaired if findings_in(e)] == []

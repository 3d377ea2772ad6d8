"""The examples in rule files are tests: a failing one yields its rule at exactly the places named, a passing one does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from radixlint.catalog import load_rules
from radixlint.errors import SourceError
from radixlint.lint import classified, lint_prompt, parse_failure
from radixlint.prompt import SourceText
from radixlint.result.finding import Finding
from radixlint.result.rule import Rule, RuleExample
from radixlint.sources import read_prompts
from radixlint.tokenizers import open_tokenizer

CASES = [
    pytest.param(rule, example, id=f"{rule.id}/{group}/{example.name}")
    for rule in load_rules()
    for group, examples in (("pass", rule.passing), ("fail", rule.failing))
    for example in examples
]


class NoIncludes:
    """Examples stand alone."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        """Return None: there is no other file."""
        return None


@cache
def tokens_in() -> Callable[[str], int]:
    """Return the default tokenizer's count."""
    return open_tokenizer("o200k_base").count


def findings_in(example: RuleExample) -> list[Finding]:
    """Return all that the whole catalogue finds in an example."""
    source = SourceText(f"example.{example.kind}", example.text)
    rules = load_rules()
    try:
        read = read_prompts(source, NoIncludes())
    except SourceError as error:
        return [parse_failure(error, source, rules)]
    assert read is not None, f"no source reads .{example.kind}, or it sees no prompt here"
    return [f for prompt in read.prompts for f in lint_prompt(classified(prompt, {}), rules, tokens_in())]


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example(rule: Rule, example: RuleExample) -> None:
    """The rule fires at the expected places of its example, and nowhere else."""
    found = [f for f in findings_in(example) if f.rule == rule.id]

    assert [f"{f.span.line}:{f.span.column}" for f in found] == list(example.expected)


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


def test_fixed_text_is_clean() -> None:
    """Where an example shows its repaired text, no rule has anything to say about that."""
    repaired = [(r.id, RuleExample(e.name, e.kind, e.fixed)) for r in load_rules() for e in r.failing if e.fixed]

    assert repaired
    assert [(code, e.name) for code, e in repaired if findings_in(e)] == []

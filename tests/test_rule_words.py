"""What ``radixlint rule`` answers to words that are no rule: causes, beginnings, slips."""

from __future__ import annotations

import pytest

from radixlint.api.rule_book import every_rule, one_rule
from radixlint.errors import ConfigError
from radixlint.result.cause import Cause


@pytest.mark.parametrize(("cause", "code"), [("clock", "RL201"), ("ID", "RL202"), ("tenant-before-shared", "RL951")])
def test_a_cause_is_told_from_rules_and_leads_to_those_about_it(cause: str, code: str) -> None:
    """The name of a cause of ``analyze`` gives the rules that look for it; one that is a rule's name too gives the rule."""
    if any(rule.name == cause for rule in every_rule()):
        assert one_rule(cause).id == code
        return
    with pytest.raises(ConfigError, match=rf"is a cause seen in logs, not a rule \(rules about it: .*{code} "):
        one_rule(cause)


@pytest.mark.parametrize("cause", sorted(set(Cause) - {rule.name for rule in every_rule()}))
def test_every_cause_is_known_as_one(cause: str) -> None:
    """No cause is called an unknown rule, and docs/causes.md is named."""
    with pytest.raises(ConfigError, match=r"is a cause seen in logs.*docs/causes\.md"):
        one_rule(cause)


def test_a_beginning_gives_all_rules_that_begin_so() -> None:
    """A part of a code or name lists the rules; another word is answered with the nearest."""
    with pytest.raises(ConfigError, match=r"RL201 .*RL202 .*RL203 "):
        one_rule("rl2")
    with pytest.raises(ConfigError, match=r"did you mean RL201"):
        one_rule("RLL201")

"""What is suggested for a mistyped word: the nearest rule of its hundreds, the nearest name or key, and nothing silly."""

from __future__ import annotations

import random
import string

import pytest

from radixlint.catalog import load_rules, unknown_rule
from radixlint.config.setting_keys import NAMES
from radixlint.spelling import nearest

CODES = [rule.id for rule in load_rules()]
RULE_NAMES = [rule.name for rule in load_rules()]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("RL20l", "RL201"),
        ("rl2o1", "RL201"),
        ("RL2201", "RL201"),
        ("RL1001", "RL101"),
        ("RL010", "RL001"),
        ("RL602x", "RL602"),
        ("RL299", None),
        ("RL208", None),
        ("RL9999", None),
        ("XY201", None),
        ("RL", None),
        ("", None),
    ],
)
def test_a_code_is_one_slip_from_one_code_or_none_is_named(typed: str, meant: str | None) -> None:
    """Where no code is near, or several of one hundred are equally near, none is picked by chance."""
    assert nearest(typed, [*CODES, *RULE_NAMES]) == meant


@pytest.mark.parametrize("code", ["RL299", "rl208", "RL505", "RL999"])
def test_an_unknown_code_is_answered_from_its_hundreds(code: str) -> None:
    """The hint lists the codes of the hundreds that were asked for, and no other code."""
    hint = unknown_rule(load_rules(), code).hint or ""

    assert [one for one in CODES if one in hint] == [one for one in CODES if one[:3] == code.upper()[:3]]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("rulez", "rules"),
        ("exlude", "exclude"),
        ("ignroe", "ignore"),
        ("fail_on", "fail-on"),
        ("format", "output-format"),
        ("extends", "extend"),
        ("include", None),
        ("cache-dir", None),
        ("min-tokens", None),
    ],
)
def test_a_config_key(typed: str, meant: str | None) -> None:
    """A slip finds its key; a word that means something else, even the opposite, finds none."""
    assert nearest(typed, NAMES) == meant


@pytest.mark.parametrize("seed", range(20))
def test_one_slip_in_a_name_finds_it(seed: int) -> None:
    """A letter too many, too few, wrong or swapped in any rule's name leads back to that name."""
    chance = random.Random(seed)
    for name in RULE_NAMES:
        at = chance.randrange(len(name) - 1)
        letter = chance.choice(string.ascii_lowercase)
        slips = [name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :]]
        slips.append(name[:at] + name[at + 1] + name[at] + name[at + 2 :])

        assert [nearest(slip, RULE_NAMES) for slip in slips] == [name] * len(slips)


def test_suggestions_do_not_depend_on_the_order_of_what_is_known() -> None:
    """The same word gets the same answer whatever order the known words come in."""
    chance = random.Random(1)
    for typed in ("rulez", "volatile-tme", "dynamic", "RL010"):
        answers = {
            nearest(typed, chance.sample(words, len(words))) for words in [[*CODES, *RULE_NAMES, *NAMES]] for _ in range(9)
        }

        assert len(answers) == 1

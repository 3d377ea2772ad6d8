"""Rule files are read strictly, selectors pick as in ruff, and a mistake is named with file and key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from radixlint.catalog import load_rules, rules_folder, select_rules
from radixlint.catalog.rule_file import read_rule
from radixlint.errors import ConfigError, RuleError
from radixlint.reports import TextStyle, rule_text
from radixlint.result.rule import CLOSING_TOKENS, Rule

GOOD = """\
id: RL999
name: made-up
severity: warning
confidence: high
applies_to: [template]
summary: A made-up rule.
detector: value-before-static
message: "{value} {changes}"
why: Because.
fix: Do not.
fix_safety: manual
references: []
examples:
  pass:
    - {name: fine, kind: j2, text: a}
  fail:
    - {name: bad, kind: j2, text: b, expected: ["1:1"]}
"""

BROKEN = {
    "unknown key": (GOOD + "colour: red\n", "colour"),
    "unknown key in an example": (GOOD.replace("text: a", "text: a, sort: b"), "examples.pass[0]"),
    "missing key": (GOOD.replace("fix: Do not.\n", ""), "fix"),
    "wrong type": (GOOD.replace("references: []", "references: 7"), "references"),
    "wrong severity": (GOOD.replace("severity: warning", "severity: loud"), "severity"),
    "wrong id": (GOOD.replace("RL999", "XX1"), "`id`"),
    "wrong name": (GOOD.replace("name: made-up", "name: Made Up"), "`name`"),
    "wrong fix safety": (GOOD.replace("manual", "maybe"), "fix_safety"),
    "wrong scope": (GOOD.replace("[template]", "[python]"), "applies_to"),
    "empty text": (GOOD.replace("why: Because.", "why: ' '"), "`why`"),
    "message with an open brace": (GOOD.replace("{changes}", "{changes"), "`message`"),
    "limit over no param": (GOOD.replace("why:", "limit: '{min_tokens}'\nwhy:"), "`limit`"),
    "message that calls": (GOOD.replace("{changes}", "{changes.x}"), "`message`"),
    "place that is none": (GOOD.replace('"1:1"', '"0:1"'), "line:column"),
    "place read as a number": (GOOD.replace('"1:1"', "1:30"), "base 60"),
    "failing example without place": (GOOD.replace(', expected: ["1:1"]', ""), "expected"),
    "two examples of one name": (GOOD.replace("name: bad,", "name: fine,"), "unique"),
    "key given twice": (GOOD + "fix: Again.\n", "twice"),
    "anchor": (GOOD.replace("references: []", "references: &a [x]\nparams: {a: *a}"), "anchors"),
    "deep nesting": (GOOD + "params: " + "[" * 5000 + "]" * 5000 + "\n", "nest"),
    "no mapping": ("- a\n- b\n", "mapping"),
    "no YAML": ("id: [\n", "YAML"),
    "tag that runs code": (
        GOOD.replace("why: Because.", "why: !!python/object/apply:os.getcwd []"),
        "!!python/object/apply:os.getcwd is not allowed",
    ),
}


def written(folder: Path, text: str, name: str = "RL999-made-up.yaml") -> Path:
    """Write a rule file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_a_rule(tmp_path: Path) -> None:
    """A good file becomes a rule with its examples."""
    rule = read_rule(written(tmp_path, GOOD))

    assert (rule.id, rule.name, rule.failing[0].expected) == ("RL999", "made-up", ("1:1",))


def test_limit_holds_the_numbers_of_the_params(tmp_path: Path) -> None:
    """From what size on a rule reports is told in words that take their numbers from the params."""
    text = GOOD.replace("why:", "limit: Needs {min_tokens} tokens.\nparams: {min_tokens: 7}\nwhy:")

    assert read_rule(written(tmp_path, text)).limit == "Needs 7 tokens."


@pytest.mark.parametrize("rule", [r for r in load_rules() if "min_tokens" in r.params], ids=lambda rule: rule.id)
def test_no_rule_hides_its_limit(rule: Rule) -> None:
    """Each rule with a least number of tokens says it on its page and in the documentation."""
    number = str(rule.params["min_tokens"])
    documented = (rules_folder().parent / "docs" / "measures.md").read_text(encoding="utf-8")

    assert f"at least {number} tokens" in rule.limit
    assert re.search(rf"\| {number} \|[^\n]*\b{rule.id}\b", documented)
    assert " ".join(rule.limit.split()) in " ".join(rule_text.render(rule, TextStyle()).split())
    assert f"counts only from {CLOSING_TOKENS} tokens" in documented


@pytest.mark.parametrize(("text", "named"), BROKEN.values(), ids=BROKEN)
def test_broken_rule_is_one_clear_error(tmp_path: Path, text: str, named: str) -> None:
    """What is wrong is said in one line with the file and the key."""
    with pytest.raises(RuleError) as caught:
        read_rule(written(tmp_path, text))

    assert str(caught.value).startswith("RL999-made-up.yaml")
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_file_name_says_what_is_inside(tmp_path: Path) -> None:
    """A file is called after its rule."""
    with pytest.raises(RuleError, match=r"must be called RL999-made-up\.yaml"):
        read_rule(written(tmp_path, GOOD, "RL998-other.yaml"))


def test_ids_are_unique(tmp_path: Path) -> None:
    """Two rules cannot share a code or a name."""
    written(tmp_path, GOOD)
    written(tmp_path, GOOD.replace("name: made-up", "name: other"), "RL999-other.yaml")

    with pytest.raises(RuleError, match="RL999 is taken"):
        load_rules(tmp_path)


def test_folder_without_rules(tmp_path: Path) -> None:
    """An empty folder is an error, not a clean run."""
    with pytest.raises(RuleError, match="no rule file"):
        load_rules(tmp_path)


def test_catalogue_is_in_order_of_its_codes() -> None:
    """Every file of the folder is a rule, by code."""
    codes = [rule.id for rule in load_rules()]

    assert codes == sorted(codes)
    assert len(codes) == len(list(rules_folder().glob("*.yaml")))


def picked(select: tuple[str, ...], ignore: tuple[str, ...] = ()) -> set[str]:
    """Return the codes that a selection picks."""
    return {rule.id for rule in select_rules(load_rules(), select, ignore)}


def test_selectors() -> None:
    """Code, name, prefix and ALL select, in any case; nothing selects all."""
    everything = {rule.id for rule in load_rules()}

    assert picked(()) == picked(("ALL",)) == picked(("all",)) == picked(("RL",)) == everything
    assert picked(("RL201",)) == picked(("volatile-time-before-static",)) == picked(("rl201",)) == {"RL201"}
    assert picked(("RL2",)) == {code for code in everything if code.startswith("RL2")}


def test_the_more_specific_selector_wins() -> None:
    """A code beats a prefix and a prefix beats ALL, whichever side it is on; at a draw the rule is ignored."""
    assert "RL201" not in picked(("RL2",), ("RL201",))
    assert "RL201" in picked(("RL201",), ("RL2",))
    assert picked(("RL2",), ("ALL",)) == picked(("RL2",))
    assert picked(("RL201",), ("volatile-time-before-static",)) == set()


@pytest.mark.parametrize(("word", "near"), [("RL2011", "RL201"), ("volatile-time", "volatile-time-before-static")])
def test_unknown_selector_names_the_nearest(word: str, near: str) -> None:
    """A typo is answered with the nearest rule and where the list is."""
    with pytest.raises(ConfigError) as caught:
        picked((word,))

    assert word in str(caught.value)
    assert f"did you mean {near}?" in str(caught.value)
    assert "radixlint rules" in str(caught.value)


@pytest.mark.parametrize("word", ["", "X", "RLX", "zzz", "R"])
def test_selector_that_is_no_rule(word: str) -> None:
    """A word that names nothing is an error on either side."""
    with pytest.raises(ConfigError):
        picked((), (word,))

"""The pages of the rules are those that the rule files make, and say all that a reader asks."""

from __future__ import annotations

import pytest
from make_rule_pages import FOLDER, pages

from radixlint.api.rule_book import every_rule
from radixlint.reports import TextStyle, rule_markdown, rule_text
from radixlint.result.rule import Rule
from radixlint.safe_text import safe

SECTIONS = ("## What", "## Why", "## Bad", "## Good", "## Fix")


def test_the_folder_holds_what_the_rules_make() -> None:
    """Run ``python tests/make_rule_pages.py`` if this fails: no page is missing, old, or of a rule that is gone."""
    there = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}

    assert sorted(there) == sorted(pages())
    assert [name for name, text in pages().items() if there[name] != text] == []


@pytest.mark.parametrize("rule", every_rule(), ids=lambda rule: rule.id)
def test_a_page_says_what_why_bad_good_fix_and_when_not_to(rule: Rule) -> None:
    """The sections stand in this order, with the example letter by letter; when not to only if the rule says so."""
    text = rule_markdown.render(rule, TextStyle())
    places = [text.index(f"\n{heading}\n") for heading in SECTIONS]

    assert places == sorted(places)
    assert safe(rule.failing[0].text).rstrip("\n") in text
    assert ("\n## When not to\n" in text) == bool(rule.when_not)
    assert ("\nWhen not to\n" in rule_text.render(rule, TextStyle())) == bool(rule.when_not)


def test_the_front_page_lists_every_rule_once_under_its_group() -> None:
    """Each rule has a row with a link to its page, below the heading of its hundred."""
    front = pages()["README.md"]

    for rule in every_rule():
        link = f"[{rule.id} {rule.name}]({rule.id}-{rule.name}.md)"
        assert front.count(link) == 1
        assert front.rindex("\n## ", 0, front.index(link)) == front.index(f"\n## {rule.id[:3]}xx: ")

"""One rule for programs: the document of ``rules_json`` with one entry."""

from __future__ import annotations

from radixlint.reports import TextStyle
from radixlint.reports._rule_fields import rule_document
from radixlint.result.rule import Rule
from radixlint.safe_text import json_text


def render(report: Rule, style: TextStyle) -> str:
    """Return the rule as JSON; ``style`` has no effect."""
    return json_text(rule_document([report]))

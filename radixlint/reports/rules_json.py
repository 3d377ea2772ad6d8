"""The rules for programs."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.reports import TextStyle
from radixlint.reports._rule_fields import rule_document
from radixlint.result.rule import Rule
from radixlint.safe_text import json_text


def render(report: Sequence[Rule], style: TextStyle) -> str:
    """Return the rules as JSON in the order given; ``style`` has no effect."""
    return json_text(rule_document(report))

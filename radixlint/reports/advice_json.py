"""The go/no-go report as JSON: every field of the advice."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.advice import Advice
from radixlint.safe_text import json_text


def render(advice: Advice, style: TextStyle) -> str:
    """Return the report; ``style`` changes nothing here."""
    return json_text({"schema_version": 1, "verdict": advice.decision.verdict, **asdict(advice)})

"""The demo as JSON, schema version 1."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.simulation import DemoReport
from radixlint.safe_text import json_text


def render(report: DemoReport, style: TextStyle) -> str:
    """Return ``report`` as JSON; ``style`` changes nothing here."""
    return json_text({"schema_version": 1, **asdict(report), "evidence": "simulated"})

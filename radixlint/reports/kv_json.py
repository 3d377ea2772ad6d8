"""The memory of a prefix as JSON."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.estimate import PrefixMemory
from radixlint.safe_text import json_text


def render(memory: PrefixMemory, style: TextStyle) -> str:
    """Return the report; ``style`` changes nothing here."""
    return json_text({"schema_version": 1, **asdict(memory), "evidence": "static"})

"""The log formats for programs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from radixlint.reports import TextStyle
from radixlint.result.format_facts import FormatFacts
from radixlint.safe_text import json_text


def render(report: Sequence[FormatFacts], style: TextStyle) -> str:
    """Return the formats as JSON in the order given; ``style`` has no effect."""
    return json_text({"schema_version": 1, "formats": msgspec.to_builtins(report)})

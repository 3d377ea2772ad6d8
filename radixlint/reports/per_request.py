"""One JSON line a request, in file order: what was asked, shareable, served and reported."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.measurement import RequestRow


def render(report: Sequence[RequestRow], style: TextStyle) -> str:
    """Return the rows of a measurement or a simulation as JSONL in plain ASCII; they hold no text of any prompt."""
    return "".join(json.dumps(asdict(row), ensure_ascii=True).replace("\x7f", "\\u007f") + "\n" for row in report)

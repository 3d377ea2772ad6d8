"""The page of log formats names every format."""

from __future__ import annotations

import re
from pathlib import Path

from radixlint.logs import format_names

PAGE = Path(__file__).parent.parent / "docs" / "formats.md"


def test_every_format_has_a_row() -> None:
    """Each format that can be read stands in one row of one table."""
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert len(rows) == len(set(rows))
    assert set(format_names()) <= set(rows)

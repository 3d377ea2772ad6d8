"""A report turns a result into text; it reads values and nothing else.

A report is a module ``<subject>_<format>`` (``check_text``, ``analyze_json``) with
``render(report, style) -> str``; the text ends with one newline.
"""

from __future__ import annotations

from typing import NamedTuple


class TextStyle(NamedTuple):
    """How to lay out text: ``width`` in columns, ``color`` whether ANSI colours are wanted."""

    width: int = 100
    color: bool = False

"""The one way text reports become a string: rich draws, and never interprets what it is given."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from radixlint.reports import TextStyle

if TYPE_CHECKING:
    from rich.console import RenderableType


def drawn(parts: Iterable[RenderableType], style: TextStyle) -> str:
    """Return ``parts``, one below the other, without trailing spaces; lines of text are not wrapped."""
    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(
        file=out,
        width=style.width,
        force_terminal=style.color,
        color_system="standard" if style.color else None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )
    for part in parts:
        if isinstance(part, Text):
            part.rstrip()
        console.print(part, soft_wrap=isinstance(part, Text))
    return "".join(line.rstrip(" ") + "\n" for line in out.getvalue().removesuffix("\n").split("\n"))

"""The one way text reports become a string: rich draws, and never interprets what it is given."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from radixlint.late_pattern import late_pattern
from radixlint.reports import TextStyle

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_COLUMN: Final = late_pattern(r"(?:^| {2,})(?=\S)")
_LEAST_ROOM_CELLS: Final = 20
_HANG_CELLS: Final = 4
_BULLET: Final = "- "


def drawn(parts: Iterable[RenderableType], style: TextStyle) -> str:
    """Return ``parts``, one below the other, without trailing spaces.

    Text that is too wide for the style is wrapped, but for long words and for what is marked ``no_wrap``.
    """
    from rich.text import Text

    out = io.StringIO()
    console = functools.cache(functools.partial(_console, out, style))
    for part in parts:
        if not isinstance(part, Text):
            console().print(part)
            continue
        for line in part.split("\n", allow_blank=True):
            for piece in _fitted(line, style.width):
                if style.color or "\t" in piece.plain:
                    console().print(piece, soft_wrap=True)
                else:  # as rich would, which takes longer to load than a check
                    out.write(piece.plain + "\n")
    return "".join(line.rstrip(" ") + "\n" for line in out.getvalue().removesuffix("\n").split("\n"))


def _console(out: io.StringIO, style: TextStyle) -> Console:
    from rich.console import Console

    return Console(
        file=out,
        width=style.width,
        force_terminal=style.color,
        color_system="standard" if style.color else None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )


def _fitted(line: Text, width: int) -> Iterator[Text]:
    """Yield ``line`` in pieces of at most ``width`` cells, cut at spaces; later ones stand under the last column with room."""
    from rich.text import Text

    line.rstrip()
    indent = _hang(line.plain, width)
    while line.cell_len > width and not line.no_wrap:
        cut = _last_space(line.plain, width, indent)
        if cut is None:
            break
        first, rest = line.divide([cut])
        yield first
        rest = rest[len(rest) - len(rest.plain.lstrip(" ")) :]
        line = Text(" " * indent).append_text(rest)
    yield line


def _hang(plain: str, width: int) -> int:
    """Return where the rest of a line goes on: under its last column, else a little behind its start."""
    columns = [found.end() for found in _COLUMN.finditer(plain)]
    start = len(plain) - len(plain.lstrip(" "))
    under = max((at for at in columns if start < at <= width - _LEAST_ROOM_CELLS), default=None)
    if under is not None:
        return under
    hang = len(_BULLET) if plain.startswith(_BULLET, start) else _HANG_CELLS
    return min(start + hang, width // 2)


def _last_space(plain: str, width: int, indent: int) -> int | None:
    """Return the last space up to which a line fits, else the first one behind a word that does not; None without any."""
    from rich.cells import cell_len

    spaces = [found.start() for found in re.finditer(r"(?<=\S) ", plain)]
    fitting = [at for at in spaces if at > indent and cell_len(plain[:at]) <= width]
    return fitting[-1] if fitting else next((at for at in spaces if at > indent), None)

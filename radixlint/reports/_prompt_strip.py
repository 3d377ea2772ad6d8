"""The prompt strip: a prompt on one line in wire order, width by tokens, a bar whose height says how long each part lives.

Along a good prompt the bars only step down; a step up after the break is text that is computed again each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from radixlint.prompt import Lifetime
from radixlint.result.finding import PromptStrip, StripPart

if TYPE_CHECKING:
    from rich.text import Text

BREAK: Final = "\N{BOX DRAWINGS LIGHT DIAGONAL CROSS}"
_CUT: Final = "…"
LETTERS: Final = dict(zip(reversed(Lifetime), "SRDTUEQC", strict=True))
_BARS: Final = dict(zip(reversed(Lifetime), "█▇▆▅▄▃▂▁", strict=True))
_VALUE_CELLS: Final = 2


class _Cell(NamedTuple):
    part: StripPart
    width: int
    is_behind: bool
    is_break: bool


def strip_line(strip: PromptStrip, width: int) -> Text:
    """Return the strip in at most ``width`` cells."""
    from rich.text import Text

    line = Text()
    for cell in _cells(strip, width):
        if cell.width == 0:
            line.append(_CUT, "dim")
            continue
        if cell.is_break:
            line.append(BREAK, "bold red")
        line.append(_drawn(cell), _style(cell) if strip.break_index is not None else "")
    return line


def legend(strips: Iterable[PromptStrip], width: int) -> Text:
    """Return the key to the letters and marks that occur in ``strips``, longest life first; on two lines if one is too narrow."""
    from rich.text import Text

    strips = list(strips)
    used = {part.lifetime for strip in strips for part in strip.parts}
    line = Text()
    for lifetime in (each for each in reversed(Lifetime) if each in used):
        line.append(f"{LETTERS[lifetime]}{_BARS[lifetime]} {lifetime.label}  ", "dim")
    if all(strip.break_index is None for strip in strips):
        line.rstrip()
        return line
    end = Text().append(BREAK, "bold red").append(" the prefix ends here", "dim")
    if line.cell_len + end.cell_len > width:
        line.rstrip()
        line.append("\n")
    return line.append_text(end)


def _drawn(cell: _Cell) -> str:
    return (LETTERS[cell.part.lifetime] + _BARS[cell.part.lifetime] * (cell.width - 1))[: cell.width]


def _style(cell: _Cell) -> str:
    if cell.is_break:
        return "bold red"
    if cell.part.lifetime < Lifetime.RELEASE:
        return "yellow" if not cell.is_behind else "dim yellow"
    return "red" if cell.is_behind else "green"


def _cells(strip: PromptStrip, width: int) -> list[_Cell]:
    at = len(strip.parts) if strip.break_index is None else strip.break_index
    first, last = _window(len(strip.parts), at, width - 3)
    room = width - (first > 0) - (last < len(strip.parts)) - (strip.break_index is not None)
    widths = _widths(strip.parts[first:last], room)
    cells = [_Cell(strip.parts[i], widths[i - first], i > at, i == at) for i in range(first, last)]
    gap = _Cell(strip.parts[0], 0, False, False) if strip.parts else None
    return ([gap] if gap and first > 0 else []) + cells + ([gap] if gap and last < len(strip.parts) else [])


def _window(count: int, at: int, most: int) -> tuple[int, int]:
    """Return which parts to show if there are too many: those around the break."""
    if count <= most:
        return 0, count
    first = min(max(0, at - most // 2), count - most)
    return first, first + most


def _widths(parts: Sequence[StripPart], room: int) -> list[int]:
    """Return the cells of each part: values a fixed few, text by its tokens, at least one; rounding by largest remainder."""
    least = [1 if part.tokens is not None else _VALUE_CELLS for part in parts]
    if sum(least) > room:
        least = [1] * len(parts)
    free = room - sum(least)
    total = sum(part.tokens or 0 for part in parts)
    if free <= 0 or total == 0:
        return least
    shares = [(part.tokens or 0) * free / total for part in parts]
    extra = [int(share) for share in shares]
    by_remainder = sorted(range(len(parts)), key=lambda i: (extra[i] - shares[i], i))
    for i in by_remainder[: free - sum(extra)]:
        extra[i] += 1
    return [a + b for a, b in zip(least, extra, strict=True)]

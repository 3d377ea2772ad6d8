"""The hit rate by cache size as a picture of characters: dots of Braille cells, or plain ASCII."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Final

from radixlint.result.curve import Curve

if TYPE_CHECKING:
    from rich.text import Text

_ROWS: Final = 13
_LABEL_CELLS: Final = 6
_MOST_CELLS: Final = 110
_TOPS_PERCENT: Final = (4, 8, 12, 20, 40, 60, 80, 100)
"""Where the rate axis may end: its quarters are whole percents."""
_DOT_BITS: Final = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""Bits of a Braille cell by column and by row from below."""
_BRAILLE: Final = 0x2800
_GAP: Final = "   "


@dataclass(frozen=True, slots=True)
class _Pen:
    """The characters of a picture: how many dots a cell has across and up, and the marks."""

    across: int
    up: int
    knee: str
    given: str
    side: str
    floor: str
    tick: str


_BRAILLE_PEN: Final = _Pen(2, 4, "●", "◆", "│", "─", "┬")
_ASCII_PEN: Final = _Pen(1, 1, "o", "x", "|", "-", "+")


def plot_lines(curve: Curve, width: int, *, is_ascii: bool) -> Iterator[Text]:
    """Yield the picture in at most ``width`` columns, size to the right by its logarithm, and the key to its marks.

    Nothing if no size gives a hit.
    """
    from rich.text import Text

    if len(curve.line) < 2:
        return
    pen = _ASCII_PEN if is_ascii else _BRAILLE_PEN
    cells = max(20, min(width - _LABEL_CELLS - 2, _MOST_CELLS))
    top_rate = next(top for top in _TOPS_PERCENT if curve.most_hit_rate * 100 <= top or top == _TOPS_PERCENT[-1]) / 100
    grid = _drawn(curve, cells, top_rate, pen)
    marks = _marks(curve, cells, top_rate, pen)
    for row in range(_ROWS):
        has_label = row % ((_ROWS - 1) // 4) == 0
        label = f"{top_rate * (_ROWS - 1 - row) / (_ROWS - 1):.0%} " if has_label else ""
        line = Text().append(f"{label:>{_LABEL_CELLS}}{pen.side}", "dim")
        for cell in range(cells):
            mark = marks.get((row, cell))
            line.append(mark or grid[row][cell], "bold yellow" if mark == pen.given else "bold" if mark else "cyan")
        yield line
    yield from _floor(curve, cells, pen)
    yield _key(curve, set(marks.values()), pen)


def _across(curve: Curve, kv_tokens: int) -> float:
    """Return where a size stands on the axis, 0 at its start and 1 at its end."""
    first, last = curve.line[0][0], curve.line[-1][0]
    return log(kv_tokens / first) / log(last / first)


def _height(rate: float, top_rate: float, pen: _Pen) -> int:
    """Return the dot row from below of a rate; the middle of the lowest row of cells is 0, that of the highest the top."""
    return round(min(rate / top_rate, 1) * (_ROWS - 1) * pen.up) + (pen.up - 1) // 2


def _drawn(curve: Curve, cells: int, top_rate: float, pen: _Pen) -> list[list[str]]:
    """Return the curve as rows of characters, the highest first; steps are joined by upright strokes."""
    sizes = [kv_tokens for kv_tokens, _ in curve.line]
    dots = [[0] * cells for _ in range(_ROWS)]
    before = None
    for column in range(cells * pen.across):
        share = column / (cells * pen.across - 1)
        at = bisect_right(sizes, sizes[0] * (sizes[-1] / sizes[0]) ** share * (1 + 1e-9)) - 1
        height = _height(curve.line[at][1], top_rate, pen)
        for dot in range(min(height, height if before is None else before + 1), height + 1):
            bit = _DOT_BITS[column % pen.across][dot % pen.up] if pen.up > 1 else 1
            dots[_ROWS - 1 - dot // pen.up][column // pen.across] |= bit
        before = height
    if pen.up == 1:
        return [["*" if dot else " " for dot in row] for row in dots]
    return [[chr(_BRAILLE + dot) if dot else " " for dot in row] for row in dots]


def _marks(curve: Curve, cells: int, top_rate: float, pen: _Pen) -> dict[tuple[int, int], str]:
    """Return the marks by row and cell; a size that was given stands in front of a knee."""
    marks = {}
    for point in sorted(curve.points, key=lambda point: point.is_given):
        place = _across(curve, point.kv_tokens) if point.kv_tokens else -1.0
        if (point.is_given or point.knee_rate is not None) and 0 <= place <= 1:
            row = _ROWS - 1 - _height(point.hit_rate, top_rate, pen) // pen.up
            marks[row, round(place * (cells - 1))] = pen.given if point.is_given else pen.knee
    return marks


def _floor(curve: Curve, cells: int, pen: _Pen) -> Iterator[Text]:
    """Yield the size axis and its labels: powers of ten first, then 2 and 5 times them where there is room."""
    from rich.text import Text

    first, last = curve.line[0][0], curve.line[-1][0]
    sizes = [digit * 10**power for digit in (1, 5, 2) for power in range(len(str(last)))]
    floor, labels = [pen.floor] * cells, [" "] * (cells + _LABEL_CELLS)
    for size in (size for size in sizes if first <= size <= last):
        cell = round(_across(curve, size) * (cells - 1))
        text = short_tokens(size)
        start = max(0, min(cell - len(text) // 2 + 1, cells + 1 - len(text)))
        if "".join(labels[max(0, start - 2) : start + len(text) + 2]).strip():
            continue
        floor[cell] = pen.tick
        labels[start : start + len(text)] = text
    corner = "+" if pen is _ASCII_PEN else "└"
    yield Text(" " * _LABEL_CELLS + corner + "".join(floor), "dim")
    yield Text(" " * _LABEL_CELLS + "".join(labels).rstrip(), "dim")


def _key(curve: Curve, drawn: set[str], pen: _Pen) -> Text:
    from rich.text import Text

    key = Text(" " * (_LABEL_CELLS + 1) + "KV tokens, log scale", "dim")
    if pen.knee in drawn:
        shares = [f"{point.knee_rate:.0%}" for point in curve.points if point.knee_rate is not None]
        key.append(_GAP).append(pen.knee, "bold").append(f" {', '.join(shares)} of max", "dim")
    if pen.given in drawn:
        key.append(_GAP).append(pen.given, "bold yellow").append(" asked for", "dim")
    return key


def short_tokens(tokens: int) -> str:
    """Return a round number of tokens in as few characters as hold it.

    >>> short_tokens(500), short_tokens(20_000), short_tokens(5_000_000), short_tokens(1_000_000_000)
    ('500', '20k', '5M', '1B')
    """
    for unit, name in ((10**9, "B"), (10**6, "M"), (10**3, "k")):
        if tokens >= unit and not tokens % unit:
            return f"{tokens // unit}{name}"
    return str(tokens)

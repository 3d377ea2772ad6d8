"""The capacity curve for people: the picture, the sizes with what they give, and the same for the time to live."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._curve_plot import plot_lines
from radixlint.reports._figures import counted, percent
from radixlint.result.curve import Curve, CurvePoint, TtlPoint
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_GAP: Final = "   "


def curve_lines(curve: Curve, style: TextStyle, *, is_ascii: bool = False) -> Iterator[Text]:
    """Yield the section; ``is_ascii`` draws with plain characters."""
    from rich.text import Text

    yield Text("Hit rate by cache size", "bold").append(f"  {curve.evidence}, tokens hit / prompt tokens", "dim")
    if not curve.most_hit_rate:
        yield Text("  No size gives a hit: no full block of any prompt is used again.")
        return
    yield from plot_lines(curve, style.width, is_ascii=is_ascii)
    yield Text()
    yield from _table(*_size_rows(curve))
    yield from _wrapped(_basis(curve), style.width)
    if curve.ttl_points:
        yield Text()
        yield Text("Hit rate by time to live", "bold").append("  simulated, since last use, room without limit", "dim")
        yield from _table(*_ttl_rows(curve.ttl_points))


def duration(seconds: float) -> str:
    """Return a time in its two largest units.

    >>> duration(0.25), duration(45), duration(113.999), duration(300), duration(5400), duration(604_800)
    ('0.25 s', '45 s', '1 min 54 s', '5 min', '1 h 30 min', '7 d')
    """
    if seconds < 60:
        return f"{seconds:.3g} s"
    whole = -int(-seconds // 1)
    units = [(whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    largest = next(at for at, (number, _) in enumerate(units) if number)
    return " ".join(f"{number} {unit}" for number, unit in units[largest : largest + 2] if number)


def _size_rows(curve: Curve) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the heads, the cells of each size, and what is to be said of it."""
    has_gib = curve.points[0].kv_gib is not None
    has_optimum = curve.points[0].optimum_rate is not None
    heads = ["KV tokens", *(["GiB"] if has_gib else []), "hit rate", "of max", *(["optimum"] if has_optimum else [])]
    rows, notes = [], []
    for point in curve.points:
        gib = [] if point.kv_gib is None else [f"{point.kv_gib:,.1f}" if point.kv_gib >= 1 else f"{point.kv_gib:.2g}"]
        best = [] if point.optimum_rate is None else [percent(point.optimum_rate)]
        rows.append([f"{point.kv_tokens:,}", *gib, percent(point.hit_rate), percent(point.of_most_rate), *best])
        notes.append(_note(point))
    return heads, rows, notes


def _ttl_rows(points: Sequence[TtlPoint]) -> tuple[list[str], list[list[str]], list[str]]:
    rows = [[duration(point.ttl_s), percent(point.hit_rate), percent(point.of_most_rate)] for point in points]
    return ["lives for", "hit rate", "of max"], rows, [_knee(point.knee_rate, "shortest") for point in points]


def _note(point: CurvePoint) -> str:
    return ", ".join(word for word in (_knee(point.knee_rate, "smallest"), "asked for" if point.is_given else "") if word)


def _knee(knee_rate: float | None, which: str) -> str:
    if knee_rate is None:
        return ""
    return f"{which} for the max" if knee_rate == 1 else f"{which} for {knee_rate:.0%} of max"


def _table(heads: list[str], rows: list[list[str]], notes: list[str]) -> Iterator[Text]:
    from rich.text import Text

    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    yield Text("  " + _GAP.join(head.rjust(width) for head, width in zip(heads, widths, strict=True)), "dim")
    for row, note in zip(rows, notes, strict=True):
        line = Text("  " + _GAP.join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
        if note:
            line.stylize("bold")
            line.append(_GAP).append(note, "dim")
        yield line


def _basis(curve: Curve) -> str:
    words = [
        f"The max, {percent(curve.most_hit_rate)}, takes {counted(curve.full_kv_tokens, 'token')} of room; everything in the log"
        f" takes {curve.distinct_kv_tokens:,}. Plain LRU, blocks of {counted(curve.block_tokens, 'token')}, requests one at a "
        "time: computed for every size, some are shown."
    ]
    if curve.approximation is not None:
        words.append(safe_line(curve.approximation))
    if curve.points[0].optimum_rate is not None:
        words.append("Optimum: what no choice of what to keep exceeds at this size, the future known.")
    if curve.model is not None:
        words.append(f"GiB of {safe_line(curve.model)}.")
    return " ".join(words)


def _wrapped(words: str, width: int) -> Iterator[Text]:
    from rich.text import Text

    for line in textwrap.wrap(words, max(20, width - 2)):
        yield Text("  " + line, "dim")

"""Tests of the capacity curve as text: it fits the width, says what it shows, and draws what the values say."""

from __future__ import annotations

from array import array
from dataclasses import replace

import pytest

from radixlint.capacity import CurveOptions, capacity_curve
from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._curve_lines import curve_lines
from radixlint.result.curve import Curve
from radixlint.traffic import TokenRequest


def sessions(count: int, turns: int, turn_tokens: int) -> list[TokenRequest]:
    """Return chats that take turns: session s, turn t is a prompt of t stretches of its own behind a shared one."""
    log = []
    for turn in range(turns):
        for session in range(count):
            ids = [1] * turn_tokens + [10 + session] * turn * turn_tokens
            log.append(TokenRequest(len(log), array("I", ids).tobytes(), time_s=float(len(log))))
    return log


def curve(**fields: object) -> Curve:
    found = capacity_curve(sessions(20, 6, 64), 16, CurveOptions(**fields))  # type: ignore[arg-type]
    assert found is not None
    return found


def text(shown: Curve, width: int = 80, *, is_ascii: bool = False) -> str:
    style = TextStyle(width=width)
    return drawn(curve_lines(shown, style, is_ascii=is_ascii), style)


@pytest.mark.parametrize("width", [80, 100, 120, 200])
@pytest.mark.parametrize("is_ascii", [False, True])
def test_every_line_fits(width: int, is_ascii: bool) -> None:
    """No line is wider than the style asks for, and the ASCII form holds nothing else."""
    shown = text(curve(kv_tokens=(3000,), kv_bytes_per_token=131072, model="m", has_optimum=True), width, is_ascii=is_ascii)

    assert max(map(len, shown.splitlines())) <= width
    assert shown.isascii() == is_ascii


def test_each_size_has_its_row() -> None:
    """Every point of the curve is a row with its size, GiB, rates and what is special about it."""
    shown = curve(kv_tokens=(3000,), kv_bytes_per_token=2**20, model="m", has_optimum=True)
    rows = [line.split() for line in text(shown).splitlines()]

    for point in shown.points:
        row = next(row for row in rows if row and row[0] == f"{point.kv_tokens:,}" and row[2].endswith("%"))
        assert point.optimum_rate is not None
        assert row[2:5] == [f"{rate:.1%}" for rate in (point.hit_rate, point.of_most_rate, point.optimum_rate)]
        assert ("asked" in row) == point.is_given
        assert ("smallest" in row) == (point.knee_rate is not None)
    assert any(point.is_given for point in shown.points)
    assert {point.knee_rate for point in shown.points} >= {0.5, 0.9, 1.0}


def test_picture_rises_to_the_right() -> None:
    """Down the picture the curve only moves left, and its left and right ends stand at the lowest and highest rate."""
    shown = curve()
    rows = [line.partition("|")[2] for line in text(shown, is_ascii=True).splitlines() if "|" in line]
    first = [min(row.index(mark) for mark in "*o" if mark in row) for row in rows if row.strip()]

    assert first == sorted(first, reverse=True)
    assert shown.line[0][1] <= 0.01 + shown.points[0].hit_rate
    assert shown.line[-1][1] == shown.most_hit_rate


def test_marks_stand_in_the_picture_only_for_sizes_on_its_axis() -> None:
    """A size that was asked for is marked where the axis reaches it; one beyond it, and no size at all, stay in the table."""
    assert "◆" in text(curve(kv_tokens=(3000,)))
    assert "◆" not in text(curve(kv_tokens=(10**9, 0)))
    assert "1,000,000,000" in text(curve(kv_tokens=(10**9,)))


def test_approximation_and_times_are_said() -> None:
    """An approximation is stated; lives are listed only where the log has times."""
    exact = curve()

    assert exact.is_exact
    assert "whole leaves" in text(replace(exact, approximation="It gives up whole leaves."))
    assert "shortest for the max" in text(exact)
    assert "time to live" not in text(replace(exact, ttl_points=None))


def test_nothing_used_again_is_a_sentence() -> None:
    """A log in which nothing comes back gives a sentence and no empty picture; one without tokens gives no curve."""
    once = capacity_curve([TokenRequest(0, array("I", range(64)).tobytes(), time_s=0.0)], 16, CurveOptions(kv_tokens=(99,)))
    assert once is not None

    assert text(once).splitlines()[1:] == ["  No size gives a hit: no full block of any prompt is used again."]
    assert capacity_curve([], 16, CurveOptions()) is None

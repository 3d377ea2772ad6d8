"""Where the places of findings stand in a request: between the fixed text in front of them and that behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from radixlint.api.joined_matches import Made
from radixlint.api.joined_template import Item, Place, Template
from radixlint.api.joined_units import RENDERED, Unit


class Region(NamedTuple):
    """What a place holds in one request: text ``start`` to ``end`` of a unit, blanks around it from ``opening`` on left out.

    ``value`` is that text, ``message`` the position of the message it is of (None in a prompt logged as the engine read it).
    """

    finding: int
    unit: int
    opening: int
    start: int
    end: int
    value: str
    message: int | None


def regions_of(template: Template, made: Made, units: Sequence[Unit]) -> list[Region]:
    """Return the regions of a template's places in a request it made, in wire order; of those that overlap the first.

    A place whose message cannot be told from others is left out.
    """
    found = (_region(template.items, place, made, units) for place in template.places)
    kept: list[Region] = []
    for region in sorted((one for one in found if one is not None), key=lambda one: (one.unit, one.start, one.end)):
        if not kept or (kept[-1].unit, kept[-1].end) <= (region.unit, region.start):
            kept.append(region)
    return kept


def _region(items: Sequence[Item], place: Place, made: Made, units: Sequence[Unit]) -> Region | None:
    before = max((i for i in made.spots if i < place.first), default=None)
    behind = min((i for i in made.spots if i > place.last), default=None)
    number = _unit_of(items, place, made, units, before, behind)
    if number is None:
        return None
    text = units[number].text
    ahead = made.spots[before] if before is not None else None
    after = made.spots[behind] if behind is not None else None
    start = ahead.end if ahead is not None and ahead.unit == number else 0
    end = after.start if after is not None and after.unit == number else len(text)
    first = 0 if before is None else before + 1
    last = len(items) if behind is None else behind
    opening = start = _left(items[first : place.first], text, start, end)
    end = _right(items[place.last + 1 : last], text, start, end, _has_long(items[place.first : place.last + 1]))
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    end -= len(inside) - len(inside.rstrip()) if inside.strip() else 0
    return Region(place.finding, number, opening, start, max(start, end), text[start:end], units[number].message)


def _unit_of(
    items: Sequence[Item], place: Place, made: Made, units: Sequence[Unit], before: int | None, behind: int | None
) -> int | None:
    """Return the text the place is in: that of fixed text of the same message, else the only one between the two."""
    item = items[place.first]
    for near in (before, behind):
        if near is not None and (items[near].message == item.message or units[made.spots[near].unit].role == RENDERED):
            return made.spots[near].unit
    first = 0 if before is None else made.spots[before].unit + 1
    last = len(units) if behind is None else made.spots[behind].unit
    held = [number for number in range(first, last) if units[number].may_hold(item.role)]
    return held[0] if len(held) == 1 else None


def _has_long(items: Sequence[Item]) -> bool:
    return any(item.is_long for item in items)


def _left(items: Sequence[Item], text: str, start: int, end: int) -> int:
    """Return where the place starts: behind the short fixed text that stands in front of it."""
    is_behind_long = False
    for item in items:
        is_behind_long |= item.is_long
        if item.text and item.is_required:
            at = text.rfind(item.text, start, end) if is_behind_long else text.find(item.text, start, end)
            start = at + len(item.text) if at >= 0 else start
            is_behind_long = False
    return start


def _right(items: Sequence[Item], text: str, start: int, end: int, is_long: bool) -> int:
    """Return where the place ends: at the short fixed text that stands behind it, which other values may follow."""
    values = [i for i, item in enumerate(items) if not item.text]
    for item in reversed(items[values[-1] + 1 if values else 0 :]):
        at = text.rfind(item.text, start, end) if item.is_required else -1
        end = at if at >= 0 else end
    if values:
        first = next((item.text for item in items[: values[0]] if item.is_required), None)
        at = -1 if first is None else text.rfind(first, start, end) if is_long else text.find(first, start, end)
        end = at if at >= 0 else end
    return end

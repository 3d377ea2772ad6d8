"""Which template made which request: its fixed lines stand in the request's texts, in order; the one with most of them counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from radixlint.api.joined_template import LEAST_CHARACTERS, Item, Template
from radixlint.api.joined_units import Unit


class Spot(NamedTuple):
    """Where an item stands in a request: the unit, and code points of its text, the end exclusive."""

    unit: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Made:
    """A template (by number) and where its anchors stand in a request, by item; ``characters`` of them were found."""

    template: int
    spots: dict[int, Spot]
    characters: int

    @property
    def units(self) -> frozenset[int]:
        """The texts of the request that it made, or a part of."""
        return frozenset(spot.unit for spot in self.spots.values())


@dataclass(slots=True)
class Matcher:
    """Finds the templates of requests; looks only for those of which a rare word is there.

    ``ambiguous`` counts the requests that several templates fit equally well.
    """

    templates: Sequence[Template]
    ambiguous: int = 0
    _keys: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _keyless: list[int] = field(default_factory=list)
    _known: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _whole: dict[tuple[int, str], Made | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words = [_inner_words(template) for template in self.templates]
        spread = Counter(word for some in words for word in some)
        for number, (template, some) in enumerate(zip(self.templates, words, strict=True)):
            if not template.can_be_told:
                continue
            if some:
                self._keys[min(some, key=lambda word: (spread[word], -len(word), word))].append(number)
            else:
                self._keyless.append(number)

    def made(self, units: Sequence[Unit]) -> list[Made]:
        """Return the templates that made a request; several where each made other texts of it."""
        found = [made for number in self._candidates(units) for made in self._tried(number, units)]
        found.sort(key=lambda made: (-made.characters, made.template))
        chosen: list[Made] = []
        taken: set[int] = set()
        is_ambiguous = False
        for made in found:
            if made.units & taken:
                continue
            equals = [
                other
                for other in found
                if other.template != made.template and other.characters == made.characters and other.units & made.units
            ]
            taken |= made.units.union(*(other.units for other in equals))
            is_ambiguous |= bool(equals)
            if not equals:
                chosen.append(made)
        self.ambiguous += is_ambiguous
        return chosen

    def _candidates(self, units: Sequence[Unit]) -> list[int]:
        found = set(self._keyless)
        for unit in units:
            known = self._known.get(unit.text)
            if known is None:
                keys = self._keys.keys() & set(unit.text.split())
                known = self._known[unit.text] = tuple(number for key in keys for number in self._keys[key])
            found.update(known)
        return sorted(found)

    def _tried(self, number: int, units: Sequence[Unit]) -> Iterator[Made]:
        template = self.templates[number]
        if template.has_roles:
            spots = _aligned(template.items, units)
            made = _made(number, template.items, spots)
            if made is not None:
                yield made
            return
        for at, unit in enumerate(units):
            if unit.may_hold(template.items[0].role):
                made = self._in_text(number, unit)
                if made is not None:
                    spots = {item: spot._replace(unit=at) for item, spot in made.spots.items()}
                    yield Made(number, spots, made.characters)

    def _in_text(self, number: int, unit: Unit) -> Made | None:
        key = number, unit.text
        if key not in self._whole:
            items = self.templates[number].items
            self._whole[key] = _made(number, items, _aligned(items, [unit]))
        return self._whole[key]


def _inner_words(template: Template) -> set[str]:
    """Return words that are whole wherever the template is printed: those at the ends of a line may touch a value."""
    required = (item.text.split() for item in template.items if item.is_anchor and item.is_required)
    return {word for words in required for word in words[1:-1]}


def _made(number: int, items: Sequence[Item], spots: dict[int, Spot] | None) -> Made | None:
    if spots is None:
        return None
    characters = sum(len(items[item].text) for item in spots)
    return Made(number, spots, characters) if characters >= LEAST_CHARACTERS else None


def _aligned(items: Sequence[Item], units: Sequence[Unit]) -> dict[int, Spot] | None:
    """Return where the anchors stand, each as early as those before it allow; None if one that each request holds is missing."""
    spots: dict[int, Spot] = {}
    at = Spot(0, 0, 0)
    required = [i for i, item in enumerate(items) if item.is_anchor and item.is_required]
    for message in dict.fromkeys(items[i].message for i in required):
        group = [i for i in required if items[i].message == message]
        found = _first_unit(items, group, units, at)
        if found is None:
            return None
        spots.update(zip(group, found, strict=True))
        at = found[-1]
    _add_optional(items, units, spots)
    return spots


def _first_unit(items: Sequence[Item], group: Sequence[int], units: Sequence[Unit], at: Spot) -> list[Spot] | None:
    """Return the anchors of one message in the first text that holds them all."""
    for number in range(at.unit, len(units)):
        if not units[number].may_hold(items[group[0]].role):
            continue
        found = _in_order(units[number].text, (items[i].text for i in group), at.end if number == at.unit else 0)
        if found is not None:
            return [Spot(number, start, end) for start, end in found]
    return None


def _in_order(text: str, anchors: Iterable[str], start: int) -> list[tuple[int, int]] | None:
    found: list[tuple[int, int]] = []
    for anchor in anchors:
        at = text.find(anchor, start)
        if at < 0:
            return None
        start = at + len(anchor)
        found.append((at, start))
    return found


def _add_optional(items: Sequence[Item], units: Sequence[Unit], spots: dict[int, Spot]) -> None:
    """Add what stands under conditions and in loops, between its neighbours."""
    behind = sorted(spots)
    last = Spot(0, 0, 0)
    for i, item in enumerate(items):
        if i in spots:
            last = spots[i]
        elif item.is_anchor:
            following = next((spots[j] for j in behind if j > i), None)
            found = _between(item, units, last, following)
            if found is not None:
                spots[i] = last = found


def _between(item: Item, units: Sequence[Unit], before: Spot, behind: Spot | None) -> Spot | None:
    end = len(units) - 1 if behind is None else behind.unit
    for number in range(before.unit, end + 1):
        if units[number].may_hold(item.role):
            text = units[number].text
            stop = behind.start if behind is not None and behind.unit == number else len(text)
            at = text.find(item.text, before.end if number == before.unit else 0, stop)
            if at >= 0:
                return Spot(number, at, at + len(item.text))
    return None

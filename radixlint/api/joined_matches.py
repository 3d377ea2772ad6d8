"""Which template made which request: its fixed lines stand in the request's texts, in order; the one with most of them counts."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from radixlint.api.joined_template import LEAST_CHARACTERS, Item, Template
from radixlint.api.joined_units import Unit
from radixlint.prompt import Role

_RARE_WORDS: Final = 6


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
    _more: list[frozenset[str]] = field(default_factory=list)
    _keyless: list[int] = field(default_factory=list)
    _plans: list[_Plan] = field(default_factory=list)
    _known: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _whole: dict[tuple[int, str], Made | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words = [_inner_words(template) for template in self.templates]
        spread = Counter(word for some in words for word in some)
        for number, (template, some) in enumerate(zip(self.templates, words, strict=True)):
            rare = sorted(some, key=lambda word: (spread[word], -len(word), word))
            self._plans.append(_plan(template.items))
            self._more.append(frozenset(rare[1:_RARE_WORDS]))
            if template.can_be_told:
                (self._keys[rare[0]] if rare else self._keyless).append(number)

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
        return sorted({number for unit in units for number in self._in_unit(unit)})

    def _in_unit(self, unit: Unit) -> tuple[int, ...]:
        """Return the templates of which a rare word is in a text; one with roles may have the others in other texts."""
        known = self._known.get(unit.text)
        if known is None:
            words = set(unit.text.split())
            found = (number for key in self._keys.keys() & words for number in self._keys[key])
            fits = [number for number in found if self.templates[number].has_roles or self._more[number] <= words]
            known = self._known[unit.text] = (*fits, *self._keyless)
        return known

    def _tried(self, number: int, units: Sequence[Unit]) -> Iterator[Made]:
        if self.templates[number].has_roles:
            made = self._made(number, units)
            if made is not None:
                yield made
            return
        for at, unit in enumerate(units):
            if number in self._in_unit(unit) and unit.may_hold(Role.TEXT):
                made = self._in_text(number, unit)
                if made is not None:
                    spots = {item: spot._replace(unit=at) for item, spot in made.spots.items()}
                    yield Made(number, spots, made.characters)

    def _in_text(self, number: int, unit: Unit) -> Made | None:
        key = number, unit.text
        if key not in self._whole:
            self._whole[key] = self._made(number, [unit])
        return self._whole[key]

    def _made(self, number: int, units: Sequence[Unit]) -> Made | None:
        spots = _aligned(self._plans[number], units)
        if spots is None:
            return None
        characters = sum(len(self.templates[number].items[item].text) for item in spots)
        return Made(number, spots, characters) if characters >= LEAST_CHARACTERS else None


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to look for, by number: the anchors that each request holds, by message, and those it may hold."""

    required: tuple[tuple[tuple[int, Item], ...], ...]
    optional: tuple[tuple[int, Item], ...]


def _plan(items: Sequence[Item]) -> _Plan:
    anchors = [(number, item) for number, item in enumerate(items) if item.is_anchor]
    by_message: dict[int, list[tuple[int, Item]]] = {}
    for number, item in anchors:
        if item.is_required:
            by_message.setdefault(item.message, []).append((number, item))
    optional = tuple((number, item) for number, item in anchors if not item.is_required)
    return _Plan(tuple(map(tuple, by_message.values())), optional)


def _inner_words(template: Template) -> set[str]:
    """Return words that are whole wherever the template is printed: those at the ends of a line may touch a value."""
    required = (item.text.split() for item in template.items if item.is_anchor and item.is_required)
    return {word for words in required for word in words[1:-1]}


def _aligned(plan: _Plan, units: Sequence[Unit]) -> dict[int, Spot] | None:
    """Return where the anchors stand, each as early as those before it allow; None if one that each request holds is missing."""
    spots: dict[int, Spot] = {}
    at = Spot(0, 0, 0)
    for group in plan.required:
        found = _first_unit(group, units, at)
        if found is None:
            return None
        spots.update(found)
        at = spots[group[-1][0]]
    _add_optional(plan.optional, units, spots)
    return spots


def _first_unit(group: Sequence[tuple[int, Item]], units: Sequence[Unit], at: Spot) -> dict[int, Spot] | None:
    """Return the anchors of one message in the first text that holds them all."""
    role = group[0][1].role
    for number in range(at.unit, len(units)):
        if units[number].may_hold(role):
            found = _in_order(units[number].text, group, number, at.end if number == at.unit else 0)
            if found is not None:
                return found
    return None


def _in_order(text: str, anchors: Sequence[tuple[int, Item]], unit: int, start: int) -> dict[int, Spot] | None:
    found: dict[int, Spot] = {}
    for number, item in anchors:
        at = text.find(item.text, start)
        if at < 0:
            return None
        start = at + len(item.text)
        found[number] = Spot(unit, at, start)
    return found


def _add_optional(optional: Sequence[tuple[int, Item]], units: Sequence[Unit], spots: dict[int, Spot]) -> None:
    """Add what stands under conditions and in loops, each between its neighbours."""
    behind = sorted(spots)
    for number, item in optional:
        before = max((i for i in spots if i < number), default=None)
        at = bisect_right(behind, number)
        following = spots[behind[at]] if at < len(behind) else None
        found = _between(item, units, Spot(0, 0, 0) if before is None else spots[before], following)
        if found is not None:
            spots[number] = found


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

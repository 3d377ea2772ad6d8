"""A change of uncached tokens, taken apart into volume, mix, content, prompt and engine, so that the parts add up to it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from radixlint.api.compared_kinds import LEAST_REQUESTS, Kind
from radixlint.result.comparison import Effects, MixGroup

_FIELDS: Final = Kind.__struct_fields__
_LEAST_COMMON_SHARE: Final = 0.5
_STANDARD_ERRORS: Final = 2.0

Key = tuple[str | None, ...]


class Row(Struct, frozen=True):
    """One counted request: of ``prompt_tokens``, ``uncached_tokens`` were computed; a break lost ``lost_tokens`` of these, and
    ``short_tokens`` were shareable and not served. The rest had not been sent before. ``owner`` is its conversation.
    """

    kind: Kind
    owner: object
    prompt_tokens: int
    uncached_tokens: int
    lost_tokens: float
    short_tokens: float


class Sums(Struct):
    """Sums over rows."""

    requests: int = 0
    prompt_tokens: int = 0
    uncached_tokens: int = 0
    lost_tokens: float = 0.0
    short_tokens: float = 0.0

    def add(self, row: Row) -> None:
        """Count one more row."""
        self.requests += 1
        self.prompt_tokens += row.prompt_tokens
        self.uncached_tokens += row.uncached_tokens
        self.lost_tokens += row.lost_tokens
        self.short_tokens += row.short_tokens

    @property
    def rates(self) -> tuple[float, float, float]:
        """New, lost and short tokens / prompt tokens: together the uncached share."""
        whole = max(self.prompt_tokens, 1)
        lost, short = self.lost_tokens / whole, self.short_tokens / whole
        return self.uncached_tokens / whole - lost - short, lost, short


def sums_of(rows: Iterable[Row]) -> Sums:
    """Return the sums over ``rows``."""
    sums = Sums()
    for row in rows:
        sums.add(row)
    return sums


class Mixture:
    """Two parts as kinds of requests.

    Kinds are told apart by those fields of which both parts have at least half of their tokens in common: a model that
    replaced another one is no mix of the two. What there are fewer than 5 requests of is told apart less closely.
    """

    def __init__(self, before: Sequence[Row], after: Sequence[Row]) -> None:
        parts = before, after
        self.fields = tuple(field for field in _FIELDS if _is_common(parts, field))
        self._sides: tuple[dict[Key, Sums], dict[Key, Sums]] = ({}, {})
        self._keys = _assigned([[self._key(row) for row in part] for part in parts])
        for part, keys, side in zip(parts, self._keys, self._sides, strict=True):
            for row, key in zip(part, keys, strict=True):
                side.setdefault(key, Sums()).add(row)
        self.totals = tuple(sums_of(part) for part in parts)
        self._parts = parts

    def _key(self, row: Row) -> Key:
        return tuple(getattr(row.kind, field) for field in self.fields)

    def _shares(self, key: Key) -> tuple[float, float]:
        one, other = (
            side[key].prompt_tokens / max(total.prompt_tokens, 1) if key in side else 0.0
            for side, total in zip(self._sides, self.totals, strict=True)
        )
        return one, other

    def rates(self) -> tuple[float, float, float, float]:
        """Return how the uncached share changed by mix, content, prompt and engine; what only one part has is mix."""
        mix, within = 0.0, [0.0, 0.0, 0.0]
        for key in dict.fromkeys((*self._sides[0], *self._sides[1])):
            old, new = (side.get(key) for side in self._sides)
            share_before, share_after = self._shares(key)
            latest = new or old
            assert latest is not None
            mix += (share_after - share_before) * sum(latest.rates)
            if old and new:
                for i, (one, other) in enumerate(zip(old.rates, new.rates, strict=True)):
                    within[i] += share_before * (other - one)
        return mix, *within

    def groups(self) -> list[MixGroup]:
        """Return the kinds, those first that changed the rate most by their shares."""
        made = []
        for key in dict.fromkeys((*self._sides[0], *self._sides[1])):
            named = dict(zip(self.fields, key, strict=False))
            old, new = (side.get(key) for side in self._sides)
            before, after = self._shares(key)
            latest = new or old
            assert latest is not None
            made.append(
                MixGroup(
                    **{field: named.get(field) for field in _FIELDS},
                    share_before_rate=before,
                    share_after_rate=after,
                    uncached_before_rate=sum(old.rates) if old else None,
                    uncached_after_rate=sum(new.rates) if new else None,
                    mix_rate=(after - before) * sum(latest.rates),
                )
            )
        return sorted(made, key=lambda group: (-abs(group.mix_rate), -group.share_before_rate, -group.share_after_rate))

    def margin(self, *, within: bool) -> float:
        """Return how far the rates of two such parts differ by chance; ``within`` kinds, or with the mix of these."""
        variance = 0.0
        for part, keys, side, total in zip(self._parts, self._keys, self._sides, self.totals, strict=True):
            whole = sum(total.rates)
            owed: dict[object, float] = {}
            for row, key in zip(part, keys, strict=True):
                usual = sum(side[key].rates) if within else whole
                owed[row.owner] = owed.get(row.owner, 0.0) + row.uncached_tokens - usual * row.prompt_tokens
            variance += sum(one * one for one in owed.values()) / max(total.prompt_tokens, 1) ** 2
        return _STANDARD_ERRORS * math.sqrt(variance)


def effects_of(mixture: Mixture, days: tuple[float, float] | None) -> Effects:
    """Return the change of uncached tokens a day, in its parts; without ``days`` as if both parts had as many prompt tokens."""
    before, after = mixture.totals
    mix, content, prompt, engine = mixture.rates()
    if days is None:
        ratio, scale = after.prompt_tokens / max(before.prompt_tokens, 1), 1.0
    else:
        ratio, scale = 1 / days[0], 1 / days[1]
    change = round(after.uncached_tokens * scale - before.uncached_tokens * ratio)
    volume = (after.prompt_tokens * scale - before.prompt_tokens * ratio) * sum(before.rates)
    size = after.prompt_tokens * scale
    parts = _whole_numbers([volume, *(rate * size for rate in (mix, content, prompt, engine))], change)
    return Effects(change, *parts, mix, content, prompt, engine)


def _whole_numbers(parts: Sequence[float], total: int) -> list[int]:
    """Return ``parts``, which add up to about ``total``, as integers that add up to it."""
    found, so_far = [], 0.0
    for part in parts:
        found.append(round(so_far + part) - round(so_far))
        so_far += part
    largest = max(range(len(parts)), key=lambda i: abs(parts[i]))
    found[largest] += total - sum(found)
    return found


def _is_common(parts: Sequence[Sequence[Row]], field: str) -> bool:
    """Whether both parts have their tokens mostly with the same values of ``field``, and more than one of these."""
    weights: list[Counter[str | None]] = [Counter(), Counter()]
    for part, weight in zip(parts, weights, strict=True):
        for row in part:
            weight[getattr(row.kind, field)] += row.prompt_tokens
    common = set(weights[0]) & set(weights[1])
    shares = [sum(weight[value] for value in common) / max(weight.total(), 1) for weight in weights]
    return len(set(weights[0]) | set(weights[1])) > 1 and min(shares) >= _LEAST_COMMON_SHARE


def _assigned(keys: list[list[Key]]) -> list[list[Key]]:
    """Return the keys cut to as many fields as at least 5 requests of one part have in common."""
    found: list[list[Key | None]] = [[None] * len(part) for part in keys]
    length = max((len(key) for part in keys for key in part), default=0)
    for size in range(length, 0, -1):
        counts = [Counter(key[:size] for key, done in zip(part, own, strict=True) if done is None) for part, own in zip(keys, found, strict=True)]
        for part, own in zip(keys, found, strict=True):
            for i, key in enumerate(part):
                if own[i] is None and max(count[key[:size]] for count in counts) >= LEAST_REQUESTS:
                    own[i] = key[:size]
    return [[() if key is None else key for key in part] for part in found]

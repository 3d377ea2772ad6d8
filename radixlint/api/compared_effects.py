"""A change of uncached tokens, taken apart into volume, mix, content, prompt and engine, so that the parts add up to it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from radixlint.api.compared_kinds import LEAST_REQUESTS, Kind
from radixlint.result.comparison import Effects, MixGroup

_FIELDS: Final = Kind.__struct_fields__
_DEPTH: Final = "depth"
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
    """Sums over rows; ``broken`` are those that lost something to a break."""

    requests: int = 0
    prompt_tokens: int = 0
    uncached_tokens: int = 0
    lost_tokens: float = 0.0
    short_tokens: float = 0.0
    broken_tokens: int = 0
    broken_new_tokens: float = 0.0

    def add(self, row: Row) -> None:
        """Count one more row."""
        self.requests += 1
        self.prompt_tokens += row.prompt_tokens
        self.uncached_tokens += row.uncached_tokens
        self.lost_tokens += row.lost_tokens
        self.short_tokens += row.short_tokens
        if row.lost_tokens:
            self.broken_tokens += row.prompt_tokens
            self.broken_new_tokens += row.uncached_tokens - row.lost_tokens - row.short_tokens

    @property
    def new_tokens(self) -> float:
        """Uncached tokens that are neither lost nor short."""
        return self.uncached_tokens - self.lost_tokens - self.short_tokens

    @property
    def uncached_rate(self) -> float:
        """Uncached tokens / prompt tokens."""
        return self.uncached_tokens / max(self.prompt_tokens, 1)

    def rates(self, usual_new_rate: float | None) -> tuple[float, float, float]:
        """Return new, lost and short tokens / prompt tokens: together the uncached share.

        What is new in broken requests beyond ``usual_new_rate`` is text that the break kept from being shared: lost too.
        """
        excess = 0.0
        if usual_new_rate is not None:
            excess = max(0.0, self.broken_new_tokens - usual_new_rate * self.broken_tokens)
        whole = max(self.prompt_tokens, 1)
        return (self.new_tokens - excess) / whole, (self.lost_tokens + excess) / whole, self.short_tokens / whole


def sums_of(rows: Iterable[Row]) -> Sums:
    """Return the sums over ``rows``."""
    sums = Sums()
    for row in rows:
        sums.add(row)
    return sums


class Mixture:
    """Two parts as kinds of requests.

    Kinds are told apart by those fields of which both parts have at least half of their tokens in common: a model that
    replaced another one is no mix of the two. How far conversations have come always counts. What there are fewer than 5
    requests of is told apart less closely.
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

    def _each(self) -> Iterator[tuple[Key, Sums | None, Sums | None]]:
        for key in dict.fromkeys((*self._sides[0], *self._sides[1])):
            yield key, self._sides[0].get(key), self._sides[1].get(key)

    def rates(self) -> tuple[float, float, float, float]:
        """Return how the uncached share changed by mix, content, prompt and engine.

        Other shares are mix, also a kind that only one part has; but not what breaks lose more than before.
        """
        mix, within = 0.0, [0.0, 0.0, 0.0]
        for key, old, new in self._each():
            share_before, share_after = self._shares(key)
            usual = _usual_new_rate(old, new)
            if old and new:
                rates = list(zip(old.rates(usual), new.rates(usual), strict=True))
                more_lost = max(0.0, rates[1][1] - rates[1][0])
                mix += (share_after - share_before) * (new.uncached_rate - more_lost)
                within[1] += (share_after - share_before) * more_lost
                for i, (one, other) in enumerate(rates):
                    within[i] += share_before * (other - one)
            elif some := new or old:
                share = share_after - share_before
                lost = some.rates(usual)[1]
                mix += share * (some.uncached_rate - lost)
                within[1] += share * lost
        return mix, within[0], within[1], within[2]

    def same_mix_rate(self) -> float | None:
        """Return the hit rate with the old shares and the new rate of each kind, None for an empty part."""
        if not all(total.prompt_tokens for total in self.totals):
            return None
        shares = ((self._shares(key)[0], new or old) for key, old, new in self._each())
        return 1 - sum(share * some.uncached_rate for share, some in shares if some)

    def groups(self) -> list[MixGroup]:
        """Return the kinds, those first that changed the rate most by their shares."""
        made = []
        for key, old, new in self._each():
            named = dict(zip(self.fields, key, strict=False))
            before, after = self._shares(key)
            rates = [None if some is None else some.uncached_rate for some in (old, new)]
            made.append(
                MixGroup(
                    model=named.get("model"),
                    tenant=named.get("tenant"),
                    template=named.get("template"),
                    depth=named.get("depth"),
                    share_before_rate=before,
                    share_after_rate=after,
                    uncached_before_rate=rates[0],
                    uncached_after_rate=rates[1],
                    mix_rate=(after - before) * (rates[1] if rates[1] is not None else rates[0] or 0.0),
                )
            )
        return sorted(made, key=lambda group: (-abs(group.mix_rate), -group.share_before_rate, -group.share_after_rate))

    def margin(self, *, within: bool) -> float:
        """Return how far the rates of two such parts differ by chance; ``within`` kinds, or with the mix of these."""
        variance = 0.0
        for part, keys, side, total in zip(self._parts, self._keys, self._sides, self.totals, strict=True):
            owed: dict[object, float] = {}
            for row, key in zip(part, keys, strict=True):
                usual = (side[key] if within else total).uncached_rate
                owed[row.owner] = owed.get(row.owner, 0.0) + row.uncached_tokens - usual * row.prompt_tokens
            variance += sum(one * one for one in owed.values()) / max(total.prompt_tokens, 1) ** 2
        return _STANDARD_ERRORS * math.sqrt(variance)


def effects_of(mixture: Mixture, factors: tuple[float, float]) -> Effects:
    """Return the change of uncached tokens in its parts; ``factors`` make tokens of each part those of the unit of the report."""
    before, after = mixture.totals
    mix, content, prompt, engine = mixture.rates()
    ratio, scale = factors
    change = round(after.uncached_tokens * scale - before.uncached_tokens * ratio)
    volume = (after.prompt_tokens * scale - before.prompt_tokens * ratio) * before.uncached_rate
    size = after.prompt_tokens * scale
    parts = _whole_numbers([volume, *(rate * size for rate in (mix, content, prompt, engine))], change)
    return Effects(
        change_tokens=change,
        volume_tokens=parts[0],
        mix_tokens=parts[1],
        content_tokens=parts[2],
        prompt_tokens=parts[3],
        engine_tokens=parts[4],
        mix_rate=mix,
        content_rate=content,
        prompt_rate=prompt,
        engine_rate=engine,
    )


def _whole_numbers(parts: Sequence[float], total: int) -> list[int]:
    """Return ``parts``, which add up to about ``total``, as integers that add up to it."""
    found, so_far = [], 0.0
    for part in parts:
        found.append(round(so_far + part) - round(so_far))
        so_far += part
    largest = max(range(len(parts)), key=lambda i: abs(parts[i]))
    found[largest] += total - sum(found)
    return found


def _usual_new_rate(old: Sums | None, new: Sums | None) -> float | None:
    """Return the share of new text in requests of both parts that are not broken, None without any."""
    both = [some for some in (old, new) if some]
    whole = sum(some.prompt_tokens - some.broken_tokens for some in both)
    return sum(some.new_tokens - some.broken_new_tokens for some in both) / whole if whole else None


def _is_common(parts: Sequence[Sequence[Row]], field: str) -> bool:
    """Whether ``field`` has several values, and both parts have their tokens mostly with the same ones."""
    weights: list[Counter[str | None]] = [Counter(), Counter()]
    for part, weight in zip(parts, weights, strict=True):
        for row in part:
            weight[getattr(row.kind, field)] += row.prompt_tokens
    common = set(weights[0]) & set(weights[1])
    shares = [sum(weight[value] for value in common) / max(weight.total(), 1) for weight in weights]
    has_several = len(set(weights[0]) | set(weights[1])) > 1
    return has_several and (field == _DEPTH or min(shares) >= _LEAST_COMMON_SHARE)


def _assigned(keys: list[list[Key]]) -> list[list[Key]]:
    """Return the keys cut to as many fields as at least 5 requests of one part have in common."""
    found: list[list[Key | None]] = [[None] * len(part) for part in keys]
    length = max((len(key) for part in keys for key in part), default=0)
    for size in range(length, 0, -1):
        counts = [
            Counter(key[:size] for key, done in zip(part, own, strict=True) if done is None)
            for part, own in zip(keys, found, strict=True)
        ]
        for part, own in zip(keys, found, strict=True):
            for i, key in enumerate(part):
                if own[i] is None and max(count[key[:size]] for count in counts) >= LEAST_REQUESTS:
                    own[i] = key[:size]
    return [[() if key is None else key for key in part] for part in found]

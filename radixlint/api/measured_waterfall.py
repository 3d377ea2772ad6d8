"""Where the prompt tokens go: one replay for each rule that applies, each with one rule more than the last."""

from __future__ import annotations

import operator
from array import array
from collections import Counter
from collections.abc import Sequence

from msgspec import structs

from radixlint.replay import Replayed, replay
from radixlint.result.cause import Cause
from radixlint.result.measurement import WaterfallEntry
from radixlint.traffic import CachePolicy, TokenRequest


class Waterfall:
    """The losses of each request, by cause, in the order of attribution.

    Every request's prompt splits into what was hit, one loss a rule, and what no earlier request had as a prefix. Of this,
    what stands behind a break and was sent before is lost by the cause of the break; the rest is new. A rule that lets a
    request hit more than the stage before it (evicting by whole leaves can) is credited with nothing: the loss before it
    is that much smaller, so all parts stay >= 0 and add up.

    Args:
        requests: the requests as tokens.
        policy: the rules of the cache.
        replayed: the replay under them.
        causes: what each request lost its tokens by, one cause a request, and ``lost_tokens`` how many; None where nothing
            was explained.
    """

    def __init__(
        self,
        requests: Sequence[TokenRequest],
        policy: CachePolicy,
        replayed: Replayed,
        causes: Sequence[Cause] | None = None,
        lost_tokens: Sequence[int] = (),
    ) -> None:
        matches = replayed.matches
        stages = [(cause, _engine_tokens(requests, stage, policy, replayed)) for cause, stage in _stages(policy)]
        levels = [array("q", (m.shareable_tokens for m in matches)), *(tokens for _, tokens in stages)]
        for upper, lower in zip(reversed(levels[:-1]), reversed(levels[1:]), strict=True):
            for position, tokens in enumerate(lower):
                upper[position] = max(upper[position], tokens)
        self._matches = matches
        self._causes, self._lost_tokens = causes, lost_tokens
        self._losses = [
            (cause, array("q", map(operator.sub, upper, lower)))
            for (cause, _), upper, lower in zip(stages, levels, levels[1:], strict=False)
        ]

    def entries(self) -> tuple[WaterfallEntry, ...]:
        """Return the sums: ``hit``, what was new, each break's cause (most tokens first), then each rule's; they add up to the
        prompt tokens.
        """
        hit = sum(m.engine_tokens for m in self._matches)
        not_shared: Counter[str] = Counter({self._rest_cause: 0})
        for position in range(len(self._matches)):
            for tokens, cause in self._not_shared(position):
                not_shared[cause] += tokens
        first = WaterfallEntry(self._rest_cause, not_shared.pop(self._rest_cause))
        broken = sorted(not_shared.items(), key=lambda entry: (-entry[1], entry[0]))
        losses = [WaterfallEntry(cause, sum(tokens)) for cause, tokens in self._losses]
        return (WaterfallEntry(Cause.HIT.value, hit), first, *(WaterfallEntry(*entry) for entry in broken), *losses)

    def cause(self, position: int) -> str:
        """Return the cause of most of what was computed of one request, ``hit`` if nothing was."""
        losses = [*self._not_shared(position), *((tokens[position], cause) for cause, tokens in self._losses)]
        most, cause = max(losses, key=lambda loss: loss[0])
        return cause if most else Cause.HIT.value

    def lost_by(self, cause: str) -> Sequence[int]:
        """Return what each request lost by one rule, nothing if the policy has no such rule."""
        return next((tokens for name, tokens in self._losses if name == cause), ())

    def parts(self, position: int) -> tuple[WaterfallEntry, ...]:
        """Return where the tokens of one request went; they add up to its prompt tokens."""
        hit = WaterfallEntry(Cause.HIT.value, self._matches[position].engine_tokens)
        losses = [*self._not_shared(position), *((tokens[position], cause) for cause, tokens in self._losses)]
        return (hit, *(WaterfallEntry(cause, tokens) for tokens, cause in losses if tokens))

    @property
    def _rest_cause(self) -> str:
        return (Cause.UNKNOWN if self._causes is None else Cause.NEW_CONTENT).value

    def _not_shared(self, position: int) -> list[tuple[int, str]]:
        """Return the tokens of one request that no earlier one had as a prefix, by cause."""
        match = self._matches[position]
        rest = match.prompt_tokens - match.engine_tokens - sum(tokens[position] for _, tokens in self._losses)
        lost = min(rest, self._lost_tokens[position]) if self._causes is not None else 0
        found = [(rest - lost, self._rest_cause)]
        return [*found, (lost, self._causes[position].value)] if self._causes is not None and lost else found


def _stages(policy: CachePolicy) -> list[tuple[str, CachePolicy]]:
    """Return the rules that apply, each with the policy that has it and all before it; the last is ``policy`` itself."""
    plain = structs.replace(
        policy, match="block", store="tree", min_tokens=0, ttl_s=None, long_ttl_s=None, kv_tokens=None, replicas=1, in_flight=0
    )
    marked = structs.replace(policy, ttl_s=None, long_ttl_s=None, kv_tokens=None, replicas=1, in_flight=0)
    unlimited_stores = ("tree", "block-pool", "lru-blocks")
    if policy.match == "block" and policy.store in unlimited_stores:
        marked = structs.replace(plain, min_tokens=policy.min_tokens)
    steps = [
        ("block-floor", plain),
        ("below-minimum" if policy.match == "block" else "marker", marked),
        ("parallel-start", structs.replace(marked, in_flight=policy.in_flight)),
        ("ttl", structs.replace(marked, in_flight=policy.in_flight, ttl_s=policy.ttl_s, long_ttl_s=policy.long_ttl_s)),
        ("routing", structs.replace(policy, kv_tokens=None)),
        ("capacity", policy),
    ]
    kept = steps[:1]
    for cause, stage in steps[1:]:
        if not _is_alike(stage, kept[-1][1]):
            kept.append((cause, stage))
    return kept


def _is_alike(one: CachePolicy, other: CachePolicy) -> bool:
    """Whether two policies answer alike; an unlimited store is as good as any other."""
    if (
        one.kv_tokens is None
        and other.kv_tokens is None
        and one.match == other.match == "block"
        and "slots" not in (one.store, other.store)
    ):
        one, other = (structs.replace(p, store="tree", chunk_tokens=None) for p in (one, other))
    return one == other


def _engine_tokens(requests: Sequence[TokenRequest], stage: CachePolicy, policy: CachePolicy, replayed: Replayed) -> array[int]:
    matches = replayed.matches if _is_alike(stage, policy) else replay(requests, stage).matches
    return array("q", (m.engine_tokens for m in matches))

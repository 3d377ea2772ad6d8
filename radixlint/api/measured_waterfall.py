"""Where the prompt tokens go: one replay for each rule that applies, each with one rule more than the last."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Sequence
from typing import Final

from msgspec import structs

from radixlint.replay import Replayed, replay
from radixlint.result.measurement import WaterfallEntry
from radixlint.traffic import CachePolicy, TokenRequest

NOT_SHARED: Final = "unknown"


class Waterfall:
    """The losses of each request, by cause, in the order of attribution.

    Every request's prompt splits into what was hit, one loss a rule, and what no earlier request had. A rule that lets a
    request hit more than the stage before it (evicting by whole leaves can) is credited with nothing: the loss before it
    is that much smaller, so all parts stay >= 0 and add up.
    """

    def __init__(self, requests: Sequence[TokenRequest], policy: CachePolicy, replayed: Replayed) -> None:
        matches = replayed.matches
        stages = [(cause, _engine_tokens(requests, stage, policy, replayed)) for cause, stage in _stages(policy)]
        levels = [array("q", (m.shareable_tokens for m in matches)), *(tokens for _, tokens in stages)]
        for upper, lower in zip(reversed(levels[:-1]), reversed(levels[1:]), strict=True):
            for position, tokens in enumerate(lower):
                upper[position] = max(upper[position], tokens)
        self._matches = matches
        self._losses = [
            (cause, array("q", map(operator.sub, upper, lower)))
            for (cause, _), upper, lower in zip(stages, levels, levels[1:], strict=False)
        ]

    def entries(self) -> tuple[WaterfallEntry, ...]:
        """Return the sums: ``hit`` first, then each rule's, then what was not shared; they add up to the prompt tokens."""
        hit = sum(m.engine_tokens for m in self._matches)
        losses = [WaterfallEntry(cause, sum(tokens)) for cause, tokens in self._losses]
        rest = sum(m.prompt_tokens for m in self._matches) - hit - sum(entry.tokens for entry in losses)
        return (WaterfallEntry("hit", hit), *losses, WaterfallEntry(NOT_SHARED, rest))

    def cause(self, position: int) -> str:
        """Return the cause of most of what was computed of one request, ``hit`` if nothing was."""
        match = self._matches[position]
        losses = [(tokens[position], cause) for cause, tokens in self._losses]
        losses.insert(0, (match.prompt_tokens - match.engine_tokens - sum(tokens for tokens, _ in losses), NOT_SHARED))
        most, cause = max(losses, key=lambda loss: loss[0])
        return cause if most else "hit"


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

"""Requests through a prefix cache of unlimited size, one after the other: how much of each prompt was there already."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from radixlint.radix import RadixTree
from radixlint.traffic import TOKEN_BYTES, CachePolicy, Match, TokenRequest


class Replayed(Struct, frozen=True):
    """What one replay saw.

    ``matches`` and ``partners`` stand in the order of the requests. A partner is the position of the earlier request whose
    cached tokens this request left last (it may have been used up whole), None where nothing was shared.
    ``distinct_tokens`` is what the cache holds at the end, each shared token once.
    """

    matches: list[Match]
    partners: list[int | None]
    distinct_tokens: int

    def under(self, policy: CachePolicy) -> Replayed:
        """Return the same replay under another policy: what was shareable stays, the engine's rounding is done anew."""
        matches = [_match(m.index, m.prompt_tokens, m.shareable_tokens, policy) for m in self.matches]
        return structs.replace(self, matches=matches)


def replay(requests: Sequence[TokenRequest], policy: CachePolicy) -> Replayed:
    """Serve ``requests`` one after the other, each finished before the next, from a cache that never evicts.

    Shareable tokens are the longest prefix that anything cached in the request's namespace has in common with the
    prompt; the last prompt token may count. Engine tokens are capped so that ``policy.computed_tail_tokens`` remain to be
    computed, then cut down to whole blocks. Prompt and output enter the cache. One token-level tree answers for every
    block size, because cutting down both the cached sequence and the match cannot cut more than cutting down the match.

    Raises:
        ValueError: the policy has a limited size; that takes a cache with eviction.

    Source: SGLang 0.5.23 ``UnifiedRadixCache`` and vLLM 0.33.0 ``KVCacheManager``, equal to both wherever room is ample.
    """
    if policy.kv_tokens is not None:
        raise ValueError("this replay models a cache of unlimited size")
    tree = RadixTree()
    matches: list[Match] = []
    partners: list[int | None] = []
    distinct_tokens = 0
    for position, request in enumerate(requests):
        sequence = request.tokens + request.output if request.output else request.tokens
        inserted = tree.insert(sequence, now=position, namespace=request.namespace, owner=position)
        shareable_tokens = min(inserted.matched_tokens, request.prompt_tokens)
        matches.append(_match(request.index, request.prompt_tokens, shareable_tokens, policy))
        partners.append(inserted.partner)
        distinct_tokens += len(sequence) // TOKEN_BYTES - inserted.matched_tokens
    return Replayed(matches, partners, distinct_tokens)


def _match(index: int, prompt_tokens: int, shareable_tokens: int, policy: CachePolicy) -> Match:
    reusable_tokens = max(0, min(shareable_tokens, prompt_tokens - policy.computed_tail_tokens))
    engine_tokens = reusable_tokens - reusable_tokens % policy.block_tokens
    return Match(index, prompt_tokens, shareable_tokens, engine_tokens)

"""Requests through a prefix cache, one after the other: how much of each prompt was there already."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from msgspec import Struct, structs

from radixlint.radix import PartsTree
from radixlint.replay.cache_choice import is_plain
from radixlint.replay.fleet import Fleet
from radixlint.replay.hit_size import hit_size
from radixlint.replay.number_columns import NumberColumns, held, match_columns, number_or_none
from radixlint.replay.parted_request import PartedRequests, in_one_part
from radixlint.replay.request_rules import rules_for
from radixlint.traffic import TOKEN_BYTES, CachePolicy, Match, TokenRequest


class Replayed(Struct, frozen=True):
    """What one replay saw.

    ``matches`` and ``partners`` stand in the order of the requests. A partner is the position of the earlier request whose
    cached tokens this request left last (it may have been used up whole), None where nothing was shared. ``stored_tokens``
    says how long each request's prompt and output are together, ``matched_tokens`` how much of that, from the start, they
    have in common with the partner's. ``distinct_tokens`` is what an unlimited cache holds at the end, each shared token
    once. ``id_tokens`` says for each request how many tokens an id stands for. ``written`` says for each how many tokens it
    wrote to the cache at a price and how many of them for the longer time to live; it is empty where writes have no price.
    A log may have millions of requests, so all of it is held as plain numbers.
    """

    matches: NumberColumns[Match]
    partners: NumberColumns[int | None]
    matched_tokens: array[int]
    stored_tokens: array[int]
    distinct_tokens: int
    id_tokens: array[int]
    written: NumberColumns[tuple[int, int]]

    def under(self, policy: CachePolicy) -> Replayed:
        """Return the same replay under another policy: what was shareable stays, the engine's rounding is done anew.

        The requests have no limits of their own under it.

        Raises:
            ValueError: the policy hits less than an unlimited cache holds in whole blocks (``is_plain``).
        """
        if not is_plain(policy):
            raise ValueError("only a cache of unlimited size that matches blocks needs no replay of its own")
        matches = match_columns()
        for match, ids in zip(self.matches, self.id_tokens, strict=True):
            hit = hit_size(match.prompt_tokens, -(-match.shareable_tokens // ids), ids, policy)
            matches.append(match.index, match.prompt_tokens, match.shareable_tokens, hit.tokens, hit.blocks)
        return structs.replace(self, matches=matches, written=_no_writes())


def replay(requests: Sequence[TokenRequest], policy: CachePolicy) -> Replayed:
    """Serve ``requests`` one after the other, each finished before the next, under ``policy``.

    Shareable tokens are the longest prefix that anything before in the request's namespace has in common with the
    prompt; the last prompt token may count, and no size limit does. Engine tokens are what the policy's own cache hits; its
    prompts and outputs enter as the engine lets them. Each request is looked at once.

    A cache of unlimited size that matches blocks needs no structure of its own: cutting down both the cached sequence and
    the match cannot cut more than cutting down the match.

    Raises:
        ConfigError: there is no such cache, or its figures do not go together.

    Source: SGLang 0.5.23 ``UnifiedRadixCache`` and vLLM 0.33.0 ``KVCacheManager``.
    """
    fleet = None if is_plain(policy) else Fleet(policy)
    trees: dict[int, PartsTree] = {}
    parted = requests.parted if isinstance(requests, PartedRequests) else None
    replayed = _nothing_yet()
    distinct_tokens = 0
    for position in range(len(requests)):
        whole = None if fleet is None and parted else requests[position]
        asked = parted(position) if parted else in_one_part(requests[position])
        ids, prompt_tokens = asked.id_tokens, asked.prompt_tokens
        tree = trees.get(ids) or trees.setdefault(ids, PartsTree())
        inserted = tree.insert((*asked.parts, asked.output), namespace=asked.namespace, owner=position)
        matched, prompt_ids = inserted.matched_tokens, sum(map(len, asked.parts)) // TOKEN_BYTES
        output_ids = len(asked.output) // TOKEN_BYTES
        found_ids = min(matched, prompt_ids)
        hit = fleet.serve(whole) if fleet and whole else hit_size(prompt_tokens, found_ids, ids, rules_for(asked.limits, policy))
        if policy.match == "breakpoint":
            replayed.written.append(hit.written_tokens, hit.written_long_tokens)
        shareable = min(found_ids * ids, prompt_tokens)
        replayed.matches.append(asked.index, prompt_tokens, shareable, hit.tokens, hit.blocks)
        replayed.partners.append(held(inserted.partner))
        replayed.matched_tokens.append(matched * ids)
        replayed.stored_tokens.append(prompt_tokens + output_ids * ids)
        replayed.id_tokens.append(ids)
        distinct_tokens += (prompt_ids + output_ids - matched) * ids
    return structs.replace(replayed, distinct_tokens=distinct_tokens)


def _nothing_yet() -> Replayed:
    partners = NumberColumns.empty(number_or_none, 1)
    return Replayed(match_columns(), partners, array("q"), array("q"), 0, array("q"), _no_writes())


def _no_writes() -> NumberColumns[tuple[int, int]]:
    return NumberColumns.empty(lambda every, long: (every, long), 2)

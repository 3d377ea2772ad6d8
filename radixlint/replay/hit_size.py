"""From leading ids found to a hit: the computed tail, whole blocks and the minimum, in tokens or in block ids."""

from __future__ import annotations

from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.traffic import TOKEN_BYTES, CachePolicy, TokenRequest


def block_ids(policy: CachePolicy, id_tokens: int) -> int:
    """Return how many ids of ``id_tokens`` tokens a block of ``policy`` holds, at least one."""
    return max(1, policy.block_tokens // id_tokens)


def capacity_ids(policy: CachePolicy, id_tokens: int) -> int | None:
    """Return the room of ``policy`` in ids, None for no limit."""
    return None if policy.kv_tokens is None else policy.kv_tokens // id_tokens


def reach_ids(request: TokenRequest, policy: CachePolicy) -> int:
    """Return how many leading ids may be looked up.

    Tokens: all but the tail that is always computed. Block ids: all, because the last stands for a number of tokens that
    only ``hit_size`` cuts.
    """
    ids = len(request.tokens) // TOKEN_BYTES
    return max(0, ids - policy.computed_tail_tokens) if request.id_tokens == 1 else ids


def hit_size(prompt_tokens: int, found_ids: int, id_tokens: int, policy: CachePolicy) -> Hit:
    """Return the hit of a prompt whose first ``found_ids`` ids are cached, each worth ``id_tokens`` tokens.

    Tokens count in whole blocks and leave the computed tail; fewer than ``policy.min_tokens`` are none. Blocks of a trace
    are the leading ids in whole blocks, the prompt's partly filled last one included.
    """
    ids = policy.block_tokens // id_tokens or 1
    found_ids -= found_ids % ids
    tokens = min(found_ids * id_tokens, prompt_tokens - policy.computed_tail_tokens)
    tokens -= tokens % (ids * id_tokens)
    if id_tokens > 1 and not policy.min_tokens:
        return Hit(max(0, tokens), found_ids)
    if tokens <= 0 or tokens < policy.min_tokens:
        return MISS
    return Hit(tokens, tokens // policy.block_tokens if id_tokens == 1 else found_ids)

"""The slow, obvious twins of the block caches: one Python step a block, every block filed under its whole prefix."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from radixlint.traffic import TokenRequest

Key = tuple[str, bytes]


def keys_of(request: TokenRequest, block_tokens: int) -> list[Key]:
    """Return a key for each block of the prompt: its namespace and all ids up to its end."""
    size = 4 * (block_tokens if request.id_tokens == 1 else 1)
    return [(request.namespace, request.tokens[:end]) for end in range(size, len(request.tokens) + 1, size)]


def countable(request: TokenRequest, block_tokens: int) -> int:
    return max(0, (request.prompt_tokens - 1) // (block_tokens if request.id_tokens == 1 else request.id_tokens))


def leading(keys: Sequence[Key], held: Iterable[Key]) -> int:
    held = set(held)
    return next((at for at, key in enumerate(keys) if key not in held), len(keys))


def twin_hits(requests: Sequence[TokenRequest], block_tokens: int, capacity: int | None) -> list[tuple[int, int]]:
    """Return (blocks that count, blocks) hit by each request in a plain LRU cache."""
    held: OrderedDict[Key, None] = OrderedDict()
    hits = []
    for request in requests:
        keys = keys_of(request, block_tokens)
        blocks = leading(keys, held)
        hits.append((min(blocks, countable(request, block_tokens)), blocks))
        for key in reversed(keys):
            held[key] = None
            held.move_to_end(key)
            if capacity is not None and len(held) > capacity:
                held.popitem(last=False)
    return hits


def twin_ttl_hits(requests: Sequence[TokenRequest], block_tokens: int, ttl_s: float) -> int:
    """Return the blocks that count as hits if a block expires ``ttl_s`` after its last use."""
    used_s: dict[Key, float] = {}
    clocks_s: dict[str, float] = {}
    hits = 0
    for request in requests:
        assert request.time_s is not None
        clock_s = clocks_s[request.namespace] = max(clocks_s.get(request.namespace, request.time_s), request.time_s)
        keys = keys_of(request, block_tokens)
        alive = [key for key, time_s in used_s.items() if clock_s - time_s <= ttl_s]
        hits += min(leading(keys, alive), countable(request, block_tokens))
        used_s.update(dict.fromkeys(keys, clock_s))
    return hits


@st.composite
def token_logs(draw: st.DrawFn, max_requests: int = 30, max_ids: int = 14) -> list[TokenRequest]:
    """Return requests that share a lot, in two namespaces, timed, either of token ids or of ids of blocks of 4."""
    id_tokens = draw(st.sampled_from((1, 4)))
    stems = draw(st.lists(st.lists(st.integers(0, 1), max_size=max_ids), min_size=1, max_size=4))
    log = []
    for index in range(draw(st.integers(1, max_requests))):
        stem = draw(st.sampled_from(stems))
        ids = stem[: draw(st.integers(0, len(stem)))] + draw(st.lists(st.integers(0, 2), max_size=4))
        length = len(ids) * 4 - draw(st.integers(0, 3)) if ids and id_tokens == 4 else None
        namespace = draw(st.sampled_from(("", "other")))
        time_s = draw(st.integers(0, 40)) / 4
        tokens = array("I", ids).tobytes()
        log.append(TokenRequest(index, tokens, b"", namespace, id_tokens=id_tokens, length_tokens=length, time_s=time_s))
    return log

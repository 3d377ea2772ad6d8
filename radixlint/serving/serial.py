"""One request at a time: all wait from the start, the policy sorts, the head runs to its end, and again.

Source: SGLang 0.5.23, the order of calls of its scheduler: match, lock, evict and allocate, prefill, insert, decode,
insert, unlock. Time, batches and routing are not modelled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from radixlint.radix import RadixTree, eviction_order
from radixlint.replay.tree_run import has_room, run_alone
from radixlint.serving.schedule_order import open_queue
from radixlint.traffic import TokenRequest


@dataclass(frozen=True, slots=True)
class Served:
    """How one request went.

    ``position`` counts served requests from 0; it is None, and ``cached_tokens`` 0, if prompt and output together do
    not fit into the cache: the engine refuses such a request, however empty it is.
    """

    request: TokenRequest
    position: int | None
    cached_tokens: int


@dataclass(frozen=True, slots=True)
class SerialRun:
    """What came of a run: ``served`` in the order given, sums in tokens."""

    served: tuple[Served, ...]
    evicted_tokens: int
    stored_tokens: int


def serve_serially(
    requests: Iterable[TokenRequest],
    *,
    policy: str,
    page_tokens: int = 1,
    kv_tokens: int | None = None,
    eviction: str = "lru",
    chunk_tokens: int | None = None,
) -> SerialRun:
    """Serve ``requests``, all waiting from the start, one by one through a radix cache of ``kv_tokens`` (None: no limit).

    ``eviction`` is the order of giving up leaves; prompts are prefilled in pieces of ``chunk_tokens``, None for whole.

    Raises:
        ConfigError: the policy or the eviction is unknown.
        ValueError: the cache is smaller than a page.
    """
    everyone = tuple(requests)
    tree = RadixTree(page_tokens, kv_tokens, eviction_order(eviction))
    clock = count(1)
    waiting = open_queue(policy, (request for request in everyone if has_room(request, tree)), tree, clock)
    results: dict[int, Served] = {}
    evicted_tokens = 0
    while waiting:
        waiting.sort()
        head = waiting.pop()
        cached_tokens, evicted = run_alone(head, tree, clock, chunk_ids=chunk_tokens)
        results[id(head)] = Served(head, len(results), cached_tokens)
        evicted_tokens += evicted
    served = tuple(results.get(id(request)) or Served(request, None, 0) for request in everyone)
    return SerialRun(served, evicted_tokens, tree.stored_tokens)

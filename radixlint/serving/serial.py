"""One request at a time: all wait from the start, the policy sorts, the head runs to its end, and again.

Source: SGLang 0.5.23, the order of calls of its scheduler: match, lock, evict and allocate, prefill, insert, decode,
insert, unlock. Time, batches and routing are not modelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from radixlint.radix import RadixTree
from radixlint.serving.schedule_order import open_queue
from radixlint.traffic import TOKEN_BYTES, TokenRequest


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
    requests: Iterable[TokenRequest], *, policy: str, page_tokens: int = 1, kv_tokens: int | None = None
) -> SerialRun:
    """Serve ``requests``, all waiting from the start, one by one through a radix cache of ``kv_tokens`` (None: no limit).

    Raises:
        ConfigError: the policy is unknown.
        ValueError: the cache is smaller than a page.
    """
    everyone = tuple(requests)
    tree = RadixTree(page_tokens, kv_tokens)
    clock = count(1)
    waiting = open_queue(policy, (request for request in everyone if _fits(request, tree)), tree, clock)
    results: dict[int, Served] = {}
    evicted_tokens = 0
    while waiting:
        waiting.sort()
        head = waiting.pop()
        cached_tokens, evicted = run_alone(head, tree, clock)
        results[id(head)] = Served(head, len(results), cached_tokens)
        evicted_tokens += evicted
    served = tuple(results.get(id(request)) or Served(request, None, 0) for request in everyone)
    return SerialRun(served, evicted_tokens, tree.stored_tokens)


def run_alone(request: TokenRequest, tree: RadixTree, clock: Iterator[int]) -> tuple[int, int]:
    """Run one request from admission to its end; return its cached tokens and the tokens evicted for it."""
    page = tree.page_tokens
    lease = tree.admit(request.tokens, now=next(clock), namespace=request.namespace, limit_tokens=request.prompt_tokens - 1)
    # With pages the engine asks for a page more than it may need.
    spare_tokens = page if page > 1 else 0
    evicted = tree.evict(request.prompt_tokens - lease.matched_tokens + spare_tokens)
    tree.insert(request.tokens, now=next(clock), namespace=request.namespace, owner=request.index)
    if request.output:
        whole = tree.admit(request.tokens, now=next(clock), namespace=request.namespace)
        evicted += _make_room_for_output(request, tree)
        tree.insert(request.tokens + request.output, now=next(clock), namespace=request.namespace, owner=request.index)
        tree.release(whole)
    tree.release(lease)
    return lease.matched_tokens, evicted


def _make_room_for_output(request: TokenRequest, tree: RadixTree) -> int:
    """Evict as decoding does, one step a token: a slot, or with pages a whole page even inside one."""
    if tree.free_tokens is None:
        return 0
    page = tree.page_tokens
    output_tokens = len(request.output) // TOKEN_BYTES
    held_tokens = -(-request.prompt_tokens // page) * page - request.prompt_tokens // page * page
    if tree.free_tokens - held_tokens >= output_tokens + page:
        return 0
    evicted = 0
    for length in range(request.prompt_tokens, request.prompt_tokens + output_tokens):
        evicted += tree.evict(page, held_tokens=held_tokens)
        if length % page == 0:
            held_tokens += page
    return evicted


def _fits(request: TokenRequest, tree: RadixTree) -> bool:
    tokens = request.prompt_tokens + len(request.output) // TOKEN_BYTES
    return tree.capacity_tokens is None or -(-tokens // tree.page_tokens) * tree.page_tokens <= tree.capacity_tokens

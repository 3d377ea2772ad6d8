"""One request through a radix cache, from admission to its end, evicting as the engine does.

Source: SGLang 0.5.23, the order of calls of its scheduler: match, lock, evict and allocate, prefill, insert, decode,
insert, unlock.
"""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.radix import RadixTree
from radixlint.traffic import TOKEN_BYTES, TokenRequest


def run_alone(
    request: TokenRequest, tree: RadixTree, clock: Iterator[int], reach_ids: int | None = None, chunk_ids: int | None = None
) -> tuple[int, int]:
    """Run one request that fits (``has_room``) to its end; return its matched ids and the ids evicted for it.

    At most ``reach_ids`` leading ids are matched, all but the last if None. A prompt with more than ``chunk_ids`` ids to
    compute is prefilled in pieces of so many, cut down to whole pages; each piece is inserted before the next, so that it
    becomes a chain of nodes. A page is as many ids as the tree's pages hold.
    """
    page = tree.page_tokens
    # With pages the engine asks for a page more than it may need.
    spare = page if page > 1 else 0
    prompt = len(request.tokens) // TOKEN_BYTES
    limit = prompt - 1 if reach_ids is None else reach_ids
    lease = tree.admit(request.tokens, now=next(clock), namespace=request.namespace, limit_tokens=limit)
    evicted, computed = 0, lease.matched_tokens
    leases = [lease]
    chunk = None if chunk_ids is None else max(page, chunk_ids - chunk_ids % page)
    while chunk is not None and prompt - computed > chunk:
        evicted += tree.evict(chunk + spare)
        computed += chunk
        done = request.tokens[: computed * TOKEN_BYTES]
        _insert(request, done, tree, clock, is_counted=False)
        leases.append(tree.admit(done, now=next(clock), namespace=request.namespace))
    evicted += tree.evict(prompt - computed + spare)
    _insert(request, request.tokens, tree, clock)
    if request.output:
        leases.append(tree.admit(request.tokens, now=next(clock), namespace=request.namespace))
        evicted += _make_room_for_output(request, tree)
        _insert(request, request.tokens + request.output, tree, clock)
    for held in reversed(leases):
        tree.release(held)
    return lease.matched_tokens, evicted


def has_room(request: TokenRequest, tree: RadixTree) -> bool:
    """Whether prompt and output together fit into the empty cache; the engine refuses a request that does not."""
    ids = len(request.tokens) // TOKEN_BYTES + len(request.output) // TOKEN_BYTES
    return tree.capacity_tokens is None or -(-ids // tree.page_tokens) * tree.page_tokens <= tree.capacity_tokens


def _insert(request: TokenRequest, sequence: bytes, tree: RadixTree, clock: Iterator[int], *, is_counted: bool = True) -> None:
    # Pieces of a prompt do not count as uses of what their own request stored before.
    tree.insert(
        sequence,
        now=next(clock),
        namespace=request.namespace,
        owner=request.index,
        priority=request.priority,
        is_counted=is_counted,
    )


def _make_room_for_output(request: TokenRequest, tree: RadixTree) -> int:
    """Evict as decoding does, one step a token: a slot, or with pages a whole page even inside one."""
    if tree.free_tokens is None:
        return 0
    page = tree.page_tokens
    prompt, output = len(request.tokens) // TOKEN_BYTES, len(request.output) // TOKEN_BYTES
    held = -(-prompt // page) * page - prompt // page * page
    if tree.free_tokens - held >= output + page:
        return 0
    evicted = 0
    for length in range(prompt, prompt + output):
        evicted += tree.evict(page, held_tokens=held)
        if length % page == 0:
            held += page
    return evicted

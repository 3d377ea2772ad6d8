"""How much of what is shared would be shared even if every conversation had a cache of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from radixlint.radix import RadixTree
from radixlint.traffic import TokenRequest


def own_conversation_tokens(requests: Iterable[TokenRequest], conversations: Sequence[int]) -> int:
    """Return the shareable tokens, summed, where only requests of one conversation and namespace share.

    ``conversations`` holds a number for each of ``requests``. The sum is at most what all of them share together: to look at
    fewer earlier requests cannot find a longer prefix.
    """
    tree = RadixTree()
    shared_tokens = 0
    for position, (request, conversation) in enumerate(zip(requests, conversations, strict=True)):
        sequence = request.tokens + request.output
        inserted = tree.insert(sequence, now=position, namespace=f"{conversation} {request.namespace}", owner=position)
        shared_tokens += min(inserted.matched_tokens * request.id_tokens, request.prompt_tokens)
    return shared_tokens

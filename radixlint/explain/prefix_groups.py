"""Requests grouped by what they share: one level of the prefix tree at a time, members known at every node."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from radixlint.radix.node import shared_bytes
from radixlint.traffic import TOKEN_BYTES, TokenRequest


class PrefixGroup(Struct, frozen=True):
    """Requests (positions, ascending) of one namespace that share their first ``end_tokens``, and no more than that.

    The group's own stretch is ``[start_tokens, end_tokens)``.
    """

    namespace: str
    members: tuple[int, ...]
    start_tokens: int
    end_tokens: int


def top_groups(requests: Sequence[TokenRequest]) -> tuple[PrefixGroup, ...]:
    """Return one group a namespace, in order of first appearance; its shared stretch may be empty."""
    spaces: dict[str, list[int]] = {}
    for position, request in enumerate(requests):
        spaces.setdefault(request.namespace, []).append(position)
    return tuple(_group(requests, namespace, members, 0) for namespace, members in spaces.items())


def child_groups(requests: Sequence[TokenRequest], group: PrefixGroup) -> tuple[PrefixGroup, ...]:
    """Return the groups that ``group`` falls into behind its shared stretch; members that end there are in none."""
    at = group.end_tokens * TOKEN_BYTES
    branches: dict[bytes, list[int]] = {}
    for position in group.members:
        following = requests[position].tokens[at : at + TOKEN_BYTES]
        if following:
            branches.setdefault(following, []).append(position)
    return tuple(_group(requests, group.namespace, members, group.end_tokens) for members in branches.values())


def longest_shared_tokens(requests: Sequence[TokenRequest]) -> int:
    """Return the length of the longest prefix that at least half of the requests, and at least two, have in common.

    Prefixes are shared within a namespace only; 0 if no such prefix exists.
    """
    quorum = max(2, -(-len(requests) // 2))
    longest = 0
    pending = [g for g in top_groups(requests) if len(g.members) >= quorum]
    while pending:
        group = pending.pop()
        longest = max(longest, group.end_tokens)
        pending.extend(g for g in child_groups(requests, group) if len(g.members) >= quorum)
    return longest


def _group(requests: Sequence[TokenRequest], namespace: str, members: list[int], start_tokens: int) -> PrefixGroup:
    start = start_tokens * TOKEN_BYTES
    edge = requests[members[0]].tokens[start:]
    for position in members[1:]:
        tokens = requests[position].tokens
        if not tokens.startswith(edge, start):
            edge = edge[: shared_bytes(edge, tokens, start, len(tokens))]
    return PrefixGroup(namespace, tuple(members), start_tokens, start_tokens + len(edge) // TOKEN_BYTES)

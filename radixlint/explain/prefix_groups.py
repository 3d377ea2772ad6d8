"""Requests grouped by what they share: one level of the prefix tree at a time, members known at every node."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from radixlint.radix.node import shared_bytes
from radixlint.traffic import TOKEN_BYTES, TokenRequest


class PrefixGroup(Struct, frozen=True):
    """Requests (positions, ascending) of one namespace that share their first ``end_ids`` ids, and no more than that.

    The group's own stretch is ``[start_ids, end_ids)``; the same in tokens is ``[start_tokens, end_tokens)``.
    """

    namespace: str
    members: tuple[int, ...]
    start_ids: int
    end_ids: int
    start_tokens: int
    end_tokens: int


def top_groups(requests: Sequence[TokenRequest]) -> tuple[PrefixGroup, ...]:
    """Return one group a namespace, in order of first appearance; its shared stretch may be empty."""
    spaces: dict[str, list[int]] = {}
    for position, request in enumerate(requests):
        spaces.setdefault(request.namespace, []).append(position)
    return tuple(_group(requests, members, 0, 0) for members in spaces.values())


def child_groups(requests: Sequence[TokenRequest], group: PrefixGroup) -> tuple[PrefixGroup, ...]:
    """Return the groups that ``group`` falls into behind its shared stretch; members that end there are in none."""
    at = group.end_ids * TOKEN_BYTES
    branches: dict[bytes, list[int]] = {}
    for position in group.members:
        following = requests[position].tokens[at : at + TOKEN_BYTES]
        if following:
            branches.setdefault(following, []).append(position)
    return tuple(_group(requests, members, group.end_ids, group.end_tokens) for members in branches.values())


def _group(requests: Sequence[TokenRequest], members: list[int], start_ids: int, start_tokens: int) -> PrefixGroup:
    # Ids may be joined on access: each request is read once, and none is kept.
    first, start = requests[members[0]], start_ids * TOKEN_BYTES
    edge = first.tokens[start:]
    for position in members[1:]:
        tokens = requests[position].tokens
        if not tokens.startswith(edge, start):
            edge = edge[: shared_bytes(edge, tokens, start, len(tokens))]
    end_ids = start_ids + len(edge) // TOKEN_BYTES
    # The last block id of a prompt may stand for fewer tokens than the others.
    end_tokens = max(start_tokens, min(end_ids * first.id_tokens, first.prompt_tokens))
    return PrefixGroup(first.namespace, tuple(members), start_ids, end_ids, start_tokens, end_tokens)

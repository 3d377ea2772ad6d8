"""How long the prefixes are that groups of requests share, told by who left whom after how many tokens.

Each request leaves the earlier ones that share most with it after some length. Join each with its partner, the greatest
length first: then those joined so far are exactly those that share a prefix of that length, and no token is looked at again.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Iterator, Sequence

from radixlint.privacy import JoinedGroups
from radixlint.replay import Replayed

_Meeting = tuple[int, int, int]


def longest_shared_tokens(replayed: Replayed) -> int:
    """Return the length of the longest prefix that at least half of the prompts, and at least two, have in common.

    Prefixes are shared within a namespace only; 0 if no such prefix exists.
    """
    prompts = array("q", (match.prompt_tokens for match in replayed.matches))
    quorum = max(2, -(-len(prompts) // 2))
    meetings: Iterable[_Meeting] = _meetings(replayed)
    # What was generated is shared as well: such a prompt is joined early, and counts once the length is down to its own.
    late = {one for tokens, *both in _meetings(replayed) for one in both if prompts[one] < tokens}
    if late:
        meetings = heapq.merge(meetings, sorted(((prompts[one], one, one) for one in late), reverse=True), reverse=True)
    groups = JoinedGroups(len(prompts))
    sizes = array("q", (position not in late for position in range(len(prompts))))
    for tokens, one, other in meetings:
        upper, lower = sorted((groups.leader(one), groups.leader(other)))
        groups.join(upper, lower)
        sizes[upper] += 1 if one == other else sizes[lower]
        if sizes[upper] >= quorum:
            return tokens
    return 0


def own_conversation_tokens(replayed: Replayed, conversations: Sequence[int]) -> int:
    """Return the shareable tokens, summed, where only requests of one conversation and namespace share.

    ``conversations`` holds a number for each request. The sum is at most what all of them share together: to look at fewer
    earlier requests cannot find a longer prefix.
    """
    groups = JoinedGroups(len(replayed.matches))
    # Of each group that was joined, the first request of each conversation: all others have found theirs.
    firsts: dict[int, dict[int, int]] = {}
    shared_tokens = 0
    for tokens, one, other in _meetings(replayed):
        leaders = groups.leader(one), groups.leader(other)
        few, many = sorted((firsts.pop(i, {}) or {conversations[i]: i} for i in leaders), key=len)
        for conversation, first in few.items():
            known = many.setdefault(conversation, first)
            if known != first:
                many[conversation] = min(known, first)
                shared_tokens += min(tokens, replayed.matches[max(known, first)].prompt_tokens)
        groups.join(one, other)
        firsts[min(leaders)] = many
    return shared_tokens


def _meetings(replayed: Replayed) -> Iterator[_Meeting]:
    """Yield the matched tokens, the request and its partner wherever there is one, the most tokens and last requests first."""
    matched, partners = replayed.matched_tokens, replayed.partners
    for one in sorted(range(len(matched) - 1, -1, -1), key=matched.__getitem__, reverse=True):
        other = partners[one]
        if other is not None:
            yield matched[one], one, other

"""In which order waiting requests are tried: SGLang's policies, on the engine's terms.

Source: SGLang 0.5.23 ``SchedulePolicy``. Sorting is not free of effects: a cache-aware policy matches every waiting
request against the cache, which refreshes and splits nodes; the others refresh the queue's prefixes now and then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from radixlint.errors import ConfigError
from radixlint.radix import Lease, RadixTree
from radixlint.serving.subtree_weight import by_subtree_weight
from radixlint.traffic import TokenRequest

POLICIES: Final = ("fcfs", "lpm", "dfs-weight")
LPM_QUEUE_LIMIT: Final = 128
"""``lpm`` sorts up to this many waiting requests; a longer queue stays as it is."""
CHECKED_UP_TO_TOKENS: Final = 32
"""A request with at most this many cached tokens is compared with the requests that wait before it."""
DEFERRED_FROM_TOKENS: Final = 32
"""It goes last if it shares at least this many tokens with one of them: one request a new prefix runs first."""
REFRESH_PASSES: Final = 32
"""Every so many passes, the first included, a policy that does not look into the cache refreshes the queue's prefixes."""
REFRESH_QUEUE_LIMIT: Final = 128
"""How many requests from the head of the queue are refreshed."""


class Waiting:
    """A request in the queue; ``path`` is where its last match ended, None before the first."""

    __slots__ = ("path", "request")

    def __init__(self, request: TokenRequest) -> None:
        self.request = request
        self.path: Lease | None = None


class WaitingQueue:
    """Requests that wait for one cache, and the policy that sorts them before each pick.

    Args:
        policy: one of ``POLICIES``.
        requests: the queue in order of arrival.
        cache: the engine's cache; every pass may touch it.
        clock: rising stamps, one taken per match.

    Raises:
        ConfigError: the policy is unknown.
    """

    def __init__(self, policy: str, requests: Iterable[TokenRequest], cache: RadixTree, clock: Iterator[int]) -> None:
        if policy not in POLICIES:
            raise ConfigError(f"unknown policy {policy!r}", hint=f"choose from {', '.join(POLICIES)}")
        self.waiting = [Waiting(request) for request in requests]
        self._policy = policy
        self._cache = cache
        self._clock = clock
        self._passes = 0
        self._has_looked = False

    @property
    def matched_tokens(self) -> list[int]:
        """What the last pass found cached for each entry of ``waiting``, the last prompt token never counted.

        0 for all where the policy did not look.
        """
        if not self._has_looked:
            return [0] * len(self.waiting)
        return [_countable(entry) for entry in self.waiting]

    def sort(self) -> None:
        """Bring ``waiting`` into the order the engine tries it, the head first; equal requests keep their order."""
        is_refresh_due = self._passes % REFRESH_PASSES == 0
        self._passes += 1
        self._has_looked = not (self._policy == "fcfs" or (self._policy == "lpm" and len(self.waiting) > LPM_QUEUE_LIMIT))
        if not self._has_looked:
            if is_refresh_due:
                # The head last, so that it loses its prefix last.
                self._match(reversed(self.waiting[:REFRESH_QUEUE_LIMIT]))
            return
        paths = self._match(self.waiting)
        if self._policy == "dfs-weight":
            places = by_subtree_weight([path.node for path in paths], self._cache.root)
        else:
            deferred = _shares_with_earlier([entry.request for entry in self.waiting], [path.matched_tokens for path in paths])
            keys = [(late, 0 if late else -_countable(entry)) for late, entry in zip(deferred, self.waiting, strict=True)]
            places = sorted(range(len(keys)), key=keys.__getitem__)
        self.waiting = [self.waiting[place] for place in places]

    def take(self) -> TokenRequest:
        """Sort, then take out the head.

        Raises:
            IndexError: nobody waits.
        """
        self.sort()
        return self.waiting.pop(0).request

    def __len__(self) -> int:
        return len(self.waiting)

    def _match(self, entries: Iterable[Waiting]) -> list[Lease]:
        """Match the whole prompts, in the order given; each costs the engine one stamp."""
        touch, touch_again, clock = self._cache.touch, self._cache.touch_again, self._clock
        paths = []
        for entry in entries:
            request, known = entry.request, entry.path
            if known is None:
                path = touch(request.tokens, now=next(clock), namespace=request.namespace)
            else:
                path = touch_again(known, request.tokens, now=next(clock), namespace=request.namespace)
            entry.path = path
            paths.append(path)
        return paths


def _countable(entry: Waiting) -> int:
    return 0 if entry.path is None else max(0, min(entry.path.matched_tokens, entry.request.prompt_tokens - 1))


def _shares_with_earlier(waiting: Sequence[TokenRequest], cached_tokens: Sequence[int]) -> list[bool]:
    """Say for each request whether an earlier one will bring its prefix; deferred requests bring nothing."""
    first_runs = RadixTree()
    deferred = []
    for now, (request, cached) in enumerate(zip(waiting, cached_tokens, strict=True)):
        is_deferred = False
        if cached <= CHECKED_UP_TO_TOKENS:
            is_deferred = first_runs.match(request.tokens, request.namespace) >= DEFERRED_FROM_TOKENS
            if not is_deferred:
                first_runs.insert(request.tokens, now=now, namespace=request.namespace)
        deferred.append(is_deferred)
    return deferred

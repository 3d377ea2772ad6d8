"""In which order waiting requests are tried: SGLang's policies, on the engine's terms.

Source: SGLang 0.5.23 ``SchedulePolicy`` (python/sglang/srt/managers/schedule_policy.py). Sorting is not free of effects: a
cache-aware policy matches every waiting request against the cache, which refreshes and splits nodes; the others refresh
the queue's prefixes now and then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from radixlint.errors import ConfigError
from radixlint.radix import RadixTree
from radixlint.serving.subtree_queue import SubtreeQueue
from radixlint.serving.waiting_queue import Waiting, WaitingQueue, countable_tokens
from radixlint.traffic import TokenRequest

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


class ArrivalQueue(WaitingQueue):
    """``fcfs``: order of arrival."""

    def __init__(self, requests: Iterable[TokenRequest], cache: RadixTree, clock: Iterator[int]) -> None:
        super().__init__(requests, cache, clock)
        self._passes = 0

    def sort(self) -> None:
        is_refresh_due = self._passes % REFRESH_PASSES == 0
        self._passes += 1
        if is_refresh_due:
            # The head last, so that it loses its prefix last.
            for request in reversed(self._requests[:REFRESH_QUEUE_LIMIT]):
                self._touch(request)

    def entries(self) -> list[Waiting]:
        return [Waiting(request, 0) for request in self._requests]

    def pop(self) -> TokenRequest:
        return self._requests.pop(0)

    def __len__(self) -> int:
        return len(self._requests)


class LongestMatchQueue(ArrivalQueue):
    """``lpm``: most cached tokens first, requests that an earlier one will help last; order of arrival in a long queue."""

    def __init__(self, requests: Iterable[TokenRequest], cache: RadixTree, clock: Iterator[int]) -> None:
        super().__init__(requests, cache, clock)
        self._matched_tokens: list[int] | None = None

    def sort(self) -> None:
        if len(self._requests) > LPM_QUEUE_LIMIT:
            super().sort()
            return
        paths = [self._touch(request) for request in self._requests]
        deferred = _shares_with_earlier(self._requests, [path.matched_tokens for path in paths])
        matched = [countable_tokens(request, path) for request, path in zip(self._requests, paths, strict=True)]
        places = sorted(range(len(matched)), key=lambda i: (deferred[i], 0 if deferred[i] else -matched[i]))
        self._requests = [self._requests[i] for i in places]
        self._matched_tokens = [matched[i] for i in places]

    def entries(self) -> list[Waiting]:
        if self._matched_tokens is None:
            return super().entries()
        return [Waiting(request, matched) for request, matched in zip(self._requests, self._matched_tokens, strict=True)]

    def pop(self) -> TokenRequest:
        if self._matched_tokens is not None:
            self._matched_tokens.pop(0)
        return super().pop()


_QUEUES: Final[dict[str, type[WaitingQueue]]] = {
    "fcfs": ArrivalQueue,
    "lpm": LongestMatchQueue,
    "dfs-weight": SubtreeQueue,
}
POLICIES: Final = tuple(_QUEUES)


def open_queue(policy: str, requests: Iterable[TokenRequest], cache: RadixTree, clock: Iterator[int]) -> WaitingQueue:
    """Return a queue of ``requests``, in order of arrival, under ``policy`` (one of ``POLICIES``).

    Raises:
        ConfigError: the policy is unknown.
    """
    if policy not in _QUEUES:
        raise ConfigError(f"unknown policy {policy!r}", hint=f"choose from {', '.join(POLICIES)}")
    return _QUEUES[policy](requests, cache, clock)


def unsorted_picks(policy: str, requests: int) -> int:
    """Return how many picks are made in order of arrival because the queue is too long for ``policy`` to sort it.

    ``requests`` all wait from the start and leave one by one. 0 for a policy without such a limit.
    """
    return max(0, requests - LPM_QUEUE_LIMIT) if policy == "lpm" else 0


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

"""Requests that wait for one cache; a policy is a subclass that sorts them before each pick."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from radixlint.radix import Lease, RadixTree
from radixlint.traffic import TokenRequest


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request in the queue after a pass.

    ``matched_tokens`` is what the policy found cached, the last prompt token never counted; 0 where it did not look.
    """

    request: TokenRequest
    matched_tokens: int


class WaitingQueue(ABC):
    """A queue for one cache.

    Args:
        requests: the queue in order of arrival.
        cache: the engine's cache; every pass may touch it.
        clock: rising stamps, one or more taken per pass.
    """

    def __init__(self, requests: Iterable[TokenRequest], cache: RadixTree, clock: Iterator[int]) -> None:
        self._requests = list(requests)
        self._cache = cache
        self._clock = clock

    @abstractmethod
    def sort(self) -> None:
        """Bring the queue into the order the engine tries it; equal requests keep their order."""

    @abstractmethod
    def entries(self) -> list[Waiting]:
        """Return the queue as the last pass left it, the head first."""

    @abstractmethod
    def pop(self) -> TokenRequest:
        """Take out the head.

        Raises:
            IndexError: nobody waits.
        """

    @abstractmethod
    def __len__(self) -> int:
        """Return how many wait."""

    def _touch(self, request: TokenRequest) -> Lease:
        """Match the whole prompt as the engine's scheduler does; only admission leaves the last token out."""
        return self._cache.touch(request.tokens, now=next(self._clock), namespace=request.namespace)


def countable_tokens(request: TokenRequest, path: Lease) -> int:
    """Return the matched tokens of ``path``, the last prompt token never counted: what ``lpm`` sorts by.

    A prompt of 64 tokens that is cached whole in pages of 16 counts 63 here, though admission will match 48: the engine's
    scheduler matches the whole prompt and caps the number of tokens found, not cut to pages again; admission caps what it
    looks up, and that is cut to pages.

    Source: SGLang 0.5.23, read again at commit 00550cd11b: ``match_prefix_for_req`` in schedule_policy.py caps
    ``num_matched_prefix_tokens`` (device and host together) after matching; ``Req.init_next_round_input`` in
    schedule_batch.py caps the key before. Both caps are ``Req._compute_max_prefix_len``, the length less 1.
    """
    return max(0, min(path.matched_tokens, request.prompt_tokens - 1))

"""Which replica a request goes to. A router sees prompts only, never the caches, so its choices are the same for all."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from itertools import count
from typing import Final, Protocol

from radixlint.errors import ConfigError
from radixlint.radix import RadixTree
from radixlint.traffic import TOKEN_BYTES, CachePolicy, TokenRequest

HASHED_TOKENS: Final = 256
"""``hash-prefix`` looks at so many leading tokens, as OpenAI's routing does by its guide."""


class Router(Protocol):
    """Chooses once for each request, in order."""

    def choose(self, request: TokenRequest) -> int | str | None:
        """Return the replica: its number, or the host the log names."""


class RoundRobin:
    """One after the other."""

    def __init__(self, replicas: int) -> None:
        self._replicas = replicas
        self._turns = count()

    def choose(self, request: TokenRequest) -> int:
        return next(self._turns) % self._replicas


class Random:
    """Any, each as likely as the other; the same on every run."""

    def __init__(self, replicas: int) -> None:
        self._replicas = replicas
        self._draws = random.Random(0)  # noqa: S311 - a repeatable stream, not a secret

    def choose(self, request: TokenRequest) -> int:
        return self._draws.randrange(self._replicas)


class HashPrefix:
    """By the first tokens: prompts that begin alike go to one replica."""

    def __init__(self, replicas: int) -> None:
        self._replicas = replicas

    def choose(self, request: TokenRequest) -> int:
        head = request.tokens[: max(1, HASHED_TOKENS // request.id_tokens) * TOKEN_BYTES]
        return zlib.crc32(request.namespace.encode("utf-8", "surrogatepass") + head) % self._replicas


class CacheAware:
    """To the replica that was sent the longest prefix of the prompt; of equal ones to that with the fewest prompt tokens."""

    def __init__(self, replicas: int) -> None:
        self._sent = [RadixTree() for _ in range(replicas)]
        self._sent_tokens = [0] * replicas
        self._clock = count(1)

    def choose(self, request: TokenRequest) -> int:
        matched = [tree.match(request.tokens, request.namespace) for tree in self._sent]
        chosen = min(range(len(matched)), key=lambda i: (-matched[i], self._sent_tokens[i], i))
        self._sent[chosen].insert(request.tokens, now=next(self._clock), namespace=request.namespace)
        self._sent_tokens[chosen] += request.prompt_tokens
        return chosen


class ByHost:
    """To the host that served it by the log."""

    def choose(self, request: TokenRequest) -> str | None:
        return request.host


_ROUTERS: Final[dict[str, Callable[[int], Router]]] = {
    "round-robin": RoundRobin,
    "random": Random,
    "hash-prefix": HashPrefix,
    "cache-aware": CacheAware,
}


def open_router(policy: CachePolicy) -> Router:
    """Return the router of ``policy``: by host for 0 replicas, else by ``policy.routing``.

    Raises:
        ConfigError: the routing is unknown, or there are fewer than 0 replicas.
    """
    if policy.routing not in _ROUTERS:
        raise ConfigError(f"unknown routing {policy.routing!r}", hint=f"choose from {', '.join(_ROUTERS)}")
    if policy.replicas < 0:
        raise ConfigError(f"there cannot be {policy.replicas} replicas")
    if policy.replicas == 0:
        return ByHost()
    return RoundRobin(1) if policy.replicas == 1 else _ROUTERS[policy.routing](policy.replicas)

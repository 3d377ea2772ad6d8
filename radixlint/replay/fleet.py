"""All replicas of a policy behind its router, with requests in flight that the others cannot see yet."""

from __future__ import annotations

from msgspec import structs

from radixlint.replay.cache_choice import open_cache
from radixlint.replay.prefix_cache import Hit, PrefixCache
from radixlint.replay.routing import open_router
from radixlint.traffic import CachePolicy, TokenRequest


class Fleet:
    """Caches that open when a request first reaches them; ids of different lengths never share one.

    With ``policy.in_flight`` requests a batch, counted over all replicas, a request sees what had been kept before its
    batch and the one before it: a lower bound.

    Raises:
        ConfigError: the policy's figures do not go together.
    """

    def __init__(self, policy: CachePolicy) -> None:
        self._policy = policy
        self._router = open_router(policy)
        self._caches: dict[tuple[int | str | None, int], PrefixCache] = {}
        self._batch: list[tuple[PrefixCache, TokenRequest]] = []
        self._batch_before: list[tuple[PrefixCache, TokenRequest]] = []
        self._last_s: float | None = None

    def serve(self, request: TokenRequest) -> Hit:
        """Return what ``request`` hits at the replica it is sent to, which keeps it, at once or when it may be seen."""
        if self._policy.ttl_s is not None:
            request = self._timed(request)
        cache = self._cache(self._router.choose(request), request.id_tokens)
        if not self._policy.in_flight:
            return cache.serve(request)
        if len(self._batch) == self._policy.in_flight:
            for server, waiting in self._batch_before:
                server.serve(waiting)
            self._batch_before, self._batch = self._batch, []
        self._batch.append((cache, request))
        return cache.match(request)

    def _timed(self, request: TokenRequest) -> TokenRequest:
        """Give a request at an unknown time the last known one: no time has passed, whichever replica knew it."""
        if request.time_s is None:
            return structs.replace(request, time_s=self._last_s)
        self._last_s = request.time_s if self._last_s is None else max(self._last_s, request.time_s)
        return request

    def _cache(self, replica: int | str | None, id_tokens: int) -> PrefixCache:
        key = replica, id_tokens
        if key not in self._caches:
            self._caches[key] = open_cache(self._policy, id_tokens)
        return self._caches[key]

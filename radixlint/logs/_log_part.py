"""The part of a log that was asked for: since a time, and a share of the sessions that is the same every time."""

from __future__ import annotations

import hashlib
from typing import Final

from radixlint.logs._read_options import ReadOptions
from radixlint.plural import counted
from radixlint.traffic import Request

_HASH_BYTES: Final = 8


class LogPart:
    """Says which requests are wanted, and counts those left out."""

    def __init__(self, options: ReadOptions) -> None:
        self._since_s = options.since_s
        self._sample_rate = 1.0 if options.sample_rate is None else options.sample_rate
        self._early = self._timeless = self._unsampled = self._kept = 0

    @property
    def is_asked_for(self) -> bool:
        """Whether it is a part, not all."""
        return self._since_s is not None or self._sample_rate < 1

    def has(self, request: Request) -> bool:
        """Whether ``request`` is in the part."""
        if self._since_s is not None and (request.time_s is None or request.time_s < self._since_s):
            self._timeless += request.time_s is None
            self._early += request.time_s is not None
            return False
        if self._sample_rate < 1 and _share(request) >= self._sample_rate:
            self._unsampled += 1
            return False
        self._kept += 1
        return True

    def sentences(self) -> tuple[str, ...]:
        """Return what to say about the part: how much was left out, and what follows from it."""
        sentences = []
        if self._early or self._timeless:
            timeless = f", {self._timeless:,} of them without a time" if self._timeless else ""
            left_out = self._early + self._timeless
            requests = "1 request was" if left_out == 1 else f"{counted(left_out, 'request')} were"
            sentences.append(
                f"{requests} left out by --since{timeless}: what would have been left in "
                "the cache is missing, and rates are lower bounds."
            )
        if self._sample_rate < 1:
            requests = counted(self._kept + self._unsampled, "request")
            sentences.append(
                f"Sampled: {self._kept:,} of {requests}, whole sessions where the log names them: "
                "what is shared between sessions is underestimated."
            )
        return tuple(sentences)


def _share(request: Request) -> float:
    """Return a number in 0..1 that is the same for all requests of a session, or by the request's place in the log."""
    key = f"session {request.session}" if request.session is not None else f"request {request.index}"
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest()
    return int.from_bytes(digest, "big") / (1 << 8 * _HASH_BYTES)

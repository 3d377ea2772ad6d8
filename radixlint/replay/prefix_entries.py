"""Stored prefixes by their exact tokens, each with a time to live since its last use."""

from __future__ import annotations

import hashlib
from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Final

from radixlint.traffic import TOKEN_BYTES, TokenRequest

_DIGEST_BYTES: Final = 16

PrefixKey = tuple[str, int, bytes]
"""What a stored prefix is filed under: namespace, length in tokens, 128-bit digest of its ids."""


class _Entry:
    """When a prefix was last used and how long it lives from then on, in seconds; None is unknown and without end."""

    __slots__ = ("ttl_s", "used_s")

    def __init__(self, used_s: float | None, ttl_s: float | None) -> None:
        self.used_s = used_s
        self.ttl_s = ttl_s

    def is_alive(self, now_s: float | None) -> bool:
        if now_s is None or self.used_s is None or self.ttl_s is None:
            return True
        return now_s - self.used_s <= self.ttl_s


class PrefixEntries:
    """All stored prefixes of a cache; equal length and digest stand for equal ids (2**-128 that they lie)."""

    def __init__(self) -> None:
        self._entries: dict[PrefixKey, _Entry] = {}
        self._lengths: dict[str, list[int]] = {}

    def lengths(self, namespace: str, limit_tokens: int) -> Sequence[int]:
        """Return the lengths of all prefixes ever stored in ``namespace``, up to ``limit_tokens``, ascending."""
        known = self._lengths.get(namespace, [])
        return known[: bisect_right(known, limit_tokens)]

    def longest(self, keys: Sequence[PrefixKey], now_s: float | None) -> PrefixKey | None:
        """Return the last of ``keys`` (ascending by length) that is stored and alive, None if none is."""
        for key in reversed(keys):
            entry = self._entries.get(key)
            if entry is not None and entry.is_alive(now_s):
                return key
        return None

    def use(self, key: PrefixKey, now_s: float | None) -> None:
        """Start the time to live of a stored prefix anew."""
        self._entries[key].used_s = now_s

    def store(self, key: PrefixKey, now_s: float | None, ttl_s: float | None) -> None:
        """Keep a prefix; one that is there and alive is used, and lives as long as the longer time to live says."""
        entry = self._entries.get(key)
        if entry is None:
            self._note_length(key)
        elif entry.is_alive(now_s):
            ttl_s = None if ttl_s is None or entry.ttl_s is None else max(ttl_s, entry.ttl_s)
        self._entries[key] = _Entry(now_s, ttl_s)

    def _note_length(self, key: PrefixKey) -> None:
        known = self._lengths.setdefault(key[0], [])
        at = bisect_right(known, key[1])
        if at == 0 or known[at - 1] != key[1]:
            insort(known, key[1])


def prefix_keys(request: TokenRequest, sequence: bytes, ends: Iterable[int]) -> list[PrefixKey]:
    """Return the keys of the prefixes of ``sequence`` that end behind the tokens ``ends``, ascending by length.

    ``sequence`` is the prompt, or the prompt with its output. The ids are read once, however many ends there are.
    """
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    view = memoryview(sequence)
    keys: list[PrefixKey] = []
    at = 0
    for end in sorted(set(ends)):
        stop = -(-end // request.id_tokens) * TOKEN_BYTES
        digest.update(view[at:stop])
        at = stop
        keys.append((request.namespace, end, digest.copy().digest()))
    return keys

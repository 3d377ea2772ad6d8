"""SGLang's ``Prefill batch`` and start-up lines to the engine's own figures."""

from __future__ import annotations

import re
from typing import Final

from radixlint.logs._engine_lines import COUNT, DECIMAL, find_number, find_rate
from radixlint.logs._tally import Tally
from radixlint.traffic import EngineStats

_PREFILL: Final = b"Prefill batch"
# Cheap to look for; few lines have any.
_OTHER: Final = (b"max_total_num_tokens", b"page_size", b"disable_radix_cache", b"retracted_reqs")
_SEQUENCES: Final = re.compile(rb"#new-seq: ?" + COUNT)
_NEW: Final = re.compile(rb"#new-token: ?" + COUNT)
_CACHED: Final = re.compile(rb"#cached-token: ?" + COUNT)
# Hybrid models print the usage of several pools; that of full attention is the one that fills with tokens.
_USAGE: Final = re.compile(rb"(?:full )?token usage: ?" + DECIMAL)
_KV_TOKENS: Final = re.compile(rb"\bmax_total_num_tokens=" + COUNT)
_PAGE: Final = re.compile(rb"\bpage_size=" + COUNT)
_CACHE_OFF: Final = re.compile(rb"\bdisable_radix_cache=True")
_RETRACTED: Final = re.compile(rb"#retracted_reqs: ?\d")
_OFF: Final = "The prefix cache was switched off (disable_radix_cache)"
_AGAIN: Final = "Retractions: the statistics lines count the prompts of retracted requests again"


class SglangStats:
    """Sums over all ``Prefill batch`` lines.

    Cached over cached plus new is the true token rate: the later chunks of a long prompt count again in ``#new-seq``, but
    add nothing to ``#cached-token``. Lines of one new token and none cached are health checks and left out.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._lines = 0
        self._new_tokens = 0
        self._cached_tokens = 0
        self._peak_rate: float | None = None
        self._kv_tokens: int | None = None
        self._page_tokens: int | None = None

    def take(self, line: bytes) -> bool:
        """Add what ``line`` says; return whether it is one of these lines."""
        is_prefill = _PREFILL in line
        is_batch = is_prefill or b"Decode batch" in line
        if is_batch:
            self._add_usage(line)
        if is_prefill:
            self._add_batch(find_number(_SEQUENCES, line), find_number(_NEW, line), find_number(_CACHED, line))
        return is_batch or (any(word in line for word in _OTHER) and self._take_other(line))

    def result(self) -> EngineStats | None:
        """Return the figures, None without a statistics line."""
        if not self._lines:
            return None
        return EngineStats(
            engine="sglang",
            lines=self._lines,
            new_tokens=self._new_tokens,
            cached_tokens=self._cached_tokens,
            peak_kv_usage_rate=self._peak_rate,
            kv_tokens=self._kv_tokens,
            block_tokens=self._page_tokens,
        )

    def _take_other(self, line: bytes) -> bool:
        kv_tokens, page_tokens = find_number(_KV_TOKENS, line), find_number(_PAGE, line)
        self._kv_tokens, self._page_tokens = kv_tokens or self._kv_tokens, page_tokens or self._page_tokens
        notes = [note for pattern, note in ((_CACHE_OFF, _OFF), (_RETRACTED, _AGAIN)) if pattern.search(line)]
        for note in notes:
            self._tally.note(note)
        return bool(kv_tokens or page_tokens or notes)

    def _add_batch(self, sequences: int | None, new_tokens: int | None, cached_tokens: int | None) -> None:
        if new_tokens is None or cached_tokens is None or (sequences, new_tokens, cached_tokens) == (1, 1, 0):
            return
        self._lines += 1
        self._new_tokens += new_tokens
        self._cached_tokens += cached_tokens

    def _add_usage(self, line: bytes) -> None:
        rate = find_rate(_USAGE, line, 1, self._tally)
        if rate is not None:
            self._peak_rate = max(self._peak_rate or 0.0, rate)

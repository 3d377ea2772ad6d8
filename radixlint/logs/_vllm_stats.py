"""vLLM's statistics and start-up lines to the engine's own figures."""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Callable
from typing import Final

from radixlint.logs._engine_lines import COUNT, DECIMAL, find_number, find_rate
from radixlint.logs._tally import Tally
from radixlint.traffic import EngineStats

WINDOW_REQUESTS: Final = 1000
_USUAL_INTERVAL_S: Final = 10.0

_STATISTICS: Final = b"Avg prompt throughput"
# Cheap to look for; few lines have any.
_START_UP: Final = (b"KV cache size", b"block", b"enable_prefix_caching", b"reset prefix cache")
_ENGINE: Final = re.compile(rb"Engine (\d+):")
_PROMPT_RATE: Final = re.compile(rb"Avg prompt throughput: " + DECIMAL + rb" tokens/s")
_KV_USAGE: Final = re.compile(rb"\b(?:GPU |CPU |[A-Z]+ )?KV cache usage: " + DECIMAL + rb"%")
# The rates of external and multimodal caches have other words in front.
_HIT_RATE: Final = re.compile(rb"(?:, |\A)Prefix cache hit rate: (?:GPU: )?" + DECIMAL + rb"%")
_KV_TOKENS: Final = re.compile(rb"\bKV cache size: (\d[\d,]{0,20}) tokens")
_BLOCK: Final = re.compile(rb"(?:'block_size': |\bblock_size=|[Ss]etting attention block size to )" + COUNT)
_BLOCKS: Final = re.compile(rb"\bnum_gpu_blocks_override'?[=:] ?" + COUNT)
_CACHE_OFF: Final = re.compile(rb"'?enable_prefix_caching'?(?:=|: )False")
_OFF: Final = "Prefix caching was switched off (enable_prefix_caching)"
_RESETS: Final = "Cache resets: the printed hit rate starts anew at each"
_RESET: Final = b"Successfully reset prefix cache"


class VllmStats:
    """The last printed hit rate, and an estimate of the tokens computed.

    The rate is over the 1,000 most recent requests and starts anew at a cache reset; it is missing where caching is off.
    Printed prompt throughput leaves out cached tokens; times the interval between two lines it gives the tokens computed.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._lines = 0
        self._window_rate: float | None = None
        self._peak_rate: float | None = None
        self._kv_tokens: int | None = None
        self._block_tokens: int | None = None
        self._blocks: int | None = None
        self._computed: dict[bytes, list[tuple[float | None, float]]] = {}

    def take(self, message: bytes, time_s: Callable[[], float | None]) -> bool:
        """Add what ``message`` says; return whether it is one of these lines."""
        prompt_rate = _PROMPT_RATE.search(message) if _STATISTICS in message else None
        if prompt_rate is None:
            return any(word in message for word in _START_UP) and self._take_start_up(message)
        self._lines += 1
        engine = _ENGINE.search(message)
        self._computed.setdefault(engine[1] if engine else b"", []).append((time_s(), float(prompt_rate[1])))
        hit_rate, usage = (find_rate(pattern, message, 100, self._tally) for pattern in (_HIT_RATE, _KV_USAGE))
        if hit_rate is not None:
            self._window_rate = hit_rate
        if usage is not None:
            self._peak_rate = max(self._peak_rate or 0.0, usage)
        return True

    def result(self) -> EngineStats | None:
        """Return the figures, None without a statistics line."""
        if not self._lines:
            return None
        return EngineStats(
            engine="vllm",
            lines=self._lines,
            computed_tokens=round(sum(map(_tokens, self._computed.values()))),
            window_hit_rate=self._window_rate,
            window_requests=None if self._window_rate is None else WINDOW_REQUESTS,
            peak_kv_usage_rate=self._peak_rate,
            kv_tokens=self._kv_tokens,
            block_tokens=self._block_tokens or self._tokens_by_blocks(),
        )

    def _take_start_up(self, message: bytes) -> bool:
        kv_tokens, block_tokens, blocks = (
            find_number(_KV_TOKENS, message),
            find_number(_BLOCK, message),
            find_number(_BLOCKS, message),
        )
        self._kv_tokens, self._block_tokens = kv_tokens or self._kv_tokens, block_tokens or self._block_tokens
        if blocks:
            self._blocks = blocks
        is_off, is_reset = _CACHE_OFF.search(message) is not None, _RESET in message
        if is_off:
            self._tally.note(_OFF)
        if is_reset:
            self._tally.note(_RESETS)
        return bool(kv_tokens or block_tokens or blocks or is_off or is_reset)

    def _tokens_by_blocks(self) -> int | None:
        if not self._kv_tokens or not self._blocks or self._kv_tokens % self._blocks:
            return None
        return self._kv_tokens // self._blocks


def _tokens(lines: list[tuple[float | None, float]]) -> float:
    """Return the tokens computed by one engine; an idle engine prints nothing, so a long gap counts as a usual interval."""
    times = [time_s for time_s, _ in lines]
    gaps = [None if a is None or b is None or b <= a else b - a for a, b in itertools.pairwise(times)]
    known = [gap for gap in gaps if gap is not None]
    usual_s = statistics.median_low(known) if known else _USUAL_INTERVAL_S
    return sum(rate * min(gap or usual_s, usual_s) for gap, (_, rate) in zip([None, *gaps], lines, strict=True))

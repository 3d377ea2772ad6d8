"""vLLM's log: prompts as Python prints them (INFO in old versions, DEBUG in new ones), statistics and start-up lines."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from radixlint.logs._engine_lines import without_colours
from radixlint.logs._tally import Tally
from radixlint.logs._vllm_requests import PromptLines
from radixlint.logs._vllm_stats import VllmStats
from radixlint.traffic import EngineStats, Request

NAME: Final = "vllm-log"
ACCEPTS: Final = "vLLM's log (--enable-log-requests with VLLM_LOGGING_LEVEL=DEBUG, or its statistics lines alone)"
GIVES: Final = "ids or rendered text from request lines without --max-log-len; the engine's own rate from statistics lines"
MISSING: Final = "not a line of vLLM's log"
RANK: Final = 20
ENGINE: Final = "vllm"

# (APIServer pid=1) INFO 11-29 13:02:26 [loggers.py:335] and, in front of it, what collectors of logs put there; or the
# lines of its web server, which have no time.
_PREFIX: Final = re.compile(
    rb"[^{\"']{0,120}?\b(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) (\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:[.,](\d+))? \[?[^\]\s]+\]? ?"
)
_WEB_SERVER: Final = re.compile(rb"(?:\([^()]{1,60}\) )?(?:INFO|WARNING|ERROR): {4,5}\S")
_YEAR: Final = 2000  # a leap year, so that each date is one
_YEAR_S: Final = 366 * 86400.0


def claims(line: bytes) -> bool:
    """Whether ``line`` is one of vLLM's."""
    line = without_colours(line)
    return _PREFIX.match(line) is not None or _WEB_SERVER.match(line) is not None


class _Lines:
    """The lines of one run."""

    def __init__(self, tally: Tally) -> None:
        self._prompts = PromptLines(tally)
        self._stats = VllmStats(tally)
        self._latest_s: float | None = None

    def take(self, found: bytes) -> tuple[Request, ...] | None:
        line = without_colours(found)
        prefix = _PREFIX.match(line)
        if prefix is None:
            return None
        message, time_s = line[prefix.end() :], lambda: self._time(prefix)
        return () if self._prompts.take(message, time_s) or self._stats.take(message, time_s) else None

    def rest(self) -> tuple[Request, ...]:
        return self._prompts.rest(has_stats=self._stats.result() is not None)

    def stats(self) -> EngineStats | None:
        return self._stats.result()

    def _time(self, prefix: re.Match[bytes]) -> float | None:
        """Return the time of a line, in the year that is nearest to the line before."""
        month, day, hour, minute, second = (int(part) for part in prefix.groups()[:5])
        try:
            time_s = datetime(_YEAR, month, day, hour, minute, second, tzinfo=UTC).timestamp()
        except ValueError:
            return None
        time_s += float(b"." + (prefix[6] or b"0"))
        if self._latest_s is not None:
            time_s += round((self._latest_s - time_s) / _YEAR_S) * _YEAR_S
        self._latest_s = time_s
        return time_s


open = _Lines  # noqa: A001 - the name of the interface

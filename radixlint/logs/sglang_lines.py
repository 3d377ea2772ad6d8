"""SGLang's text log: requests and answers as Python prints them (``--log-requests``), statistics and start-up lines."""

from __future__ import annotations

import re
from typing import Final

from radixlint.logs._engine_lines import without_colours
from radixlint.logs._record_json import decode_record
from radixlint.logs._sglang_events import take_event
from radixlint.logs._sglang_exchanges import Exchanges
from radixlint.logs._sglang_json import event_of, is_event
from radixlint.logs._sglang_stats import SglangStats
from radixlint.logs._sglang_text import event_in
from radixlint.logs._tally import Tally
from radixlint.traffic import EngineStats, Request

NAME: Final = "sglang-log"
ACCEPTS: Final = "SGLang's text log (--log-requests --log-requests-level 3, or its statistics lines alone)"
GIVES: Final = "ids with the engine's own counts from request lines; the engine's own rate from statistics lines"
MISSING: Final = "not a line of SGLang's log"
RANK: Final = 20
ENGINE: Final = "sglang"

# [2026-11-29 13:19:03 TP0] and, in front of it, what collectors of logs put there.
_PREFIX: Final = re.compile(rb"[^\[{\"']{0,120}\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?)((?: [A-Z]+\d+)*)\] ?")
_MESSAGE: Final = re.compile(rb"(?:\[\w+\] )?(?:Receive(?: OpenAI)?: obj=|Finish: obj=|Prefill batch|Decode batch)")


def claims(line: bytes) -> bool:
    """Whether ``line`` is one of SGLang's."""
    line = without_colours(line)
    return _PREFIX.match(line) is not None or _MESSAGE.match(line) is not None


class _Lines:
    """The lines of one run."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._exchanges = Exchanges(tally)
        self._stats = SglangStats(tally)

    def take(self, found: bytes) -> tuple[Request, ...] | None:
        line = without_colours(found)
        prefix = _PREFIX.match(line)
        message = line[prefix.end() :] if prefix else line
        if message.startswith(b"{"):
            record = decode_record(message)
            event = event_of(record) if is_event(record) else None
        else:
            event = event_in(message, prefix[1] if prefix else None)
        if event is not None:
            return take_event(event, self._exchanges, self._tally)
        return () if self._stats.take(message) else None

    def rest(self) -> tuple[Request, ...]:
        return self._exchanges.rest()

    def stats(self) -> EngineStats | None:
        return self._stats.result()


open = _Lines  # noqa: A001 - the name of the interface

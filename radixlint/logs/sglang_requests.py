"""SGLang's request log as JSON: ``--log-requests --log-requests-format json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.logs._record_json import Record
from radixlint.logs._sglang_events import take_event
from radixlint.logs._sglang_exchanges import Exchanges
from radixlint.logs._sglang_json import event_of, is_event
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "sglang-requests"
ACCEPTS: Final = "SGLang's request log as JSON (--log-requests-format json, level 3)"
GIVES: Final = "ids or rendered text with the engine's own counts (levels 2 and 3), counts only (levels 0 and 1)"
MISSING: Final = "no request event"
RANK: Final = 10
ENGINE: Final = "sglang"


def find(record: Record) -> tuple[Record, ...]:
    """Return the event, or nothing."""
    return (record,) if is_event(record) else ()


class _Events:
    """The events of one run."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._exchanges = Exchanges(tally)

    def take(self, found: Sequence[Record]) -> tuple[Request, ...]:
        return take_event(event_of(found[-1]), self._exchanges, self._tally)

    def rest(self) -> tuple[Request, ...]:
        return self._exchanges.rest()

    def stats(self) -> None:
        return None


open = _Events  # noqa: A001 - the name of the interface

"""Agent traces: one trace a line, requests in it with block ids of their own numbering, mostly as runs."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from radixlint.logs._block_sizes import fits
from radixlint.logs._id_lists import packed_ids
from radixlint.logs._record_json import Record, RecordError, decode_value
from radixlint.logs._tally import Tally
from radixlint.traffic import TOKEN_BYTES, Request, Usage

NO_REQUESTS: Final = "no requests with block ids"
MISFIT: Final = "Requests whose block ids do not fit their length were kept as they are"
_NO_IDS: Final = "Requests without block ids (or with ids that cannot be read) were left out"
_ORDER: Final = "Times count from the start of each trace: the traces were laid one behind the other, in file order"
# A line of a few bytes can stand for any number of ids; real traces stay far below.
_MAX_REQUEST_IDS: Final = 1 << 20
_MAX_TRACE_IDS: Final = 1 << 25
_LOOK_BYTES: Final = 4096


_Id = Annotated[int, Meta(ge=0, lt=1 << 8 * TOKEN_BYTES)]
_Tokens = Annotated[int, Meta(ge=0, le=1 << 40)]


class _Turn(Struct, frozen=True):
    prompt_tokens: _Tokens | None = field(name="in", default=None)
    output_tokens: _Tokens | None = field(name="out", default=None)
    time_s: float | None = field(name="t", default=None)
    hash_runs: list[tuple[_Id, _Id]] | None = None
    hash_ids: Raw | UnsetType = UNSET


_TURNS: Final = msgspec.json.Decoder(list[Raw])
_TURN: Final = msgspec.json.Decoder(_Turn)


def is_agent_trace(record: Record) -> bool:
    """Whether ``record`` holds a whole trace: requests with block ids."""
    if "requests" not in record:
        return False
    start = bytes(memoryview(record["requests"])[:_LOOK_BYTES])
    return start.startswith(b"[") and (b'"hash_runs"' in start or b'"hash_ids"' in start)


class AgentTraces:
    """The traces of one run. Ids mean something within one trace only, so each is a namespace and a session."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._traces = 0
        self._end_s = 0.0

    def take(self, record: Record, block_tokens: int) -> list[Request]:
        """Return the requests of the trace in ``record``; times are shifted so that it begins when the one before ended.

        Raises:
            RecordError: no request has block ids, or there are too many of them.
        """
        self._traces += 1
        name = self._name(record)
        try:
            turns = _TURNS.decode(record["requests"])
        except msgspec.DecodeError:
            raise RecordError(NO_REQUESTS) from None
        budget = _MAX_TRACE_IDS
        requests: list[Request] = []
        for field_ in turns:
            turn, ids = _read(field_, budget)
            if ids is None:
                self._tally.note(_NO_IDS)
                continue
            budget -= len(ids) // TOKEN_BYTES
            requests.append(self._request(turn, ids, name, block_tokens))
        if not requests:
            raise RecordError(NO_REQUESTS)
        self._tally.note(_ORDER)
        self._end_s = max([self._end_s, *(r.time_s for r in requests if r.time_s is not None)])
        return requests

    def _name(self, record: Record) -> str:
        value = decode_value(record["id"]) if "id" in record else None
        return str(value) if isinstance(value, str | int) else f"trace {self._traces}"

    def _request(self, turn: _Turn, ids: bytes, name: str, block_tokens: int) -> Request:
        blocks = len(ids) // TOKEN_BYTES
        if turn.prompt_tokens is not None and not fits(turn.prompt_tokens, blocks, block_tokens):
            self._tally.note(MISFIT)
        return Request(
            index=self._tally.new_index(),
            session=name,
            namespace=name,
            time_s=None if turn.time_s is None else self._end_s + turn.time_s,
            block_ids=ids,
            block_tokens=block_tokens,
            prompt_tokens=turn.prompt_tokens,
            usage=None if turn.output_tokens is None else Usage(output_tokens=turn.output_tokens),
        )


def _read(field_: Raw, budget: int) -> tuple[_Turn, bytes | None]:
    """Return a request of a trace, and its ids, None if there are none or more than ``budget``."""
    try:
        turn = _TURN.decode(field_)
    except msgspec.DecodeError:
        return _Turn(), None
    if turn.hash_ids is not UNSET:
        ids = packed_ids(bytes(turn.hash_ids))
        return turn, ids if ids is not None and len(ids) // TOKEN_BYTES <= budget else None
    if turn.hash_runs is None:
        return turn, None
    if sum(count for _, count in turn.hash_runs) > min(budget, _MAX_REQUEST_IDS):
        return turn, None
    return turn, _unrolled(turn.hash_runs)


def _unrolled(runs: list[tuple[int, int]]) -> bytes:
    import numpy as np

    return b"".join([np.arange(first, first + count, dtype=np.int64).astype("<u4").tobytes() for first, count in runs])

"""Traces of block ids, as Mooncake publishes them, and agent traces: one trace a line, its ids as runs."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final

from msgspec.structs import replace

from radixlint.logs._agent_traces import MISFIT, AgentTraces, is_agent_trace
from radixlint.logs._block_sizes import fits, infer_block_tokens
from radixlint.logs._id_lists import packed_ids
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError, decode_value
from radixlint.logs._tally import Tally
from radixlint.traffic import TOKEN_BYTES, Request, Usage

NAME: Final = "hash-trace"
ACCEPTS: Final = "traces of block ids (hash_ids, or one trace a line with requests of hash_runs)"
GIVES: Final = "hits in whole blocks; no text, so no causes"
MISSING: Final = "no hash_ids"
RANK: Final = 10

_GUESSED: Final = "No line says how many tokens a block has: {} fits the lengths of the prompts"
_BLOCK_SIZE: Final = ("block_size", "block_tokens")
_OWN: Final = ("hash_ids", "timestamp")
_MILLISECONDS: Final = 1000
_MAX_TOKENS: Final = 1 << 40
_MAX_BLOCK_TOKENS: Final = 1 << 20


def find(record: Record) -> tuple[Record, ...]:
    """Return the line of a trace, or nothing."""
    return (record,) if "hash_ids" in record or is_agent_trace(record) else ()


class _Traces:
    """The lines of one run. Those without a block size wait until the last: only all of them together tell it."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._agents = AgentTraces(tally)
        self._waiting: list[Request] = []

    def take(self, found: Sequence[Record]) -> tuple[Request, ...]:
        record = found[-1]
        block_tokens = _count(record, _BLOCK_SIZE, _MAX_BLOCK_TOKENS) or None
        if "hash_ids" not in record:
            if block_tokens is None:
                raise RecordError("no block_size")
            return tuple(self._agents.take(record, block_tokens))
        request = self._read(record)
        if block_tokens is None:
            self._waiting.append(request)
            return ()
        return (self._sized(request, block_tokens),)

    def rest(self) -> tuple[Request, ...]:
        shapes = [(r.prompt_tokens, _blocks(r)) for r in self._waiting if r.prompt_tokens is not None]
        block_tokens = infer_block_tokens(shapes)
        if self._waiting:
            self._tally.note_file(_GUESSED.format(block_tokens))
        requests = tuple([self._sized(request, block_tokens) for request in self._waiting])
        self._waiting.clear()
        return requests

    def stats(self) -> None:
        return None

    def _read(self, record: Record) -> Request:
        ids = packed_ids(bytes(record["hash_ids"]))
        if ids is None:
            raise RecordError("block ids not integers of 32 bits; number them from 0")
        shared = shared_fields([{n: f for n, f in record.items() if n not in _OWN}], self._tally.new_index(), self._tally)
        output_tokens = _count(record, ("output_length",), _MAX_TOKENS)
        return replace(
            shared,
            time_s=_time(record),
            block_ids=ids,
            prompt_tokens=_count(record, ("input_length",), _MAX_TOKENS),
            usage=shared.usage if output_tokens is None else Usage(output_tokens=output_tokens),
        )

    def _sized(self, request: Request, block_tokens: int) -> Request:
        if request.prompt_tokens is not None and not fits(request.prompt_tokens, _blocks(request), block_tokens):
            self._tally.note(MISFIT)
        return replace(request, block_tokens=block_tokens)


open = _Traces  # noqa: A001 - the name of the interface


def _blocks(request: Request) -> int:
    return len(request.block_ids or b"") // TOKEN_BYTES


def _count(record: Record, names: tuple[str, ...], limit: int) -> int | None:
    value = next((decode_value(record[name]) for name in names if name in record), None)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit else None


def _time(record: Record) -> float | None:
    """Return the seconds from the start: whole numbers are milliseconds, as Mooncake has them, others are seconds."""
    value = decode_value(record["timestamp"]) if "timestamp" in record else None
    if isinstance(value, int) and not isinstance(value, bool):
        return value / _MILLISECONDS
    return value if isinstance(value, float) and isfinite(value) else None

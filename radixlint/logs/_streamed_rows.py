"""Rows that each hold one chunk of a streamed chat answer: all rows of an answer are one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._call_tree import merged
from radixlint.logs._record_fields import response_records
from radixlint.logs._record_json import Record, decode_value
from radixlint.logs._tally import Tally
from radixlint.traffic import Message, Request

_MERGED: Final = "Rows that hold a further chunk of a streamed answer were merged with the first"
_CHUNK: Final = b'"chat.completion.chunk"'
_CHUNK_AS_TEXT: Final = b"chat.completion.chunk"
_ANSWERS: Final = ("response", "response_body", "output")
_ANSWER_NAMES: Final = frozenset(_ANSWERS)

_Stream = tuple[str, str | None, tuple[str, ...], tuple[Message, ...]]


class StreamedRows:
    """The calls that were seen in chunks so far: known by the id of their chunks, else of their rows, and by their prompt."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._calls: dict[_Stream, Request] = {}

    def take(self, record: Record, request: Request) -> Sequence[Request]:
        """Return ``request``, which is in ``record``; nothing if the answer in it is a chunk, for more may follow."""
        stream = _stream(record, request)
        if stream is None:
            self._tally.new_index()
            return (request,)
        before = self._calls.get(stream)
        if before is None:
            self._tally.new_index()
            self._calls[stream] = request
        else:
            self._tally.note(_MERGED)
            self._calls[stream] = _with_chunk(before, request)
        return ()

    def rest(self) -> Sequence[Request]:
        """Return the calls that were seen in chunks."""
        return tuple(self._calls.values())


def _with_chunk(call: Request, chunk: Request) -> Request:
    """Return ``call`` with what ``chunk`` adds: usage stands in the last one, or grows from one to the next."""
    counted, later = (0 if one.usage is None else one.usage.output_tokens or 0 for one in (call, chunk))
    return merged(replace(call, usage=chunk.usage) if later > counted else call, chunk)


def _stream(record: Record, request: Request) -> _Stream | None:
    """Return what the rows of one streamed answer have in common, None if the answer in ``record`` is no chunk."""
    if _ANSWER_NAMES.isdisjoint(record) or not any(name in record and _CHUNK_AS_TEXT in bytes(record[name]) for name in _ANSWERS):
        return None
    chunk = next((one for one in response_records(record) if bytes(one.get("object", b"")) == _CHUNK), None)
    if chunk is None:
        return None
    id_ = decode_value(chunk["id"]) if "id" in chunk else request.id
    return (id_, request.session, request.tools, request.messages) if isinstance(id_, str) and id_ else None

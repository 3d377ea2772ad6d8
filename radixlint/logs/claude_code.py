"""Claude Code transcripts: what the provider reported of each call; system prompt and tools are not in them.

The format is internal to Claude Code and may change. One call stands on several lines with the same ``requestId`` and the
same usage (one a content block), again in the transcript of a resumed session. Usage is exclusive: ``input_tokens`` leave
out what was read from the cache and written to it. As the head of each prompt is missing, no rate can come from the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._logged_bodies import as_fields
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, as_record, decode_value
from radixlint.logs._record_settings import read_settings
from radixlint.logs._record_usage import read_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Request, Usage

NAME: Final = "claude-code"
ACCEPTS: Final = "Claude Code transcripts (sessionId, parentUuid, message.usage)"
GIVES: Final = "usage only: the transcript holds neither system prompt nor tools"
MISSING: Final = "no line of a Claude Code transcript"
RANK: Final = 12

USAGE_ALONE: Final = (
    "Claude Code transcripts hold neither the system prompt nor the tools, so hit rates come from the reported usage alone "
    "(log the API's requests for rates from text)"
)
_SYNTHETIC: Final = "<synthetic>"
_NO_CALL: Final = "Messages that Claude Code made itself (model <synthetic>) were left out"
_SIDECHAIN: Final = "sidechain"
# Lines about the session, which hold no call and not always an id.
_ASIDES: Final = frozenset(
    f'"{name}"'.encode()
    for name in (
        *("summary", "file-history-snapshot", "queue-operation", "custom-title", "ai-title", "last-prompt", "agent-name"),
        *("tag", "mode", "permission-mode", "progress", "pr-link", "attribution-snapshot", "content-replacement"),
    )
)
_SIGNS: Final = ("sessionId", "leafUuid", "snapshot")


def find(record: Record) -> tuple[Record, ...]:
    """Return the line, or nothing."""
    if "sessionId" in record and "parentUuid" in record and "type" in record:
        return (record,)
    is_aside = "type" in record and any(name in record for name in _SIGNS) and bytes(record["type"]) in _ASIDES
    return (record,) if is_aside else ()


class _Transcripts:
    """The calls that were seen so far, by request id; the last line of a call has its final output count."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._calls: dict[str, Request] = {}

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        line = found[0]
        message = as_record(line.get("message"))
        if message is None or "usage" not in message or decode_value(line["type"]) != "assistant":
            return ()
        model = _text(message, "model")
        if model == _SYNTHETIC:
            self._tally.note(_NO_CALL)
            return ()
        usage = read_usage(decode_value(message["usage"]), self._tally, is_inclusive=False)
        if usage is None:
            return ()
        id_ = _text(line, "requestId") or _text(message, "id")
        key = id_ or f"{self._tally.place}"
        before = self._calls.get(key)
        if before is not None:
            self._calls[key] = replace(before, usage=_later(before.usage, usage))
            return ()
        self._tally.note(USAGE_ALONE)
        told = self._named(line, id_, model)
        settings = read_settings({}, [message])
        self._calls[key] = replace(told, index=self._tally.new_index(), usage=usage, settings=settings)
        return ()

    def rest(self) -> Sequence[Request]:
        return tuple(self._calls.values())

    def stats(self) -> None:
        return None

    def _named(self, line: Record, id_: str | None, model: str | None) -> Request:
        is_sidechain = "isSidechain" in line and decode_value(line["isSidechain"]) is True
        fields: dict[str, object] = {
            "id": id_,
            "model": model,
            "session_id": _text(line, "sessionId"),
            "timestamp": _text(line, "timestamp"),
            "tags": [_SIDECHAIN] if is_sidechain else None,
        }
        return shared_fields([as_fields(fields)], 0, self._tally, answers=[])


open = _Transcripts  # noqa: A001 - the name of the interface


def _later(before: Usage | None, after: Usage) -> Usage:
    """Return the counts of the later line: while an answer streams, its first lines have a part of the output."""
    if before is None or (before.output_tokens or 0) <= (after.output_tokens or 0):
        return after
    return before


def _text(fields: Record, name: str) -> str | None:
    value = decode_value(fields[name]) if name in fields else None
    return value if isinstance(value, str) and value else None

"""Codex rollouts: what the provider reported of each call; the tools are not in them.

``last_token_usage`` is one call's, cached tokens inside its input; ``total_token_usage`` is a running sum and only tells
whether an event is new: Codex repeats the last one when its limits change, and a forked session begins with a copy of the
lines of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Raw
from msgspec.structs import replace

from radixlint.logs._logged_bodies import as_fields
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, as_record, decode_value
from radixlint.logs._record_usage import count_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "codex-rollout"
ACCEPTS: Final = "Codex rollouts (session_meta, turn_context, response_item, event_msg)"
GIVES: Final = "usage only: the rollout does not hold the tools"
MISSING: Final = "no line of a Codex rollout"
RANK: Final = 12

_LINES: Final = frozenset(
    f'"{name}"'.encode() for name in ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
)
_USAGE_ALONE: Final = (
    "Codex rollouts do not hold the tools, which stand first in each prompt, so hit rates come from the reported usage alone "
    "(log the API's requests for rates from text)"
)
_REPEATED: Final = "Token counts that repeat the one before were merged with it"
_COMPACTED: Final = "Compactions rewrote the history, so the next call reads little of it from the cache"


def find(record: Record) -> tuple[Record, ...]:
    """Return the line, or nothing."""
    is_line = "type" in record and "payload" in record and bytes(record["type"]) in _LINES
    return (record,) if is_line else ()


class _Rollouts:
    """Where each file stands: its session, the model of the turn, and the count seen last."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._path: str | None = None
        self._session: str | None = None
        self._model: str | None = None
        self._last: object = None
        self._has_gone_on = True
        self._seen: set[tuple[str, bytes]] = set()

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        line = found[0]
        path, _ = self._tally.place
        if path != self._path:
            self._path, self._session, self._model, self._last = path, None, None, None
        payload = as_record(line["payload"]) or {}
        kind = decode_value(line["type"])
        if kind == "event_msg":
            return self._count(line, payload) if _text(payload, "type") == "token_count" else ()
        self._has_gone_on = True
        if kind == "session_meta":
            # A forked session repeats the lines of the first, its own name stands in front.
            self._session = self._session or _text(payload, "id")
        elif kind == "turn_context":
            self._model = _text(payload, "model") or self._model
        elif kind == "compacted":
            self._tally.note(_COMPACTED)
        return ()

    def rest(self) -> Sequence[Request]:
        return ()

    def stats(self) -> None:
        return None

    def _count(self, line: Record, payload: Record) -> Sequence[Request]:
        info = as_record(payload.get("info"))
        last = None if info is None else as_record(info.get("last_token_usage"))
        if info is None or last is None or self._is_repeated(line, info):
            return ()
        counts = {name: decode_value(value) for name, value in last.items()}
        usage = count_usage(
            self._tally,
            prompt=counts.get("input_tokens"),
            cached=counts.get("cached_input_tokens"),
            output=counts.get("output_tokens"),
            is_inclusive=True,
        )
        if usage is None or not usage.prompt_tokens:
            return ()
        fields: dict[str, object] = {
            "model": self._model,
            "session_id": self._session,
            "timestamp": _text(line, "timestamp"),
        }
        self._tally.note(_USAGE_ALONE)
        request = shared_fields([as_fields(fields)], self._tally.new_index(), self._tally, answers=[])
        return (replace(request, usage=usage),)

    def _is_repeated(self, line: Record, info: Record) -> bool:
        total = info.get("total_token_usage", Raw(b"null"))
        has_total = bytes(total) != b"null"
        key = decode_value(total if has_total else info["last_token_usage"])
        copied = (_text(line, "timestamp") or "", bytes(line["payload"]))
        is_repeated = (key == self._last and (has_total or not self._has_gone_on)) or (bool(copied[0]) and copied in self._seen)
        self._last, self._has_gone_on = key, False
        self._seen.add(copied)
        if is_repeated:
            self._tally.note(_REPEATED)
        return is_repeated


open = _Rollouts  # noqa: A001 - the name of the interface


def _text(fields: Record, name: str) -> str | None:
    value = decode_value(fields[name]) if name in fields else None
    return value if isinstance(value, str) and value else None

"""Langfuse exports: observations as lines, arrays or pages of the API, and traces with their observations inside.

Of the observations only those of type GENERATION are calls; spans, agents, tools and chains around them are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Raw
from msgspec.structs import replace

from radixlint.logs._call_tree import CallTree, Node, merged
from radixlint.logs._json_text import CutText
from radixlint.logs._langfuse_usage import langfuse_usage
from radixlint.logs._logged_bodies import Lack, as_fields, reply_in, with_body
from radixlint.logs._opened_text import elements
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError, as_record, decode_record, decode_value
from radixlint.logs._record_settings import read_settings
from radixlint.logs._tally import Tally
from radixlint.logs._traced_input import traced_body
from radixlint.traffic import Request

NAME: Final = "langfuse"
ACCEPTS: Final = "Langfuse exports (traceId, type, startTime; or traces with observations)"
GIVES: Final = "text, with the reported usage; usage only where the input was not captured"
MISSING: Final = "no Langfuse observation or trace"
RANK: Final = 15

_CALL: Final = "GENERATION"
_TYPES: Final = frozenset(
    f'"{name}"'.encode()
    for name in ("GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL")
)
_TRACE_SIGNS: Final = ("htmlPath", "bookmarked", "release")
# Tags stand beside the metadata, and a prompt or version in it is seldom the template's.
_NOT_LABELS: Final = ("tags", "prompt", "version")
_CUT: Final = b"truncated due to size exceeding limit"
_BARE: Final = "Traces without a model call (export the observations of type GENERATION, not the traces alone)"
_OTHERS: Final = "Observations that are no model calls (spans, tools, agents, ...) were left out"
_NOTHING: Final = "Generations with neither text nor usage were left out"
_NO_INPUT: Final = Lack(
    "no input captured; let the integration capture input, and export the input column",
    "Generations without a readable input give usage alone (let the integration capture input, and export the input column)",
)
_CUT_INPUT: Final = Lack(
    "input cut; raise LANGFUSE_MAX_EVENT_SIZE_BYTES, export whole inputs",
    "Generations whose input was cut, by Langfuse's SDK for its size or by the export, give usage alone (raise "
    "LANGFUSE_MAX_EVENT_SIZE_BYTES, export whole inputs)",
)


def find(record: Record) -> tuple[Record, ...]:
    """Return the observation, trace or page, or nothing."""
    if _is_trace(record) or _is_observation(record):
        return (record,)
    if "data" in record and "meta" in record and _starts_list(record["data"]):
        inner = bytes(record["data"])
        return (record,) if b'"traceId"' in inner and b'"type"' in inner else ()
    return ()


class _Observations:
    """The generations and traces of one run; a trace says whose its generations are."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._tree = CallTree(tally)
        self._traces: dict[str, tuple[Request, tuple[str, int]]] = {}

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        record = found[0]
        if _is_trace(record):
            self._take_trace(record)
        elif _is_observation(record):
            self._take_readable(record, None)
        else:
            self._take_all(record["data"], None)
        return ()

    def rest(self) -> Sequence[Request]:
        calls = self._tree.rest()
        called = {node[0] for node, _ in calls}
        for trace in [name for name in self._traces if name not in called]:
            self._tally.note(_BARE, self._traces[trace][1])
        return [merged(call, self._traces[node[0]][0]) if node[0] in self._traces else call for node, call in calls]

    def stats(self) -> None:
        return None

    def _take_trace(self, trace: Record) -> None:
        id_ = _text(trace, "id") or f"{self._tally.place}"
        self._traces[id_] = (self._named(trace), self._tally.place)
        field = trace.get("observations")
        if field is not None and _starts_list(field) and b"{" in bytes(field):
            self._take_all(field, id_)

    def _take_all(self, field: Raw, trace: str | None) -> None:
        for one in elements(field):
            self._take_readable(one, trace)

    def _take_readable(self, one: Record | Raw, trace: str | None) -> None:
        try:
            self._take_one(one if isinstance(one, dict) else decode_record(one), trace)
        except RecordError as error:
            self._tally.note(f"{_NOTHING} ({error.reason})")

    def _take_one(self, record: Record, trace: str | None) -> None:
        id_ = _text(record, "id") or f"line {self._tally.place}"
        node: Node = (_text(record, "traceId", "trace_id") or trace or "", id_)
        self._tree.link(node, _text(record, "parentObservationId", "parent_observation_id"))
        if _text(record, "type") != _CALL:
            self._tally.note(_OTHERS)
            return
        details, old = (_value(record, *names) for names in (("usageDetails", "usage_details"), ("usage",)))
        request = replace(
            self._named(record),
            usage=langfuse_usage(details, old, self._tally),
            reply=reply_in(record.get("output"), self._tally),
            settings=read_settings(record, [as_record(record.get("output")) or {}]),
        )
        body, lack = _told(record)
        self._tree.add(node, with_body(request, body, lack, self._tally))

    def _named(self, record: Record) -> Request:
        metadata = as_record(record.get("metadata")) or {}
        fields: dict[str, object] = {
            "id": _text(record, "id"),
            "model": _text(record, "model", "provided_model_name", "providedModelName", "internalModel"),
            "session_id": _text(record, "sessionId", "session_id") or _text(metadata, "langfuse_session_id"),
            "user_id": _text(record, "userId", "user_id") or _text(metadata, "langfuse_user_id"),
            "tags": _value(record, "tags"),
            "template_name": _text(record, "promptName", "prompt_name"),
            "template_version": _text(record, "promptVersion", "prompt_version"),
            "timestamp": _text(record, "startTime", "start_time"),
            "metadata": {name: decode_value(value) for name, value in metadata.items() if name not in _NOT_LABELS},
        }
        return shared_fields([as_fields(fields)], 0, self._tally, answers=[])


open = _Observations  # noqa: A001 - the name of the interface


def _told(record: Record) -> tuple[Record | None, Lack]:
    """Return the request as far as it was captured, and what keeps it from being whole."""
    if _CUT in bytes(record.get("input", b"")):
        return None, _CUT_INPUT
    try:
        return traced_body(_value(record, "input")), _NO_INPUT
    except CutText:
        return None, _CUT_INPUT


def _is_trace(record: Record) -> bool:
    if "traceId" in record or "trace_id" in record:
        return False
    if "observations" in record:
        return "timestamp" in record or "projectId" in record
    return "timestamp" in record and any(name in record for name in _TRACE_SIGNS) and ("userId" in record or "user_id" in record)


def _is_observation(record: Record) -> bool:
    has_ids = ("traceId" in record or "trace_id" in record) and "type" in record
    return has_ids and ("startTime" in record or "start_time" in record) and bytes(record["type"]) in _TYPES


def _starts_list(field: Raw) -> bool:
    return bytes(memoryview(field)[:1]) == b"["


def _value(record: Record, *names: str) -> object:
    """Return the first of ``names`` that is given; JSON in a string is opened where an object or a list is meant."""
    for name in names:
        if name in record and (inner := as_record(record[name])) is not None:
            return {key: decode_value(value) for key, value in inner.items()}
        if name in record and (value := decode_value(record[name])) is not None:
            return value
    return None


def _text(record: Record, *names: str) -> str | None:
    value = _value(record, *names)
    return str(value) if isinstance(value, str | int | float) and value != "" else None

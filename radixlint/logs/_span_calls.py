"""Spans of one run to requests: of both conventions, with the log events that hold their texts, nested calls once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from radixlint.logs._call_tree import CallTree, Node
from radixlint.logs._genai_spans import genai_body, genai_reply, genai_usage, is_model_call
from radixlint.logs._json_text import CutText, parsed
from radixlint.logs._logged_bodies import Lack, as_fields, reply_in, with_body
from radixlint.logs._openinference_spans import (
    KIND,
    is_llm_span,
    openinference_body,
    openinference_reply,
    openinference_usage,
)
from radixlint.logs._otlp_spans import Span, Values, spans_in
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError
from radixlint.logs._tally import Tally
from radixlint.logs._traced_input import traced_body
from radixlint.traffic import Request

_OTHERS: Final = "Spans that are no model calls (HTTP, agents, tools, chains, ...) were left out"
_NOTHING: Final = "Spans of model calls with neither text nor usage were left out"
_NAMES: Final = {
    "model": ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.request.model"),
    "session_id": ("gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id"),
    "user_id": ("user.id", "enduser.id", "traceloop.association.properties.user_id"),
    "team_id": ("tenant.id", "team.id", "organization.id"),
    "template_name": ("gen_ai.prompt.name", "traceloop.prompt.key", "langfuse.observation.prompt.name", "prompt.id"),
    "service_tier": ("gen_ai.openai.request.service_tier", "gen_ai.request.service_tier"),
    "reasoning_effort": ("gen_ai.request.reasoning_effort", "gen_ai.openai.request.reasoning_effort"),
    "response_format": ("gen_ai.openai.request.response_format",),
    "tool_choice": ("gen_ai.request.tool_choice",),
    "model_parameters": ("llm.invocation_parameters",),
    "template_version": ("traceloop.prompt.version", "langfuse.observation.prompt.version", "llm.prompt_template.version"),
}
_CLIENT: Final = ("3", "SPAN_KIND_CLIENT", "SpanKind.CLIENT")
_HOSTS: Final = ("service.instance.id", "k8s.pod.name", "host.name", "host.id")
_NO_CONTENT: Final = Lack(
    "no content captured; set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, or unset OPENINFERENCE_HIDE_INPUTS",
    "Spans without content give usage alone (content capture is off by default: set "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, or unset OPENINFERENCE_HIDE_INPUTS)",
)
_CUT_CONTENT: Final = Lack(
    "content cut by the exporter; raise OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
    "Spans whose texts were cut give usage alone (raise OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT)",
)


class SpanCalls:
    """The spans of one run; texts may follow in log events, so calls without one wait until the end."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._tree = CallTree(tally)
        self._waiting: dict[Node, tuple[Span, tuple[str, int]]] = {}
        self._events: dict[Node, list[Span]] = {}
        self._spans = 0

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        for span in spans_in(found[-1]):
            self._spans += 1
            node = (span.trace, span.id or f"unnamed {self._spans}")
            if span.is_log:
                if any(event.name.startswith("gen_ai.") for event in span.events):
                    self._events.setdefault(node, []).append(span)
                continue
            self._tree.link(node, span.parent)
            if not _is_call(span.attributes):
                self._tally.note(_OTHERS)
                continue
            self._tree.reserve(node)
            self._add(node, span, self._tally.place, may_wait=True)
        return ()

    def rest(self) -> Sequence[Request]:
        for node, (span, place) in self._waiting.items():
            self._add(node, _with_events(span, self._events.pop(node, [])), place)
        for node, records in self._events.items():
            self._tree.reserve(node)
            self._add(node, _with_events(records[0], records[1:]), self._tally.place)
        return [request for _, request in self._tree.rest()]

    def stats(self) -> None:
        return None

    def _add(self, node: Node, span: Span, place: tuple[str, int], *, may_wait: bool = False) -> None:
        try:
            body, lack = _told(span)
            if body is None and lack is _NO_CONTENT and may_wait:
                self._waiting.setdefault(node, (span, place))
            else:
                self._tree.add(node, with_body(self._named(span), body, lack, self._tally))
        except RecordError as error:
            self._tally.note(f"{_NOTHING} ({error.reason})", place)

    def _named(self, span: Span) -> Request:
        attributes = span.attributes
        is_llm = is_llm_span(attributes)
        usage = openinference_usage(attributes, self._tally) if is_llm else None
        request = shared_fields([as_fields(_fields(span))], 0, self._tally, answers=[])
        try:
            reply = openinference_reply(span) if is_llm else genai_reply(span)
        except CutText:
            reply = None
        answer = as_fields({"reply": reply}).get("reply") if isinstance(reply, dict) else None
        return replace(request, usage=usage or genai_usage(attributes, self._tally), reply=reply_in(answer, self._tally))


def _is_call(attributes: Values) -> bool:
    return is_llm_span(attributes) if KIND in attributes else is_model_call(attributes)


def _told(span: Span) -> tuple[Record | None, Lack]:
    """Return the request as far as a span holds it, and what keeps it from holding more."""
    try:
        given = openinference_body(span) if is_llm_span(span.attributes) else None
        given = given or genai_body(span)
        return (None if given is None else traced_body(given)), _NO_CONTENT
    except CutText:
        return None, _CUT_CONTENT
    except RecursionError:
        raise RecordError("too deep") from None


def _with_events(span: Span, records: Sequence[Span]) -> Span:
    events = (*span.events, *(event for record in records for event in record.events))
    details = {name: value for record in records for name, value in record.attributes.items()}
    return replace(span, events=events, attributes={**details, **span.attributes})


def _fields(span: Span) -> dict[str, object]:
    """Return what names a call, as ``shared_fields`` reads it."""
    attributes, resource = span.attributes, span.resource
    metadata = _parsed(attributes.get("metadata")) or _under(attributes, "metadata.")
    tags = _parsed(attributes.get("tag.tags"))
    service = resource.get("service.name")
    return {
        "id": span.id or None,
        "timestamp": span.start,
        "host": _host(span),
        "metadata": metadata if isinstance(metadata, dict) else None,
        "tags": [*(tags if isinstance(tags, list) else ()), *([f"service={service}"] if service else ())],
        **{name: next((attributes[key] for key in keys if attributes.get(key)), None) for name, keys in _NAMES.items()},
    }


def _under(attributes: Values, prefix: str) -> Values:
    return {name.removeprefix(prefix): value for name, value in attributes.items() if name.startswith(prefix)}


def _host(span: Span) -> str | None:
    """Return the machine that served the call: the address a client called, or the one that a server runs on."""
    address, port = (span.attributes.get(f"server.{name}") for name in ("address", "port"))
    if address:
        return f"{address}:{port}" if port else str(address)
    if span.kind in _CLIENT:
        return None
    return next((str(span.resource[name]) for name in _HOSTS if span.resource.get(name)), None)


def _parsed(value: object) -> Any:
    try:
        return parsed(value)
    except CutText:
        return None

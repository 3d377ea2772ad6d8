"""Spans and log events of OpenTelemetry, out of OTLP batches or one by one, their attributes as plain values.

OTLP's JSON wraps each value in its type and writes 64-bit integers as text; exporters of one span a line write plain
objects, flat (``gen_ai.request.model``) or nested. All become flat attributes here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from radixlint.logs._json_text import CutText, parsed
from radixlint.logs._record_json import Record, decode_value

_SCOPES: Final = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs", "scope_logs")
_ITEMS: Final = ("spans", "logRecords", "log_records")
BATCHES: Final = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics")
_START: Final = ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime", "timeUnixNano", "timestamp", "time")
_TRACE: Final = ("traceId", "trace_id", "context.trace_id")
_ID: Final = ("spanId", "span_id", "context.span_id")
_PREFIX: Final = "attributes."
_MOST_NESTED: Final = 20

Values = dict[str, Any]


class Event(Struct, frozen=True):
    """What happened in a span, or a log record that belongs to one; ``body`` is its body, else its attributes."""

    name: str
    body: Values
    attributes: Values


class Span(Struct, frozen=True):
    """One span, or one log record under the ids of its span.

    ``start`` is the time as written, ``host`` what names the machine in the resource, ``service`` the program.
    """

    trace: str
    id: str
    parent: str | None
    attributes: Values
    start: object = None
    kind: str = ""
    events: tuple[Event, ...] = ()
    resource: Values = {}
    is_log: bool = False


def spans_in(record: Record) -> Iterator[Span]:
    """Yield the spans and log records of a batch, or the one span that ``record`` is."""
    if not any(name in record for name in BATCHES):
        yield _span({name: decode_value(field) for name, field in record.items()}, {})
        return
    for name in BATCHES:
        for group in _listed(decode_value(record[name])) if name in record else ():
            resource = _resource(group)
            for scope in (one for key in _SCOPES for one in _listed(group.get(key))):
                for item in (one for key in _ITEMS for one in _listed(scope.get(key))):
                    yield _span(item, resource)


def collected(attributes: Values, prefix: str) -> list[Values]:
    """Return the elements under ``prefix``, in numeric order (10 after 9): of indexed names, or of a list of objects."""
    given = attributes.get(prefix)
    if isinstance(given, list):
        return [_flat(one) if isinstance(one, dict) else {"": one} for one in given]
    found: dict[int, Values] = {}
    start = f"{prefix}."
    for name, value in attributes.items():
        if name.startswith(start):
            index, _, rest = name[len(start) :].partition(".")
            if index.isdecimal() and len(index) < 10:
                found.setdefault(int(index), {})[rest] = value
    return [found[index] for index in sorted(found)]


def _span(item: Values, resource: Values) -> Span:
    given = item.get("context")
    context: Values = given if isinstance(given, dict) else {}
    ids = [str(_first(source, names) or "") for source, names in ((item, _TRACE), (item, _ID))]
    trace, id_ = (own or str(_first(context, (name,)) or "") for own, name in zip(ids, ("trace_id", "span_id"), strict=True))
    attributes = _attributes(item.get("attributes"))
    attributes |= _flat({name.removeprefix(_PREFIX): value for name, value in item.items() if _is_flat_name(name)})
    if "span_kind" in item:
        attributes.setdefault("openinference.span.kind", item["span_kind"])
    is_log = "body" in item or "timeUnixNano" in item or "eventName" in item
    events = tuple(_event(one) for one in _listed(item.get("events")))
    parent = _first(item, ("parentSpanId", "parent_span_id", "parent_id", "parentId"))
    return Span(
        trace=trace,
        id=id_,
        parent=str(parent) if parent else None,
        attributes=attributes,
        start=_first(item, _START),
        kind=str(item.get("kind", "")),
        events=(*events, _event(item)) if is_log else events,
        resource=resource or _resource(item),
        is_log=is_log,
    )


def _is_flat_name(name: str) -> bool:
    return name.startswith(("gen_ai.", "llm.", "openinference.", "session.", "user.", "server.", "input.", "output.", _PREFIX))


def _event(item: Values) -> Event:
    attributes = _attributes(item.get("attributes"))
    body = _opened(_plain(item.get("body")))
    name = _first(item, ("eventName", "event_name", "name")) or attributes.get("event.name") or ""
    return Event(str(name), body if isinstance(body, dict) else {}, attributes)


def _opened(body: object) -> object:
    try:
        return parsed(body)
    except CutText:
        return None


def _resource(holder: Values) -> Values:
    resource = holder.get("resource")
    return _attributes(resource.get("attributes")) if isinstance(resource, dict) else {}


def _attributes(value: object) -> Values:
    if isinstance(value, list):
        return {str(one.get("key")): _plain(one.get("value")) for one in value if isinstance(one, dict)}
    return _flat(value) if isinstance(value, dict) else {}


def _flat(values: Values, depth: int = 0) -> Values:
    """Return ``values`` with nested objects under dotted names; lists stay."""
    flat: Values = {}
    for name, value in values.items():
        if isinstance(value, dict) and value and depth < _MOST_NESTED:
            flat |= {f"{name}.{inner}": one for inner, one in _flat(value, depth + 1).items()}
        else:
            flat[name] = value
    return flat


def _plain(value: object) -> Any:
    """Return an OTLP value without its type."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, inner),) = value.items()
    if kind == "intValue":
        return int(inner) if isinstance(inner, str) and inner.lstrip("-").isdecimal() and len(inner) < 20 else inner
    if kind in ("stringValue", "doubleValue", "boolValue", "bytesValue"):
        return inner
    if kind == "arrayValue" and isinstance(inner, dict):
        return [_plain(one) for one in inner.get("values") or ()]
    if kind == "kvlistValue" and isinstance(inner, dict):
        return {str(one.get("key")): _plain(one.get("value")) for one in _listed(inner.get("values"))}
    return value


def _listed(value: object) -> list[Values]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _first(values: Values, names: tuple[str, ...]) -> object:
    return next((values[name] for name in names if values.get(name) not in (None, "")), None)

"""OpenTelemetry's GenAI spans and events: OTLP batches, or one span a record."""

from __future__ import annotations

from typing import Final

from radixlint.logs._record_json import Record
from radixlint.logs._span_calls import SpanCalls
from radixlint.logs._span_records import holds_spans, mentions, names_any

NAME: Final = "otel-genai"
ACCEPTS: Final = "OpenTelemetry GenAI spans and events (resourceSpans, resourceLogs, or gen_ai.* attributes)"
GIVES: Final = "text where content capture is on, else usage only"
MISSING: Final = "no span and no log event"
RANK: Final = 18

open = SpanCalls  # noqa: A001 - the name of the interface


def find(record: Record) -> tuple[Record, ...]:
    """Return the batch or the span, or nothing."""
    return (record,) if holds_spans(record) or names_any(record, ("gen_ai.",)) or mentions(record, "gen_ai.") else ()

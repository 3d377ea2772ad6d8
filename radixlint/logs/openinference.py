"""OpenInference spans (Arize, Phoenix): OTLP batches, or one span a record; only those of kind LLM are calls."""

from __future__ import annotations

from typing import Final

from radixlint.logs._openinference_spans import KIND
from radixlint.logs._record_json import Record
from radixlint.logs._span_calls import SpanCalls
from radixlint.logs._span_records import holds_spans, mentions, names_any

NAME: Final = "openinference"
ACCEPTS: Final = "OpenInference spans (openinference.span.kind, llm.input_messages.*)"
GIVES: Final = "text unless inputs are hidden, else usage only"
MISSING: Final = "no OpenInference span"
RANK: Final = 17

open = SpanCalls  # noqa: A001 - the name of the interface


def find(record: Record) -> tuple[Record, ...]:
    """Return the batch or the span, or nothing."""
    if names_any(record, (KIND, "llm.input_messages", "llm.token_count")) or mentions(record, KIND):
        return (record,)
    is_phoenix = "span_kind" in record and "context" in record
    return (record,) if holds_spans(record) and (is_phoenix or mentions(record, 'openinference"')) else ()

"""Whether a record holds spans: an OTLP batch, or one span a record, in whose names."""

from __future__ import annotations

from typing import Final

from radixlint.logs._otlp_spans import BATCHES
from radixlint.logs._record_json import Record, unwrap

_TRACES: Final = ("traceId", "trace_id")
_SPANS: Final = ("spanId", "span_id")


def holds_spans(record: Record) -> bool:
    """Whether ``record`` is an OTLP batch, or one span or log event of any kind."""
    if any(name in record for name in BATCHES):
        return True
    has_ids = any(name in record for name in _TRACES) and any(name in record for name in _SPANS)
    if "attributes" in record and (has_ids or ("context" in record and b'"span_id"' in bytes(record["context"]))):
        # Somebody's own record of a request may carry a trace's ids.
        return not unwrap(record, ("messages", "prompt"))
    return False


def names_any(record: Record, prefixes: tuple[str, ...]) -> bool:
    """Whether a name at the top of ``record`` starts with one of ``prefixes``, with or without ``attributes.``."""
    return any(name.removeprefix("attributes.").startswith(prefixes) for name in record)


def mentions(record: Record, start: str) -> bool:
    """Whether a key or value somewhere in the attributes or batches of ``record`` begins with ``start``."""
    sign = f'"{start}'.encode()
    return any(sign in bytes(record[key]) for key in ("attributes", *BATCHES) if key in record)

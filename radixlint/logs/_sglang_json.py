"""SGLang's JSON form of a request event."""

from __future__ import annotations

from radixlint.logs._record_json import Record, as_record, decode_value
from radixlint.logs._sglang_events import Event


def is_event(record: Record) -> bool:
    """Whether ``record`` is an event of SGLang's request log."""
    return "event" in record and "obj" in record and bytes(record["event"]).startswith(b'"request.')


def event_of(record: Record) -> Event:
    """Return the event in ``record``."""
    return Event(
        kind=str(decode_value(record["event"])),
        around=record,
        body=as_record(record["obj"]) or {},
        out=as_record(record.get("out")) or {},
    )

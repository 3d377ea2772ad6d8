"""Formats are asked in their order for each record, and only those are passed over that keys alone exclude."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from radixlint.logs._log_format import Format
from radixlint.logs._record_detection import Detection
from radixlint.logs._record_json import Record, decode_record, open_envelopes, unwrap


class Asked:
    """A format that counts how often it was asked."""

    def __init__(self, name: str, knows: Callable[[Record], Any]) -> None:
        self.name = name
        self.times = 0
        self._knows = knows

    def find(self, record: Record) -> Any:
        self.times += 1
        return self._knows(record)

    @property
    def format(self) -> Format:
        return Format(self.name, "", "", open=lambda tally: None, find=self.find)  # type: ignore[arg-type, return-value]


def found(detection: Detection, record: object) -> str | None:
    answer = detection.of_record(decode_record(json.dumps(record).encode()))
    return None if answer is None else answer[0].name


def test_a_format_that_misses_a_key_is_asked_once_a_shape() -> None:
    """What refuses records for lack of a key is not asked again about records with the same keys, wrapped or not."""
    special = Asked("special", lambda record: unwrap(record, ("special",)))
    general = Asked("general", lambda record: unwrap(record, ("messages",)))
    detection = Detection([special.format, general.format])
    wrapped = {"request": {"messages": [1]}, "response": 5}

    assert [found(detection, record) for record in (*[{"messages": [1]}] * 9, *[wrapped] * 9)] == ["general"] * 18
    assert special.times == 2
    assert found(detection, {"request": {"special": 1}, "response": 5}) == "special"


def test_a_format_that_looks_at_values_is_always_asked() -> None:
    """A general format never wins over a more specific one because earlier records with the same keys were not its own."""

    def is_llm_span(record: Record) -> bool:
        return record.get("type") is not None and bytes(record["type"]) == b'"llm"'

    def has_inner_spans(record: Record) -> bool:
        return any(bytes(value) == b'"inner"' for value in record.values())

    def is_copied(record: Record) -> bool:
        return b'"copied"' in map(bytes, {**record}.values())

    formats = [Asked("llm", is_llm_span), Asked("inner", has_inner_spans), Asked("copied", is_copied), Asked("any", bool)]
    detection = Detection([asked.format for asked in formats])
    kinds = [*["tool"] * 5, "llm", "inner", "copied", "tool"]

    assert [found(detection, {"type": kind}) for kind in kinds] == [*["any"] * 5, "llm", "inner", "copied", "any"]


def test_what_is_wrapped_in_a_string_is_looked_into_each_time() -> None:
    """The same outer keys hide different requests: the shape that counts is that of all envelopes."""
    chat = Asked("chat", lambda record: unwrap(record, ("messages",)))
    ids = Asked("ids", lambda record: unwrap(record, ("token_ids",)))
    detection = Detection([ids.format, chat.format])
    records = [{"body": json.dumps({name: [1]})} for name in ("messages", "messages", "token_ids", "messages")]

    assert [found(detection, record) for record in records] == ["chat", "chat", "ids", "chat"]
    assert found(detection, {"body": "no JSON"}) is None


def test_odd_keys_do_not_fill_memory() -> None:
    """Ever new keys are still told apart, and only so many shapes are remembered."""
    general = Asked("general", lambda record: unwrap(record, ("messages",)))
    detection = Detection([general.format])

    names = {found(detection, {"messages": 1, f"key{number}": 1}) for number in range(5000)}

    assert names == {"general"}
    assert len(detection._left) < 5000


def test_envelopes_are_opened_once_a_record() -> None:
    """Asking for the envelopes of the same record again gives the same objects, of another one its own."""
    first = decode_record(b'{"request": {"body": {"messages": []}}}')
    second = decode_record(b'{"request": {"a": 1}}')

    assert open_envelopes(first) is open_envelopes(first)
    assert [list(envelope) for envelope in open_envelopes(first)] == [["request"], ["body"], ["messages"]]
    assert [list(envelope) for envelope in open_envelopes(second)] == [["request"], ["a"]]

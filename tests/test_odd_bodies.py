"""Bodies with anything in place of anything: read, or skipped for a reason, never a crash."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_records import asking, read_records

from radixlint.traffic import CacheMark, Request

FIXTURES = Path(__file__).parent / "fixtures" / "logs"
NAMES = ("anthropic", "anthropic_batch", "batch_input", "batch_output", "responses", "chat_wrapped")
RECORDS = [json.loads(line) for name in NAMES for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines()]
ODD = st.sampled_from(
    [None, True, 0, -1, 1.5, 2**70, "", "x", "[]", "{}", "\ud83d", [], [[]], [None], [7, "x"], {}, {"type": "x"}, {"content": 7}]
)


def places(value: object) -> list[tuple[Any, Any]]:
    """Return every place inside ``value``: a container and a key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((value, key), *places(value[key]))]  # type: ignore[index]


@pytest.mark.parametrize("record", RECORDS, ids=range(len(RECORDS)))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_odd_values_are_skipped_or_read(record: dict[str, Any], data: st.DataObject) -> None:
    """One or two odd values anywhere leave the other records as they are, and each record is read or counted."""
    odd = copy.deepcopy(record)
    for _ in range(data.draw(st.integers(1, 2))):
        found = places(odd)
        if found:
            container, key = data.draw(st.sampled_from(found))
            container[key] = copy.deepcopy(data.draw(ODD))
    log = read_records(asking(0), odd, asking(1))

    assert [r.messages[0].text for r in log.requests if r.id in ("r0", "r1")] == ["question 0", "question 1"]
    assert log.records_read + sum(log.skipped.values()) >= log.records
    assert all(is_sound(r) for r in log.requests)


def is_sound(request: Request) -> bool:
    """Whether marks stand at blocks that exist."""
    return all(has_block(request, mark) for mark in request.marks)


def has_block(request: Request, mark: CacheMark) -> bool:
    """Whether the tool or the block that ``mark`` stands behind exists."""
    if mark.message is None:
        return mark.tool is not None and mark.tool < len(request.tools)
    message = request.messages[mark.message]
    return 0 <= mark.part < max(1, len(message.parts) or 1) + len(message.tool_calls)

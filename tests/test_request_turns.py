"""Bodies as sent: times and ids are found in fixed text, with their exact place, and nowhere else."""

from __future__ import annotations

import pytest

from radixlint.lifetime import classify
from radixlint.lifetime.volatile_text import find_volatile
from radixlint.prompt import Lifetime, Origin, Prompt, Role, Segment, Span

VOLATILE = {
    "Now 2026-11-29T10:11:12Z": "2026-11-29T10:11:12Z",
    "Now 2026-11-29 10:11:12.345+01:00, go": "2026-11-29 10:11:12.345+01:00",
    "at 2026-11-29T10:11": "2026-11-29T10:11",
    "Sent Sun, 29 Nov 2026 10:11:12 GMT": "Sun, 29 Nov 2026 10:11:12 GMT",
    "It is November 29, 2026 at 10:11 PM.": "November 29, 2026 at 10:11 PM",
    "Sun Nov 29 10:11:12 UTC 2026": "Sun Nov 29 10:11:12 UTC 2026",
    "on 29.11.2026 10:11": "29.11.2026 10:11",
    "Current time: 10:11": "10:11",
    "timestamp=1772600767": "1772600767",
    "t 1772600767123 ms": "1772600767123",
    "Now 20261129T101112Z.": "20261129T101112Z",
    "run 20261129T101112+0100": "20261129T101112+0100",
    "On 29 November 2026, 10 am": "29 November 2026, 10 am",
    "On 29 November 2026 10:11": "29 November 2026 10:11",
    "Nov 29, 2026 at 10 p.m.": "Nov 29, 2026 at 10 p.m.",
    "Time: 10:11:12": "10:11:12",
    "It is 10:11:12 here": "10:11:12",
    "Rules\n1772600767\nmore": "1772600767",
    "1772600767": "1772600767",
    "unix_ts: 1772600767": "1772600767",
    "Time is 1772600767.": "1772600767",
    "<ts>1772600767</ts>": "1772600767",
    "req_01JDVS2B7C8Q9XKZ4M5N6P7R8T": "01JDVS2B7C8Q9XKZ4M5N6P7R8T",
    "id 01jdvs2b7c8q9xkz4m5n6p7r8t": "01jdvs2b7c8q9xkz4m5n6p7r8t",
    "trace 6f1c2a34-8c1d-4a60-9a55-0b6d2f7e1c11": "6f1c2a34-8c1d-4a60-9a55-0b6d2f7e1c11",
    "job 4bf92f3577b34da6a3ce929d0e0e4736 runs": "4bf92f3577b34da6a3ce929d0e0e4736",
}

FIXED = [
    "House rules of 2026-01-01.",
    "Valid from 2026-01-01T00:00:00Z",
    "Open from 9:00 to 18:00, closed on 24 December.",
    "Write times like 2026-11-29T10:11:12Z.",
    "An id, for example 6f1c2a34-8c1d-4a60-9a55-0b6d2f7e1c11, is long.",
    "00000000-0000-0000-0000-000000000000",
    "built from commit 4bf92f3577b34da6a3ce929d0e0e4736aabbccdd",
    "sha256:4bf92f3577b34da6a3ce929d0e0e4736aabbccdd",
    "Call 1800555123 or order 1772600767.",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "The numbers 123456789012345678901234567890 are long.",
    "Version 10.11.2026 of the form",
    "On 24 December 2026 9:00 to 18:00 we are open.",
    "Time: 9:00 to 18:00",
    "Lessons: 24 December 2026, 10 am - 2 pm",
    "Time: 18:00",
    "House rules of 29 November 2026, 10 of them.",
    "Orders:\n1772600767\n1772600768\n1772600769",
    "Order: 1772600767",
    "Price: 1772600767 yen, phone 1555123456",
    "part 20261129T991112Z, build 20261129",
    "7ZZZZZZZZZ8Q9XKZ4M5N6P7R8T",
    "ABCDEFGHJKMNPQRSTVWXYZABCD",
    "version 4.10.1, 1.772600767",
]


@pytest.mark.parametrize(("text", "expected"), VOLATILE.items())
def test_finds_times_and_ids(text: str, expected: str) -> None:
    """A time with hours or an id is found, and nothing around it."""
    assert [text[p.start : p.end] for p in find_volatile(text)] == [expected]


@pytest.mark.parametrize("text", FIXED)
def test_passes_over_fixed_text(text: str) -> None:
    """A date without time, an example, a digest and a plain number are no sign of a filled-in value."""
    assert list(find_volatile(text)) == []


def body(*segments: Segment) -> list[Segment]:
    """Classify a body as sent."""
    return list(classify(Prompt("b.json", "b", "test", segments, is_rendered=True), {}).segments)


def test_cuts_with_exact_places() -> None:
    """The time becomes a segment of its own; its place follows the offsets where the source is escaped, else the text."""
    text = "Line\n2026-11-29T10:11:12Z end"
    plain = body(Segment(text, Span("b.json", 3, 5, 4, 25), Role.SYSTEM))
    offsets = tuple((7, 10 + i + (i > 4)) for i in range(len(text)))
    escaped = body(Segment(text, Span("b.json", 7, 10, 7, 40), Role.SYSTEM, offsets=offsets))

    assert "".join(s.text for s in plain) == text
    assert [s.lifetime for s in plain] == [Lifetime.STATIC, Lifetime.CALL, Lifetime.STATIC]
    assert plain[1].span == Span("b.json", 4, 1, 4, 21)
    assert escaped[1].span == Span("b.json", 7, 16, 7, 36)
    assert len(escaped[1].offsets) == len(escaped[1].text)


def test_turns_of_a_body() -> None:
    """System text is static, earlier turns are history, the last user message and what follows is this turn."""
    parts = [
        Segment("rules", Span("b.json", i, 1, i, 2), role, message=i)
        for i, role in enumerate((Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER, Role.TOOL))
    ]

    assert [s.origin for s in body(*parts)] == [Origin.LITERAL, Origin.HISTORY, Origin.HISTORY, Origin.INPUT, Origin.INPUT]


def test_mark_stays_on_the_last_piece() -> None:
    """A cut segment keeps its cache mark at its end alone."""
    marked = body(Segment("at 2026-11-29T10:11:12Z go", Span("b.json", 1, 1, 1, 27), Role.SYSTEM, is_breakpoint=True))

    assert [s.is_breakpoint for s in marked] == [False, False, True]

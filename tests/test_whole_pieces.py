"""Faults that leave no line or tool as it was: in a paragraph, in one big tool, in JSON written in another order each time."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from made_faults import reordered
from made_logs import MODEL, START_S, compact, instructions, numbered, prose, question, tool

from radixlint.api.measuring import measure
from radixlint.result.cause import Cause
from radixlint.traffic import LogRead, Message, Request

Asked = Callable[[int, str, random.Random], Request]
COUNT = 40


def log_of(asked: Asked) -> LogRead:
    """Return 40 requests of one application, each of a session of its own."""
    draw = random.Random("whole pieces")
    made = [asked(i, question(draw, 30), random.Random(i)) for i in range(COUNT)]
    return LogRead("made", COUNT, tuple(numbered(made)), {})


def request(count: int, *messages: Message, tools: tuple[str, ...] = ()) -> Request:
    return Request(0, session=f"s-{count}", model=MODEL, time_s=START_S + 5 * count, tools=tools, messages=messages)


def paragraph(count: int) -> str:
    """Return a line of 250 tokens, a time to the second at its start."""
    return f"It is 2026-03-02T09:{count // 12:02d}:{5 * count % 60:02d}Z. " + prose(random.Random("paragraph"), 250)


def in_system_text(count: int, asked: str, _: random.Random) -> Request:
    return request(count, Message("system", paragraph(count)), Message("user", asked))


def in_question(count: int, asked: str, _: random.Random) -> Request:
    return request(count, Message("user", f"{paragraph(count)} {asked}"))


@pytest.mark.parametrize("asked", [in_system_text, in_question])
def test_a_clock_in_a_paragraph_is_found(asked: Asked) -> None:
    """What stands behind the time in the same line is lost to it, wherever the instructions stand."""
    found = measure(log_of(asked))

    assert found.breaks[0].cause == Cause.CLOCK
    assert found.breaks[0].lost_tokens > 0.6 * found.prompt_tokens
    assert (found.breaks[0].hit_rate_after or 0.0) > 0.8


def test_keys_in_another_order_in_every_tool_and_request_are_found() -> None:
    """No tool is ever written twice alike, and yet nearly the whole prompt was sent before: the order of keys is named."""
    offered = [tool(random.Random(name), name) for name in ("find_parcel", "send_parcel", "open_claim", "close_claim")]
    system = Message("system", instructions(random.Random("few"), 100, "parcel"))

    def asked(count: int, text: str, draw: random.Random) -> Request:
        again = tuple(compact(reordered(json.loads(one), draw)) for one in offered)
        return request(count, system, Message("user", text), tools=again)

    found = measure(log_of(asked))

    assert found.breaks[0].cause == Cause.KEY_ORDER
    assert found.breaks[0].where.startswith("tools[0]")
    assert found.breaks[0].lost_tokens > 0.8 * found.prompt_tokens
    assert (found.breaks[0].hit_rate_after or 0.0) > 0.8


def test_a_big_tool_described_anew_breaks_what_stands_behind_it() -> None:
    """Requests whose one tool is most of the head are still of one application if it is described anew in each."""
    system = Message("system", instructions(random.Random("few"), 150, "parcel"))

    def asked(count: int, text: str, _: random.Random) -> Request:
        described = {"name": "find_parcel", "description": paragraph(count), "parameters": {"type": "object"}}
        offered = compact({"type": "function", "function": described})
        return request(count, system, Message("user", text), tools=(offered,))

    found = measure(log_of(asked))

    assert (found.breaks[0].cause, found.breaks[0].where) == (Cause.TOOL_SET, "tools[0].description")
    assert found.breaks[0].requests == COUNT - 1


def test_instructions_that_lose_their_last_lines_are_read_to_the_end() -> None:
    """A message may end, with a line end, where it went on in its partner: all tokens are accounted for."""
    rules = instructions(random.Random("first"), 120, "parcel") + "\n"
    behind = Message("system", instructions(random.Random("second"), 300, "parcel"))

    def asked(count: int, text: str, draw: random.Random) -> Request:
        told = rules if draw.random() < 0.7 else rules + "The desk is closed today.\n"
        return request(count, Message("system", told), behind, Message("user", text))

    found = measure(log_of(asked))

    assert sum(part.tokens for part in found.waterfall) == found.prompt_tokens

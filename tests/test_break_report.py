"""Breaks of logs with texts: what is counted as lost, and what is shown of the two texts at the place."""

from __future__ import annotations

import json

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import measure
from radixlint.reports import TextStyle, analyze_json, analyze_text
from radixlint.result.breaks import Break
from radixlint.result.measurement import AnalyzeReport, Show
from radixlint.traffic import LogRead, Message, Request, ToolCall

RULES = "\n".join(f"{n}. Rule number {n} of the house is not to be bent by anyone." for n in range(1, 30))
WORDS = ("red", "blue", "tall", "cold", "late", "loud", "new", "odd")


def chat(index: int, system: str, *texts: str, session: str | None = None, **fields: object) -> Request:
    roles = ("user", "assistant")
    messages = (Message("system", system), *(Message(roles[i % 2], text) for i, text in enumerate(texts)))
    return Request(index, model="gpt-4o", session=session or f"s{index}", messages=messages, **fields)  # type: ignore[arg-type]


def report(requests: list[Request], **options: object) -> AnalyzeReport:
    return measure(LogRead("openai-chat", len(requests), tuple(requests), {}), AnalyzeOptions(**options))  # type: ignore[arg-type]


def tool(name: str, description: str = "It looks things up.", **properties: object) -> str:
    function = {"name": name, "description": description, "parameters": {"type": "object", "properties": properties}}
    return json.dumps({"type": "function", "function": function}, separators=(",", ":"))


def tooled(index: int, *tools: str, session: str | None = None) -> Request:
    return chat(index, RULES, f"Where is order {index}?", session=session, tools=tools)


def rendered(found: AnalyzeReport) -> str:
    return analyze_text.render(found, TextStyle(width=400)) + analyze_json.render(found, TextStyle())


def test_a_clock_above_fixed_text_loses_and_new_questions_do_not() -> None:
    """What stands behind a clock was sent before and is lost; new questions under other instructions lose nothing."""
    clocked = [chat(i, f"Now: 2026-03-03T08:{i:02d}:09Z\n{RULES}", f"Where is order {i}?") for i in range(8)]
    asked = [chat(i, RULES.replace("house", "garden"), f"{word} " * 40) for i, word in enumerate(WORDS[:4], 8)]

    found = report([*clocked, *asked])
    worst = found.breaks[0]

    assert (worst.cause, worst.where, worst.requests) == ("clock", "messages[0] system line 1", 7)
    assert worst.lost_tokens > 0.9 * worst.computed_tokens
    assert not any("user" in place.where for place in found.breaks)


def test_both_texts_are_shown_side_by_side_under_the_privacy_rule() -> None:
    """The value is shown as its shape, the shared words in front of it as they are, each at most 80 characters."""
    requests = [chat(i, f"You help at the desk.\nNow: 2026-03-03T08:{i:02d}:09Z\n{RULES}", "Hello?") for i in range(6)]

    place = report(requests).breaks[0]

    assert place.where == "messages[0] system line 2"
    assert place.shared == "You help at the desk.\nNow:"
    assert place.before == place.after == "<time, second>"
    assert max(len(place.before), len(place.after), len(place.shared)) <= 80


def test_show_text_gives_both_values() -> None:
    """With texts opted in, the two values themselves stand side by side, the earlier one first."""
    requests = [chat(i, f"Now: 2026-03-03T08:0{i}:09Z\n{RULES}", f"Hello {i}?") for i in range(6)]

    place = report(requests, show=Show.TEXT).breaks[0]

    assert [text.strip() for text in (place.before, place.after)] == ["2026-03-03T08:00:09Z", "2026-03-03T08:01:09Z"]
    assert place.shared == "Now:"


def test_a_line_that_one_side_lacks_is_shown_against_what_stands_there_without_it() -> None:
    """Both sides begin where they part, so that what is shared stands in front of both."""
    head, clock = "You help at the desk of the shop.", "Now: 2026-03-03T08:0{}:09Z"
    requests = [chat(i, f"{head}\n{clock.format(i)}\n{RULES}" if i % 2 else f"{head}\n{RULES}", f"Hello {i}?") for i in range(8)]

    place = next(found for found in report(requests, show=Show.TEXT).breaks if found.cause == "clock")

    assert place.shared == head
    assert {text.split("\n")[0] for text in (place.before, place.after)} & {
        "1. Rule number 1 of the house is not to be bent by anyone."
    }
    assert any(text.startswith("Now: 2026-03-03T08:0") for text in (place.before, place.after))


def test_a_conversation_that_only_grows_has_no_break() -> None:
    """New turns behind a cached history are new, not lost."""
    turns = ["one", "first answer", "two", "second answer", "three"]
    requests = [chat(i, RULES, *turns[: 2 * i + 1], session="s") for i in range(3)]

    found = report(requests)

    assert found.breaks == ()
    assert "none: what was computed was new in its place" in rendered(found)


def test_sliding_window_is_compared_with_the_turn_before() -> None:
    """A request whose oldest turn was cut loses the kept turns of the request before it, not those of the first one."""
    turns = [f"turn {i}: " + f"word{i} thing{i} place{i} " * 20 for i in range(12)]
    full = [chat(i, RULES, *turns[: 2 * i + 1], session="s") for i in range(3)]
    cut = [chat(i, RULES, *turns[2 * i - 4 : 2 * i + 1], session="s") for i in range(3, 6)]

    place = report([*full, *cut]).breaks[0]

    assert (place.cause, place.detail, place.requests) == ("history-rewritten", "window-shift", 3)
    assert 0.5 * place.computed_tokens < place.lost_tokens < place.computed_tokens


@pytest.mark.parametrize("order", [1, -1])
def test_figures_of_places_do_not_depend_on_how_values_sort(order: int) -> None:
    """The same log gives the same places whichever value comes first."""
    clocks = [f"08:{i:02d}:09" for i in range(6)][::order]
    requests = [chat(i, f"Now: {clock}\n{RULES}", "Hello?") for i, clock in enumerate(clocks)]

    (place,) = report(requests).breaks

    assert (place.requests, place.values) == (5, 6)


def calls(order: int) -> Message:
    """Return an answer that calls a tool; the keys of its arguments come in one order or the other."""
    arguments = {"place": "the shop of the town", "order": "the one of last week", "limit": 12}
    return Message("assistant", "", (ToolCall("find", json.dumps(dict(list(arguments.items())[::order]))),))


def test_the_arguments_of_calls_are_shown_from_where_they_part() -> None:
    """A call written anew is no empty text: both sides show its arguments."""
    requests: list[Request] = []
    for i in range(6):
        for turn, order in enumerate((1, -1)):
            history = (Message("system", RULES), Message("user", f"Find it, please {i}."), calls(order), Message("tool", RULES))
            more = (Message("user", "Thanks, and now?"),) if turn else ()
            requests.append(Request(len(requests), model="gpt-4o", session=f"s{i}", messages=(*history, *more)))

    place = report(requests).breaks[0]

    assert (place.cause, place.where) == ("key-order", "messages[2] assistant call 1")
    assert place.shared.startswith("find")
    assert (place.before[:5], place.after[:5]) == ("place", "limit")


def test_a_short_word_at_the_start_of_a_message_needs_the_role_in_front() -> None:
    """A name that opens one person's instructions is not shown because it is a word in other people's texts."""
    others = [chat(i, f"Tell {WORDS[i]} things.\n{RULES}", f"Mark will {WORDS[i]} Rose, won't he?") for i in range(8)]
    own = [chat(8, f"Mark\n{RULES}", "Hello?"), chat(9, f"Rose\n{RULES}", "Good day.")]

    shown = [text for place in report([*others, *own], top=50).breaks for text in (place.shared, place.before, place.after)]

    assert shown
    assert not [text for text in shown if "Mark" in text or "Rose" in text]


@pytest.mark.parametrize(("conversations", "is_shown"), [(4, False), (5, True)])
def test_names_in_a_tools_schema_are_shown_to_a_crowd(conversations: int, is_shown: bool) -> None:
    """The place in a tool names the fields of JSON schemas, and a property only if five conversations have it."""
    requests: list[Request] = []
    for i in range(conversations):
        for kind in ("string", "integer"):
            own = tool("find", krause_divorce={"type": kind})
            requests.append(tooled(len(requests), own, tool("sell"), session=f"s{i}"))

    found = report(requests)

    (place,) = found.breaks
    name = "krause_divorce" if is_shown else "*"
    assert place.where == f"tools[0].parameters.properties.{name}.type"
    assert ("krause" in rendered(found)) is is_shown


def test_hash_only_shows_no_name_of_a_schema() -> None:
    """However many have it, a property is not named where no text is to be shown; with --show-text it always is."""
    requests = [tooled(i, tool("find", krause={"type": ("string", "integer", "number", "boolean")[i % 4]})) for i in range(12)]

    assert report(requests, show=Show.HASH).breaks[0].where == "tools[0].parameters.properties.*.type"
    assert report(requests[:3], show=Show.TEXT).breaks[0].where == "tools[0].parameters.properties.krause.type"


def test_every_field_of_a_break_follows_from_its_requests() -> None:
    """Share, first time, examples and what goes on alike are those of the requests that lost."""
    requests = [chat(i, f"Now: 08:{i:02d}:09\n{RULES}", f"Where is {i}?", time_s=1e9 + i, id=f"r{i}") for i in range(10)]

    place: Break = report(requests).breaks[0]

    assert (place.requests, place.share_rate) == (9, 0.9)
    assert place.realigned_requests == 9
    assert place.first_seen_s == 1e9 + 1
    assert place.examples == ("r1", "r2", "r3")
    assert place.fix == place.remedies[0].title
    assert place.hit_rate_after == place.remedies[0].after.shareable_rate

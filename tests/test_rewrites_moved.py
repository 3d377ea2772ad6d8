"""Values moved to the newest turn: as an application would have sent them that had put them there from the start."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from rewrite_logs import Turn, texts, turns, with_value_behind, with_value_in_front, words

from radixlint.rewrites import Span, Target, kept, kept_in_newest, moved, replaced
from radixlint.traffic import CacheMark, Message, Request

START = len("You help.\n")
VALUE = len("Time: 08:14")


def spans_of(requests: list[Request]) -> dict[int, Span]:
    return {i: Span(0, START, START + VALUE) for i in range(len(requests))}


def chat(*messages: str, system: str = "") -> Request:
    roles = ("user", "assistant")
    said = (Message(roles[i % 2], text) for i, text in enumerate(messages))
    return Request(index=0, messages=(Message("system", system), *said) if system else tuple(said))


@given(turns())
def test_newest_end_is_what_a_sound_application_sends(conversation: list[Turn]) -> None:
    """Each turn has the value of the call in which it was newest, also in later calls; in a loop of tools only a new one."""
    requests = with_value_in_front(conversation)
    after = moved(requests, spans_of(requests), [0] * len(requests), Target.NEWEST_END)

    assert texts(after) == with_value_behind(conversation)


@given(turns())
def test_newest_start_is_what_a_sound_application_sends(conversation: list[Turn]) -> None:
    """The same with the value in front of the turn; a value moved alone gets the words of its line in front of it."""
    requests = with_value_in_front(conversation)
    after = moved(requests, spans_of(requests), [0] * len(requests), Target.NEWEST_START)

    assert texts(after) == with_value_behind(conversation, is_in_front=True)


@given(turns(), turns())
def test_conversations_do_not_mix(one: list[Turn], other: list[Turn]) -> None:
    """Two conversations that say the same come out as each does alone, whatever their calls' order."""
    first, second = with_value_in_front(one), with_value_in_front(other)
    requests = [request for pair in zip(first, second, strict=False) for request in pair]
    chains = [i % 2 for i in range(len(requests))]
    after = moved(requests, spans_of(requests), chains, Target.NEWEST_END)

    assert texts(after[::2]) == with_value_behind(one)[: len(after[::2])]
    assert texts(after[1::2]) == with_value_behind(other)[: len(after[1::2])]


@pytest.mark.parametrize("target", list(Target))
@given(conversation=turns())
def test_no_word_is_lost_and_no_foreign_one_comes(target: Target, conversation: list[Turn]) -> None:
    """A request keeps all its words; what it has more are values of earlier calls, where these stay."""
    requests = with_value_in_front(conversation)
    after = moved(requests, spans_of(requests), [0] * len(requests), target)
    told: Counter[str] = Counter()

    for logged, sent in zip(requests, after, strict=True):
        assert words(sent) >= words(logged)
        more = words(sent) - words(logged)
        assert more <= (told if target in (Target.NEWEST_END, Target.NEWEST_START) else Counter())
        told.update(["Time:", logged.messages[0].text[START + len("Time: ") : START + VALUE]])


@given(turns())
def test_equal_messages_are_one_object(conversation: list[Turn]) -> None:
    """Changed messages that are equal are the same object, so that each is encoded once."""
    requests = with_value_in_front(conversation)
    after = moved(requests, spans_of(requests), [0] * len(requests), Target.NEWEST_END)
    systems = [request.messages[0] for request in after]

    assert len({id(message) for message in systems}) == len(set(systems))


@pytest.mark.parametrize("target", list(Target))
def test_a_value_that_stands_there_already_leaves_the_request_alone(target: Target) -> None:
    """Moved again, a log is the same objects; so is a log without spans."""
    requests = (chat("Hi\nTime: 1"), chat("Hi\nTime: 1", "Hello", "Bye\nTime: 2"))
    ends = {0: Span(0, 3, 10), 1: Span(2, 4, 11)}
    in_front = (chat("Time: 1\nHi"), chat("Time: 1\nHi", "Hello", "Time: 2\nBye"))
    starts = {0: Span(0, 0, 7), 1: Span(2, 0, 7)}
    before, spans = (in_front, starts) if target is Target.NEWEST_START else (requests, ends)

    assert moved(before, {}, (0, 0), target) == before
    assert all(a is b for a, b in zip(moved(before, {}, (0, 0), target), before, strict=True))
    if target is not Target.DROPPED_FROM_OLDER:
        assert texts(moved(before, spans, (0, 0), target)) == texts(before)
        assert moved(before, spans, (0, 0), target)[0] is before[0]


def test_a_value_within_a_line_gets_its_label() -> None:
    """Only the value leaves its line, and stands behind the label in the newest turn."""
    after = moved([chat("Hi", system="It is 08:14 now.")], {0: Span(0, 6, 11)}, [0], Target.NEWEST_END, "It is ")

    assert texts(after) == [["It is  now.", "Hi\nIt is 08:14"]]


def test_a_last_line_takes_the_line_end_before_it() -> None:
    """Where the span is the last line of a text, no empty line is left."""
    after = moved([chat("Hi", system="Rules.\nTime: 1")], {0: Span(0, 7, 14)}, [0], Target.NEWEST_END)

    assert texts(after) == [["Rules.", "Hi\nTime: 1"]]


def test_a_line_end_in_the_span_does_not_move() -> None:
    """A span that holds its line end moves the same text as one that does not."""
    request = chat("Hi", system="Time: 1\nRules.")

    with_end = moved([request], {0: Span(0, 0, 8)}, [0], Target.NEWEST_END)
    assert texts(with_end) == texts(moved([request], {0: Span(0, 0, 7)}, [0], Target.NEWEST_END)) == [["Rules.", "Hi\nTime: 1"]]


def test_system_end_stays_in_its_text() -> None:
    """The half fix leaves the value in the instructions, as their last line."""
    after = moved([chat("Hi", system="Time: 1\nRules.")], {0: Span(0, 0, 7)}, [0], Target.SYSTEM_END)

    assert texts(after) == [["Rules.\nTime: 1", "Hi"]]


def test_older_turns_are_sent_without_their_value() -> None:
    """The half fix has the value in the newest turn alone, also where the application keeps old turns as they were sent."""
    in_system = [chat("a", system="T1\nR"), chat("a", "b", "c", system="T2\nR")]
    in_turn = [chat("T1\na"), chat("T1\na", "b", "T2\nc")]
    front, own = Span(0, 0, 2), {0: Span(0, 0, 2), 1: Span(2, 0, 2)}

    assert texts(moved(in_system, {0: front, 1: front}, (0, 0), Target.DROPPED_FROM_OLDER)) == [
        ["R", "a\nT1"],
        ["R", "a", "b", "c\nT2"],
    ]
    assert texts(moved(in_turn, own, (0, 0), Target.DROPPED_FROM_OLDER)) == [["a\nT1"], ["a", "b", "c\nT2"]]


def test_a_value_in_the_first_turn_that_is_renewed_with_every_call() -> None:
    """It leaves the first turn for the newest, and the first turn is sent later as it was at first."""
    requests = [chat("T1\na"), chat("T2\na", "b", "c")]
    after = moved(requests, {0: Span(0, 0, 2), 1: Span(0, 0, 2)}, (0, 0), Target.NEWEST_END)

    assert texts(after) == [["a\nT1"], ["a\nT1", "b", "c\nT2"]]


def test_requests_without_a_span_carry_earlier_values() -> None:
    """A request without a value of its own shows earlier turns as they were sent, and leaves its newest turn alone."""
    requests = [chat("a", system="T1\nR"), chat("a", "b", "c", system="R")]
    after = moved(requests, {0: Span(0, 0, 2)}, (0, 0), Target.NEWEST_END)

    assert texts(after) == [["R", "a\nT1"], ["R", "a\nT1", "b", "c"]]


def test_a_call_made_again_has_its_own_value() -> None:
    """The same newest turn sent once more has the new value, or none; later requests show it as it was sent last."""
    requests = [chat("a", system="T1\nR"), chat("a", system="R"), chat("a", system="T2\nR"), chat("a", "b", "c", system="T3\nR")]
    after = moved(requests, {0: Span(0, 0, 2), 2: Span(0, 0, 2), 3: Span(0, 0, 2)}, (0,) * 4, Target.NEWEST_END)

    assert texts(after) == [["R", "a\nT1"], ["R", "a"], ["R", "a\nT2"], ["R", "a\nT2", "b", "c\nT3"]]
    assert after[1] is requests[1]


def test_a_beginning_turn_opened_by_a_tool_loop_gets_the_value() -> None:
    """Where the log begins within a loop of tools, the value goes to the turn of the user, as its first call had it."""
    tool = Message("tool", "result")
    request = chat("a", "call", system="T1\nR")
    begun = Request(index=0, messages=(*request.messages, tool))

    assert texts(moved([begun], {0: Span(0, 0, 2)}, [0], Target.NEWEST_END)) == [["R", "a\nT1", "call", "result"]]


def test_repeated_turns_behind_a_cut_have_their_own_values() -> None:
    """Where the history was cut, equal turns that are left have the values of the last ones, not of the first."""
    requests = [
        chat("ok", system="T1\nR"),
        chat("ok", "b", "ok", system="T2\nR"),
        chat("ok", "d", "go", system="T3\nR"),
    ]
    after = moved(requests, dict.fromkeys(range(3), Span(0, 0, 2)), (0, 0, 0), Target.NEWEST_END)

    assert texts(after)[2] == ["R", "ok\nT2", "d", "go\nT3"]


def test_marks_follow_their_messages_and_blocks() -> None:
    """A message that held nothing else is left out, and marks behind it move up; blocks that join keep theirs."""
    clock_alone = Request(
        index=0,
        messages=(Message("system", "R"), Message("system", "T1"), Message("user", "a")),
        marks=(CacheMark(message=0), CacheMark(message=1), CacheMark(message=2)),
    )
    blocks = Request(
        index=0,
        messages=(Message("system", "Q\nT1\nR\nS", parts=("Q", "T1", "R", "S")), Message("user", "a")),
        marks=(CacheMark(message=0), CacheMark(message=0, part=2), CacheMark(message=0, part=3)),
    )
    alone, joined = moved([clock_alone, blocks], {0: Span(1, 0, 2), 1: Span(0, 2, 4)}, (0, 1), Target.NEWEST_END)

    assert texts([alone]) == [["R", "a\nT1"]]
    assert alone.marks == (CacheMark(message=0), CacheMark(message=1))
    assert joined.messages[0].parts == ("Q", "R", "S")
    assert joined.marks == tuple(CacheMark(message=0, part=part) for part in range(3))


def test_a_block_is_kept_in_front_of_its_question() -> None:
    """It stands in front of its question, a blank line between, and later requests leave it or drop it."""
    requests = [chat("a", system="R\nB1\nB1"), chat("a", "b", "c", system="R\nB2\nB2")]
    spans = dict.fromkeys(range(2), Span(0, 2, 7))

    assert texts(kept(requests, spans, (0, 0))) == [["R", "B1\nB1\n\na"], ["R", "B1\nB1\n\na", "b", "B2\nB2\n\nc"]]
    assert texts(kept_in_newest(requests, spans, (0, 0))) == [["R", "B1\nB1\n\na"], ["R", "a", "b", "B2\nB2\n\nc"]]


def test_a_replaced_value_stays_replaced_in_the_history() -> None:
    """A turn whose value became a date has the date in later requests too; others are the same objects."""
    hello = Message("user", "10:31 hello")
    requests = [
        Request(index=0, messages=(hello,)),
        Request(index=1, messages=(hello, Message("assistant", "b"), Message("user", "c"))),
        Request(index=2, messages=(Message("user", "d"),)),
    ]
    after = replaced(requests, {0: Span(0, 0, 5)}, {0: "today"})

    assert texts(after) == [["today hello"], ["today hello", "b", "c"], ["d"]]
    assert after[2] is requests[2]

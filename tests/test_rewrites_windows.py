"""Histories cut in blocks, in place of on every call; side calls behind the main head."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rewrite_logs import texts

from radixlint.rewrites import marks, window_size, windowed, with_main_head
from radixlint.traffic import CacheMark, Message, Request, ToolCall

SYSTEM = Message("system", "R")
STEPS = st.lists(st.integers(0, 2), min_size=1, max_size=12)


def calls(steps: list[int], name: str = "") -> list[tuple[Message, ...]]:
    """Return the whole histories of the calls of a conversation: a question each, and so many answers of tools behind it."""
    history: list[Message] = []
    found = []
    for turn, answers in enumerate(steps):
        history.append(Message("user", f"{name}q{turn}"))
        found.append(tuple(history))
        for step in range(answers):
            history.append(Message("assistant", "", (ToolCall("look", f'"{name}{turn}.{step}"'),)))
            history.append(Message("tool", f"{name}t{turn}.{step}"))
            found.append(tuple(history))
        history.append(Message("assistant", f"{name}a{turn}"))
    return found


def sent(histories: list[tuple[Message, ...]], cut: Callable[[tuple[Message, ...]], int]) -> tuple[Request, ...]:
    return tuple(Request(index=i, messages=(SYSTEM, *h[cut(h) :])) for i, h in enumerate(histories))


def last(window: int) -> Callable[[tuple[Message, ...]], int]:
    return lambda history: max(0, len(history) - window)


def sound(histories: list[tuple[Message, ...]], low: int, high: int) -> list[list[str]]:
    """Return the texts that an application sends which cuts to ``low`` where it would pass ``high``, in whole turns."""
    begin, found = 0, []
    for history in histories:
        starts = [i for i in range(begin + 1, len(history)) if history[i].role == "user"]
        if len(history) - begin > high and starts:
            begin = next((i for i in starts if i >= len(history) - low), starts[-1])
        found.append([SYSTEM.text, *(message.text for message in history[begin:])])
    return found


@given(STEPS, st.integers(5, 9), st.integers(1, 6), st.integers(0, 6))
def test_windows_are_what_a_sound_application_sends(steps: list[int], window: int, low: int, more: int) -> None:
    """From requests cut on every call come those of one that cuts rarely, in whole turns; a second time nothing changes."""
    histories = calls(steps)
    requests = sent(histories, last(window))
    chains = [0] * len(requests)
    after = windowed(requests, chains, low, low + more)

    assert texts(after) == sound(histories, low, low + more)
    assert all(request.messages[1].role == "user" for request in after)
    assert all(a is b for a, b in zip(after, requests, strict=True) if texts([a]) == texts([b]))


@given(STEPS, STEPS, st.integers(5, 9))
def test_lines_of_one_session_do_not_mix(steps: list[int], other: list[int], window: int) -> None:
    """A session whose calls take turns with those of another line of talk gives what each alone does."""
    one, two = calls(steps), calls(other, "side ")
    first, second = sent(one, last(window)), sent(two, last(window))
    requests = [request for pair in zip(first, second, strict=False) for request in pair]
    after = windowed(requests, [0] * len(requests), 3, 6)

    assert texts(after[::2]) == sound(one, 3, 6)[: len(after[::2])]
    assert texts(after[1::2]) == sound(two, 3, 6)[: len(after[1::2])]


@pytest.mark.parametrize("window", [3, 5, 7, 10])
def test_the_size_of_a_window_is_found(window: int) -> None:
    """Histories cut to their last messages on every call tell how many these are."""
    requests = sent(calls([0] * 20), last(window))

    assert window_size(requests, [0] * len(requests)) == window


@pytest.mark.parametrize(
    "cut",
    [lambda history: 0, lambda history: max(0, len(history) - 7) // 6 * 6],
    ids=["whole", "cut in blocks"],
)
def test_other_histories_are_no_window(cut: Callable[[tuple[Message, ...]], int]) -> None:
    """Histories that are never cut, or rarely and deep, have no window."""
    requests = sent(calls([0] * 20), cut)

    assert window_size(requests, [0] * len(requests)) is None


@given(st.integers(1, 60))
def test_marks_stand_around_the_window(window: int) -> None:
    """Each low mark is at least 1 and not above its high mark; one pair never sends more, one never less."""
    pairs = marks(window)

    assert all(1 <= low <= high for low, high in pairs)
    assert any(high <= window for _, high in pairs)
    assert any(low >= window for low, _ in pairs)


def test_marks_move_with_their_messages() -> None:
    """A cache mark of the newest message stays with it; one of the instructions stays in front; one cut off is gone."""
    histories = calls([0] * 5)
    requests = [
        Request(
            index=i, messages=(SYSTEM, *h[max(0, len(h) - 3) :]), marks=(CacheMark(message=0), CacheMark(message=min(3, len(h))))
        )
        for i, h in enumerate(histories)
    ]
    longer = windowed(requests, [0] * 5, 5, 20)
    shorter = windowed(requests, [0] * 5, 1, 1)

    assert [request.marks[1].message for request in longer] == [1, 3, 5, 7, 9]
    assert [request.marks[1].message for request in shorter] == [1, 1, 1, 1, 1]
    assert windowed([requests[0], requests[2]], [0, 0], 3, 3)[1] is requests[2]
    assert all(request.marks[0] == CacheMark(message=0) for request in (*longer, *shorter))


def test_a_turn_that_is_asked_anew_begins_where_its_history_does() -> None:
    """A call that goes back before the cut has its history from the start; what it took back does not come again."""
    whole = calls([0] * 4)
    again = (*whole[0], Message("assistant", "a0"), Message("user", "other"))
    requests = sent([*whole, again], lambda history: 0)

    assert texts(windowed(requests, [0] * 5, 1, 3)) == [*sound(whole, 1, 3), ["R", "q0", "a0", "other"]]


def test_one_repeated_message_is_no_cut_history() -> None:
    """A conversation that begins with what was said before in another place is not put behind that."""
    again = Message("user", "q1")
    requests = sent([*calls([0] * 3), (again,)], lambda history: 0)

    assert windowed(requests, [0] * 4, 9, 9)[3] is requests[3]


def test_a_side_call_goes_behind_the_main_head() -> None:
    """It has the main tools, instructions and marks in front, and its own instructions at the start of its newest turn."""
    main = Request(
        index=0,
        tools=("t1", "t2"),
        messages=(SYSTEM, Message("developer", "D"), Message("user", "a")),
        marks=(CacheMark(tool=1), CacheMark(message=1), CacheMark(message=2)),
    )
    side = Request(
        index=1,
        tools=("t2", "t3"),
        messages=(SYSTEM, Message("system", "Name it."), Message("user", "a"), Message("assistant", "b"), Message("user", "c")),
        marks=(CacheMark(message=0), CacheMark(message=4)),
    )
    after = with_main_head([main, side], {1: 0})

    assert after[0] is main
    assert after[1].tools == ("t1", "t2", "t3")
    assert after[1].messages[:2] == main.messages[:2]
    assert texts(after)[1] == ["R", "D", "a", "b", "Name it.\n\nc"]
    assert after[1].marks == (CacheMark(tool=1), CacheMark(message=1), CacheMark(message=4))
    assert with_main_head(after, {1: 0})[1] is after[1]


def test_a_side_call_without_a_turn_of_the_user_asks_with_its_instructions() -> None:
    """Instructions alone become the user's message behind the main head; equal ones are one object."""
    main = Request(index=0, messages=(SYSTEM, Message("user", "a")))
    sides = [Request(index=i, messages=(Message("system", "Sum up."),)) for i in (1, 2)]
    after = with_main_head([main, *sides], {1: 0, 2: 0})

    assert texts(after)[1:] == [["R", "Sum up."]] * 2
    assert after[1].messages[1] is after[2].messages[1]

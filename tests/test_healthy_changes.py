"""Healthy logs in which something changes: new versions, variants, files, canned words, deep cuts. How sure states are."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest
from made_logs import MODEL, START_S, instructions, prose, question, tools
from test_causes_acceptance import report

from radixlint.explain.value_kinds import value_kind
from radixlint.result.cause import Cause, Confidence
from radixlint.traffic import Message, Request

SIZES = (6, 12, 20, 60, 200)
Talks = Callable[[random.Random, int], Iterator[tuple[tuple[str, ...], list[Message]]]]
CANNED = ("Done. Anything else?", "Sure.", "Noted, thank you.", "I did not get that.")


def system(text: str) -> Message:
    """Return instructions."""
    return Message("system", text)


def user(text: str) -> Message:
    """Return a question."""
    return Message("user", text)


def sent(draw: random.Random, requests: int, talks: Talks, *, has_sessions: bool = True) -> list[Request]:
    """Return requests of six talks at a time, each a user's own."""
    live: list[tuple[int, Iterator[tuple[tuple[str, ...], list[Message]]]] | None] = [None] * 6
    found: list[Request] = []
    count = 0
    while len(found) < requests:
        at = draw.randrange(6)
        if live[at] is None:
            live[at], count = (count, talks(draw, count)), count + 1
        open_talk = live[at]
        assert open_talk is not None
        number, turns = open_talk
        turn = next(turns, None)
        if turn is None:
            live[at] = None
            continue
        index = len(found)
        found.append(
            Request(
                index=index,
                model=MODEL,
                namespace=MODEL,
                id=f"r{index}",
                time_s=START_S + 6.0 * index,
                session=f"s{number}" if has_sessions else None,
                user=f"u{number}" if has_sessions else None,
                tools=turn[0],
                messages=tuple(turn[1]),
            )
        )
    return found


def growing(
    draw: random.Random, first: Callable[[], str], offered: Callable[[], tuple[str, ...]]
) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
    """Yield the requests of one talk; instructions and tools are asked for at each turn."""
    said: list[Message] = []
    for _ in range(draw.randint(2, 6)):
        said.append(user(question(draw, 25)))
        yield offered(), [system(first()), *said]
        said.append(Message("assistant", prose(draw, 60)))


def versions() -> tuple[str, str]:
    """Return two versions of instructions that differ in one line in front."""
    old = instructions(random.Random("desk"), 900, "Desk").split("\n")
    new = [*old[:1], prose(random.Random("new rule"), 30), *old[2:]]
    return "\n".join(old), "\n".join(new)


def deployed(draw: random.Random, requests: int, *, has_sessions: bool) -> list[Request]:
    """All open talks get new instructions halfway."""
    old, new = versions()
    sends = iter(range(requests * 9))
    return sent(
        draw,
        requests,
        lambda d, _: growing(d, lambda: new if next(sends) >= requests // 2 else old, tuple),
        has_sessions=has_sessions,
    )


def deployed_tools(draw: random.Random, requests: int, *, has_sessions: bool) -> list[Request]:
    """All open talks get one tool more halfway."""
    offered = tools(random.Random("offered"), 6)
    sends = iter(range(requests * 9))
    old, _ = versions()
    given = lambda: offered if next(sends) >= requests // 2 else offered[:-1]  # noqa: E731
    return sent(draw, requests, lambda d, _: growing(d, lambda: old, given), has_sessions=has_sessions)


def rolled_out(draw: random.Random, requests: int, *, has_sessions: bool) -> list[Request]:
    """More and more of the talks begin with the new instructions and keep them."""
    both = versions()

    def talk(d: random.Random, number: int) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
        own = both[d.random() < number / (requests / 4)]
        return growing(d, lambda: own, tuple)

    return sent(draw, requests, talk, has_sessions=has_sessions)


def under_trial(draw: random.Random, requests: int, *, has_sessions: bool) -> list[Request]:
    """Every other talk is offered another tool."""
    offered = tools(random.Random("offered"), 6)
    old, _ = versions()
    return sent(draw, requests, lambda d, n: growing(d, lambda: old, lambda: offered[n % 2 :]), has_sessions=has_sessions)


def with_files(draw: random.Random, requests: int, *, has_sessions: bool) -> list[Request]:
    """Each talk opens one of six files, which have lines in common, and asks about it."""
    files = ["\n".join(f"def f{i}(x):\n    return {prose(random.Random(f'{n} {i}'), 9)}" for i in range(12)) for n in range(6)]
    old, _ = versions()

    def talk(d: random.Random, _: int) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
        said: list[Message] = []
        for _ in range(d.randint(1, 4)):
            said.append(user(f"Open file:\n{d.choice(files)}\n\nTask: {question(d, 25)}"))
            yield (), [system(old), *said]
            said.append(Message("assistant", prose(d, 40)))

    return sent(draw, requests, talk, has_sessions=has_sessions)


def spoken(draw: random.Random, requests: int, *, has_sessions: bool) -> list[Request]:
    """Short talks of few words and canned answers."""
    old, _ = versions()

    def talk(d: random.Random, _: int) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
        said: list[Message] = []
        for _ in range(d.randint(2, 8)):
            said.append(user(d.choice(("Yes.", "No.", "The next one.", question(d, 15)))))
            yield (), [system(old), *said]
            said.append(Message("assistant", d.choice(CANNED)))

    return sent(draw, requests, talk, has_sessions=has_sessions)


def summed_up(draw: random.Random, requests: int, *, has_sessions: bool) -> list[Request]:
    """Long talks give most of their history up for a summary now and then."""
    old, _ = versions()

    def talk(d: random.Random, _: int) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
        said: list[Message] = []
        for _ in range(d.randint(8, 24)):
            said.append(user(question(d, 25)))
            yield (), [system(old), *said]
            said.append(Message("assistant", prose(d, 60)))
            if len(said) >= 14:
                said = [user(f"So far: {prose(d, 80)}"), Message("assistant", "Understood."), *said[-2:]]

    return sent(draw, requests, talk, has_sessions=has_sessions)


HEALTHY = (deployed, deployed_tools, rolled_out, under_trial, with_files, spoken, summed_up)


@pytest.mark.parametrize("requests", SIZES)
@pytest.mark.parametrize("made", HEALTHY, ids=lambda made: made.__name__)
def test_what_changes_in_a_healthy_log_is_no_break(made: Callable[..., list[Request]], requests: int) -> None:
    """A new version, a variant, a file, a canned answer or a deep cut is new content, with session ids and without."""
    for has_sessions in (True, False):
        for seed in range(2):
            log = made(random.Random(f"{seed} {requests}"), requests, has_sessions=has_sessions)

            assert [(one.cause, one.where, one.what) for one in report(log).breaks] == [], (seed, has_sessions)


def test_tools_that_change_within_each_talk_are_a_fault() -> None:
    """A tool that each talk is given later on is no new version: it is named, and surely."""
    offered = tools(random.Random("offered"), 6)
    old, _ = versions()

    def talk(d: random.Random, _: int) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
        for at, (_, messages) in enumerate(growing(d, lambda: old, tuple)):
            yield offered[: 5 + (at > 0)], messages

    (found,) = report(sent(random.Random("late"), 60, talk)).breaks
    assert (found.cause, found.confidence) == (Cause.TOOL_SET, Confidence.HIGH)


def test_one_change_within_one_talk_is_named_with_low_confidence() -> None:
    """What a single talk lost once is told, but may be anything."""
    offered = tools(random.Random("offered"), 6)
    old, _ = versions()

    def talk(d: random.Random, number: int) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
        for at, (_, messages) in enumerate(growing(d, lambda: old, tuple)):
            yield offered[: 5 + (number == 0 and at > 0)], messages

    alone = [one for one in sent(random.Random("one"), 30, talk) if one.session == "s0"]
    (found,) = report(alone).breaks
    assert (found.cause, found.confidence, found.requests) == (Cause.TOOL_SET, Confidence.LOW, 1)


def confidence(owners: Sequence[str], values: Sequence[str]) -> tuple[Cause, Confidence]:
    """Return cause and confidence of values of sessions."""
    found = value_kind(values, [None] * len(values), [(None, None, owner) for owner in owners])
    return found.cause, found.confidence


def test_a_state_is_sure_only_where_it_changes_within_a_session() -> None:
    """Values that come back are surely a state if sessions see several of them; what each keeps may be a variant."""
    draw = random.Random("state")
    states = [draw.choice(("calm", "busy", "closing")) for _ in range(40)]
    sessions = [f"s{i % 8}" for i in range(40)]
    kept = [("calm", "busy", "closing")[int(one[1:]) % 3] for one in sessions]

    assert confidence(sessions, states) == (Cause.LIVE_STATE, Confidence.HIGH)
    assert confidence(sessions, kept)[1] is not Confidence.HIGH

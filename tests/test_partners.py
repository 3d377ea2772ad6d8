"""The earlier request that a request should have shared its prefix with."""

from __future__ import annotations

import random
from collections.abc import Callable

import made_logs
import pytest
from msgspec import structs
from pieces_twin import measured, twin_overlap

from radixlint.pieces.newest_turn import newest_turn
from radixlint.traffic import Message, Request

SMALL = made_logs.Sizes(instruction_tokens=200, document_tokens=50, answer_tokens=40, documents=15, tools=5, open_sessions=4)


def asking(index: int, *texts: str, session: str | None = None, namespace: str = "") -> Request:
    """Return a request of a system text and questions."""
    messages = [Message("system" if i == 0 else "user", text) for i, text in enumerate(texts)]
    return Request(index, session=session, messages=tuple(messages), namespace=namespace)


def test_namespaces_never_mix() -> None:
    """The first request of each namespace has no partner, and no partner is of another namespace."""
    requests = [asking(i, "Be kind.", f"Question {i}", namespace="abc"[i % 3]) for i in range(9)]

    assert list(measured(requests).partners) == [-1, -1, -1, 0, 1, 2, 3, 4, 5]


def test_requests_of_ids_have_no_partner_and_are_none() -> None:
    """Where nothing can be cut there is nothing to compare."""
    requests = [asking(0, "Be kind.", "Hi"), asking(1, "Be kind.", "Ho"), asking(2, "Be kind.", "He")]
    log = measured([requests[0], structs.replace(requests[1], messages=(), tools=(), rendered=None), requests[2]])

    assert list(log.partners) == [-1, -1, 0]


def test_a_conversation_goes_on_from_its_own_last_request() -> None:
    """The previous request of the chain is the partner, also where another one holds the same instructions."""
    requests = made_logs.chat(60, 1, SMALL)
    last: dict[str | None, int] = {}

    for i, partner in enumerate(measured(requests).partners):
        session = requests[i].session
        assert session not in last or partner == last[session]
        last[session] = i


def test_another_request_with_twice_the_overlap_wins_over_the_chain() -> None:
    """A side call between two turns is no partner of the turn, if another request shares twice as much with it."""
    rules = made_logs.instructions(random.Random(1), 300, "parcel")
    title = "Give a title to what follows, in few words, without any quotes."
    requests = [
        asking(0, rules, "What is due?", session="b"),
        asking(1, title, "What is late?", session="a"),
        asking(2, rules, "What is late?", session="a"),
        asking(3, title, "What is lost?", session="a"),
    ]

    assert list(measured(requests).partners) == [-1, 0, 0, 1]


def test_a_clock_in_the_only_system_message_and_a_new_question_leave_a_partner() -> None:
    """Where no item is equal, the kin of the instructions finds the last request of the same application."""
    draw = random.Random(2)
    rules = {name: made_logs.instructions(draw, 200, name) for name in ("red", "blue")}
    requests = [asking(i, f"It is {i}:00.\n{rules['red' if i % 2 else 'blue']}", made_logs.question(draw, 30)) for i in range(12)]

    assert list(measured(requests).partners) == [-1, 0, *range(10)]


def test_ties_go_to_the_latest() -> None:
    """Of requests that share as much the latest is the partner."""
    requests = [asking(i, "Be kind, be brief, be right, and be quick about it.", f"Question {i}") for i in range(6)]

    assert list(measured(requests).partners) == [-1, 0, 1, 2, 3, 4]


CHANGES: dict[str, Callable[[random.Random, Request], Request]] = {
    "healthy": lambda draw, request: request,
    "clock": lambda draw, request: _with_line(request, f"It is {draw.randrange(10**6)} s now."),
    "tools": lambda draw, request: structs.replace(request, tools=tuple(draw.sample(request.tools, len(request.tools)))),
    "window": lambda draw, request: structs.replace(request, messages=(request.messages[0], *request.messages[1:][-4:])),
    "sections": lambda draw, request: _with_lines_shuffled(draw, request),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["rag", "chat", "agent"])
@pytest.mark.parametrize("change", sorted(CHANGES))
def test_no_request_of_all_shares_much_more_than_the_partner(change: str, kind: str, seed: int) -> None:
    """Against all pairs, a partner that is not of the chain shares most of what stands before the newest turn, within 5 %."""
    draw = random.Random(seed)
    log = measured([CHANGES[change](draw, request) for request in getattr(made_logs, kind)(40, seed, SMALL)])
    items = [log.book.items(i) for i in range(40)]

    for i, partner in enumerate(log.partners):
        older = items[i][: newest_turn(log.book, log.book.numbers(i))]
        best = max((twin_overlap(older, items[j]) for j in range(i)), default=0)
        own = twin_overlap(older, items[partner]) if i else 0
        is_chain = i > 0 and log.chains[i] == log.chains[partner]
        assert own >= best * (0.5 if is_chain else 0.95)


@pytest.mark.parametrize("seed", range(40))
def test_a_partner_is_earlier_of_the_same_namespace_and_obeys_the_chain(seed: int) -> None:
    """It exists where an earlier request does; where it is not the previous one of the chain it shares twice as much."""
    draw = random.Random(seed)
    lines = [made_logs.sentence(draw) for _ in range(10)]
    texts = ["\n".join(draw.sample(lines, draw.randint(1, 4))) for _ in range(12)]
    requests = [
        asking(i, *draw.choices(texts, k=draw.randint(1, 2)), session=draw.choice("abcd"), namespace=draw.choice("mmn"))
        for i in range(30)
    ]
    log = measured(requests)
    items = [log.book.items(i) for i in range(30)]

    for i, partner in enumerate(log.partners):
        earlier = [j for j in range(i) if requests[j].namespace == requests[i].namespace]
        previous = [j for j in earlier if requests[j].session == requests[i].session]
        assert partner in earlier or (partner == -1 and not earlier)
        if previous and partner != previous[-1]:
            assert twin_overlap(items[i], items[partner]) >= 2 * twin_overlap(items[i], items[previous[-1]])


def _with_line(request: Request, line: str) -> Request:
    first, rest = request.messages[0].text.split("\n", 1)
    return structs.replace(request, messages=(Message("system", f"{first}\n{line}\n{rest}"), *request.messages[1:]))


def _with_lines_shuffled(draw: random.Random, request: Request) -> Request:
    lines = request.messages[0].text.splitlines()
    system = Message("system", "".join(f"{line}\n" for line in draw.sample(lines, len(lines))))
    return structs.replace(request, messages=(system, *request.messages[1:]))

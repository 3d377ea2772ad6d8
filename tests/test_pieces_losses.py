"""What requests lose against their partners: nothing in healthy logs, and what stands behind the break in broken ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime

import made_logs
import pytest
from msgspec import structs
from pieces_twin import Measured, measured, twin_clusters, twin_lost

from radixlint.pieces import clusters
from radixlint.traffic import Message, Request

SMALL = made_logs.Sizes(instruction_tokens=300, document_tokens=60, answer_tokens=60, documents=12, tools=5, open_sessions=4)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", sorted(made_logs.KINDS))
def test_healthy_logs_lose_nothing(kind: str, seed: int) -> None:
    """Chats and agents that grow, retrieval by popularity behind static text, and tenants apart give no loss."""
    make: Callable[..., list[Request]] = getattr(made_logs, kind)

    assert measured(make(60, seed, SMALL)).losses == []


@pytest.mark.parametrize("seed", range(20))
def test_documents_of_many_lines_lose_nothing(seed: int) -> None:
    """Documents that come back in another order, line by line, are neither history nor common text."""
    requests = [_with_user(request, lambda text: text.replace(". ", ".\n")) for request in made_logs.rag(60, seed, SMALL)]

    assert measured(requests).losses == []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["rag", "chat", "agent"])
def test_a_clock_in_line_2_loses_all_instructions_and_history_behind_it(kind: str, seed: int) -> None:
    """Each request but the first loses what stood in its partner: the rules, and in a chat the history."""
    log = measured([_timed(request) for request in getattr(made_logs, kind)(40, seed, SMALL)])
    found = log.losses
    system = next(i for i, item in enumerate(log.book.items(0)) if item.role == "system")

    assert [loss.position for loss in found] == list(range(1, 40))
    assert {(loss.item, loss.piece, loss.realigned) for loss in found} == {(system, 1, True)}
    for loss in found:
        items = log.book.items(loss.position)
        rules = sum(piece.tokens for piece in items[system].pieces[2:])
        again = [item for item in items[system + 1 :] if item.number in log.book.numbers(loss.partner)]
        assert loss.lost_tokens == pytest.approx(rules + sum(item.tokens for item in again), rel=0.05, abs=8)


def test_shuffled_tools_lose_tools_and_instructions() -> None:
    """A tool out of order loses all that is sent again behind it, which does not follow in the same order."""
    draw = random.Random(3)
    requests = [structs.replace(r, tools=tuple(draw.sample(r.tools, len(r.tools)))) for r in made_logs.agent(60, 3, SMALL)]
    log = measured(requests)
    found = log.losses
    head = sum(item.tokens for item in log.book.items(0)[:6])

    assert len(found) > 30
    assert {log.book.place(loss.position, loss.item, loss.piece)[:6] for loss in found} == {"tools["}
    assert max(loss.lost_tokens for loss in found) > 0.9 * head
    assert sum(loss.realigned for loss in found) < len(found) / 2


def test_orders_of_tools_that_were_seen_before_lose_nothing() -> None:
    """A prefix that any earlier request had is cached, whatever the order of the partner's tools is."""
    requests = made_logs.agent(80, 3, SMALL)
    turned = [structs.replace(r, tools=r.tools[:: 1 if i % 3 else -1]) for i, r in enumerate(requests)]

    # Either order was new once, and each session brings its history before each of the two.
    assert all(loss.lost_tokens <= loss.overlap_tokens for loss in measured(turned).losses)
    single = [structs.replace(r, messages=(*r.messages[:1], Message("user", f"What of {i}?"))) for i, r in enumerate(turned)]
    loose = [structs.replace(r, session=None) for r in single]
    assert [loss.position for loss in measured(loose).losses] == [1]


def test_a_sliding_window_loses_the_history_that_moved_up() -> None:
    """From the first request on that drops its oldest turn, the history kept is equal, in order, and lost."""
    requests = made_logs.chat(12, 5, made_logs.Sizes(instruction_tokens=300, open_sessions=1, turns=(12, 12)))
    cut = [structs.replace(r, messages=(r.messages[0], *r.messages[1:][-5:])) for r in requests]
    log = measured(cut)
    found = log.losses

    assert [loss.position for loss in found] == list(range(3, 12))
    assert {(loss.item, loss.piece, loss.realigned) for loss in found} == {(1, 0, True)}
    for loss in found:
        kept = log.book.items(loss.position)[1:4]
        assert loss.lost_tokens == pytest.approx(sum(item.tokens for item in kept), rel=0.05)


def test_permuted_sections_lose_until_each_order_was_seen() -> None:
    """Sections of the instructions in another order are lost, and do not realign; an order seen before is no loss."""
    draw = random.Random(1)
    sections = [made_logs.instructions(draw, 150, name) for name in ("red", "blue", "green")]
    questions = [Message("user", made_logs.question(draw, 20)) for _ in range(60)]
    orders = [draw.sample(sections, 3) for _ in questions]
    requests = [
        Request(i, messages=(Message("system", "\n".join([*order, ""])), question))
        for i, (order, question) in enumerate(zip(orders, questions, strict=True))
    ]
    found = measured(requests).losses
    first_seen = {tuple(order): i for i, order in reversed(list(enumerate(orders)))}

    assert [loss.position for loss in found] == sorted(first_seen.values())[1:]
    assert not any(loss.realigned for loss in found)
    assert all(loss.piece == 0 or loss.lost_tokens < loss.overlap_tokens for loss in found)


def test_a_defect_in_one_of_50_requests_is_told() -> None:
    """One clock among 100 requests is one loss, and the next request, which is as before, has none."""
    requests = made_logs.rag(100, 2, SMALL)
    requests[50] = _timed(requests[50])

    assert [loss.position for loss in measured(requests).losses] == [50]


def test_a_new_version_of_the_instructions_loses_no_lines_that_are_new() -> None:
    """After a deploy the first request loses at most the old lines that stand behind the new ones."""
    requests = made_logs.rag(40, 4, SMALL)
    lines = requests[0].messages[0].text.split("\n")
    longer = Message("system", "\n".join([*lines, "From now on, answer in French, and in whole sentences.", ""]))
    changed = [r if i < 20 else structs.replace(r, messages=(longer, *r.messages[1:])) for i, r in enumerate(requests)]

    assert measured(changed).losses == []


@pytest.mark.parametrize("requests", [4, 6, 12, 30])
def test_shared_text_behind_a_name_in_the_only_message_is_lost(requests: int) -> None:
    """Text that all questions hold at the same place behind what differs is common text, also in the newest turn."""
    draw = random.Random(requests)
    rules = made_logs.instructions(draw, 200, "parcel")
    names = draw.sample(made_logs.NOUNS, requests)
    asked = [f"I am {name}.\n{rules}\nQuestion: {made_logs.question(draw, 20)}" for name in names]
    log = measured([Request(i, messages=(Message("user", text),)) for i, text in enumerate(asked)])
    lost = len(rules) / 4

    assert [loss.position for loss in log.losses] == list(range(1, requests))
    assert all(loss.realigned and loss.lost_tokens == pytest.approx(lost, rel=0.1) for loss in log.losses)


@pytest.mark.parametrize("seed", range(60))
def test_losses_are_those_of_the_slow_twin(seed: int) -> None:
    """On random logs with edits, shuffles and windows, lost tokens and clusters are those found piece by piece."""
    log = measured(_random_log(random.Random(seed)))
    partners = log.partners

    assert list(clusters(log.book, partners)) == twin_clusters(log, partners)
    assert {loss.position: loss.lost_tokens for loss in log.losses} == pytest.approx(twin_lost(log, partners), abs=1)
    _check_bounds(log)


def _check_bounds(log: Measured) -> None:
    for loss in log.losses:
        assert 8 <= loss.lost_tokens <= log.uncached[loss.position]
        assert loss.partner < loss.position
        log.book.place(loss.position, loss.item, loss.piece)


def _random_log(draw: random.Random) -> list[Request]:
    """Return requests of a few sessions: tools and lines from small pools, histories that grow, shrink and change."""
    pool = [made_logs.sentence(draw) for _ in range(12)]
    offered = made_logs.tools(draw, 4)
    histories: dict[str, list[Message]] = {name: [] for name in ("a", "b", "c")}
    requests = []
    for i in range(draw.randint(2, 40)):
        session = draw.choice(sorted(histories))
        history = histories[session]
        if len(history) > 5 or (history and draw.random() < 0.1):
            del history[0 : draw.randint(1, len(history))]
        history += [Message(role, "\n".join(draw.sample(pool, draw.randint(1, 3)))) for role in ("assistant", "user")]
        head = [Message("system", "\n".join(draw.sample(pool, 6)) if draw.random() < 0.5 else "\n".join(pool[:6]))]
        some = tuple(draw.sample(offered, draw.randint(2, 4))) if draw.random() < 0.5 else offered
        known = session if draw.random() < 0.7 else None
        requests.append(Request(i, session=known, tools=some, messages=(*head, *history), namespace=draw.choice("mmmn")))
    return requests


def _timed(request: Request) -> Request:
    """Return ``request`` with its time in line 2 of its system text."""
    first, rest = request.messages[0].text.split("\n", 1)
    shown = datetime.fromtimestamp(request.time_s or 0, UTC).isoformat()
    system = Message("system", f"{first}\nIt is {shown} now.\n{rest}")
    return structs.replace(request, messages=(system, *request.messages[1:]))


def _with_user(request: Request, change: Callable[[str], str]) -> Request:
    messages = [Message(m.role, change(m.text)) if m.role == "user" else m for m in request.messages]
    return structs.replace(request, messages=tuple(messages))

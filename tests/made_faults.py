"""Faults of prompts: each changes a share of a healthy log, and says what should be found and what the right fix sends."""

from __future__ import annotations

import base64
import json
import random
import unicodedata
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from made_logs import NOUNS, START_S, compact, numbered, prose, tool
from msgspec import structs

from radixlint.result.cause import Cause
from radixlint.traffic import Message, Request

Log = list[Request]
Change = Callable[[Request, random.Random], Request]
DAY_S: Final = 86_400
STATES: Final = ("calm", "busy", "closing", "night shift", "overloaded")
BLOCK: Final = "<notes>\n" + prose(random.Random("notes"), 60) + "\n</notes>"


@dataclass(frozen=True, slots=True)
class Faulty:
    """A log with a fault, and the same traffic as the right fix would have sent it."""

    requests: Log
    mended: Log


@dataclass(frozen=True, slots=True)
class Fault:
    """What is injected into a healthy log of a kind; ``causes`` holds the expected one, then what may also be said.

    ``place`` is a part of where the break should be. ``inject`` takes the healthy log and the share of its requests.
    """

    name: str
    kind: str
    causes: tuple[Cause, ...]
    place: str
    inject: Callable[[Sequence[Request], float, random.Random], Faulty]


def chosen(
    requests: Sequence[Request], share: float, draw: random.Random, fits: Callable[[Request], bool] = lambda _: True
) -> list[int]:
    """Return positions of ``share`` of the requests, out of those that fit."""
    fitting = [i for i, request in enumerate(requests) if fits(request)]
    return sorted(draw.sample(fitting, min(len(fitting), max(2, round(share * len(requests))))))


def changed(
    change: Change, fits: Callable[[Request], bool] = lambda _: True
) -> Callable[[Sequence[Request], float, random.Random], Faulty]:
    """Return a fault that changes chosen requests; the fix is to leave them alone."""

    def inject(requests: Sequence[Request], share: float, draw: random.Random) -> Faulty:
        picked = set(chosen(requests, share, draw, fits))
        return Faulty([change(r, draw) if i in picked else r for i, r in enumerate(requests)], list(requests))

    return inject


def valued(
    value: Callable[[Request, random.Random], str], line: int = 2, is_of_caller: bool = False, days: int = 1
) -> Callable[[Sequence[Request], float, random.Random], Faulty]:
    """Return a fault that puts a value into a line of its own; the fix puts it last in the newest turn, and keeps it there.

    The fix for what is the caller's own (tenant, user) is the end of the instructions. ``days`` spreads the log over days.
    """

    def inject(requests: Sequence[Request], share: float, draw: random.Random) -> Faulty:
        spread = [_on_day(request, i * days // len(requests)) for i, request in enumerate(requests)]
        picked = set(chosen(spread, share, draw))
        values = [value(request, draw) if i in picked else None for i, request in enumerate(spread)]
        made = [r if v is None else with_line(r, v, line) for r, v in zip(spread, values, strict=True)]
        if is_of_caller:
            return Faulty(made, [r if v is None else with_line(r, v, None) for r, v in zip(spread, values, strict=True)])
        return Faulty(made, moved_last(spread, values))

    return inject


def _on_day(request: Request, day: int) -> Request:
    return structs.replace(request, time_s=(request.time_s or 0.0) + day * DAY_S) if day else request


def with_text(request: Request, at: int, text: str) -> Request:
    """Return ``request`` with another text of one message."""
    messages = list(request.messages)
    messages[at] = Message(messages[at].role, text, messages[at].tool_calls, extra=messages[at].extra)
    return structs.replace(request, messages=tuple(messages))


def with_line(request: Request, line: str, number: int | None) -> Request:
    """Return ``request`` with ``line`` as line ``number`` of its system text, None for the last."""
    lines = request.messages[0].text.split("\n")
    lines.insert(len(lines) if number is None else number - 1, line)
    return with_text(request, 0, "\n".join(lines))


def newest_turn(request: Request) -> int:
    """Return the index of the newest user message."""
    return max(i for i, message in enumerate(request.messages) if message.role == "user")


def moved_last(requests: Sequence[Request], values: Sequence[str | None]) -> Log:
    """Return the requests with each value at the end of its newest turn, where it stays in later requests."""
    kept: dict[tuple[str | None, int], str] = {}
    made = []
    for request, value in zip(requests, values, strict=True):
        newest = newest_turn(request)
        if value is not None:
            kept.setdefault((request.session, newest), value)
        for i in range(newest + 1):
            if (text := kept.get((request.session, i))) is not None:
                request = with_text(request, i, f"{request.messages[i].text}\n{text}")
        made.append(request)
    return made


def _iso(form: str) -> Callable[[Request, random.Random], str]:
    return lambda request, _: datetime.fromtimestamp(request.time_s or 0.0, UTC).strftime(form)


def _profile(request: Request, _: random.Random) -> str:
    own = random.Random(request.user)
    return f"Customer {request.user} from {own.choice(NOUNS).title()}ton has the {own.choice(('gold', 'basic', 'team'))} plan."


def _shuffled_tools(request: Request, draw: random.Random) -> Request:
    offered = list(request.tools)
    while tuple(offered) == request.tools:
        draw.shuffle(offered)
    return structs.replace(request, tools=tuple(offered))


def _more_tools(request: Request, draw: random.Random) -> Request:
    extra = [tool(random.Random(f"extra {i}"), f"extra_{i}") for i in range(5) if draw.random() < 0.5]
    extra = extra or [tool(random.Random("extra 0"), "extra_0")]
    return structs.replace(request, tools=(request.tools[0], *extra, *request.tools[1:]))


def _described_otherwise(request: Request, draw: random.Random) -> Request:
    offered = list(request.tools)
    definition = json.loads(offered[3])
    definition["function"]["description"] += " " + prose(random.Random(f"wording {draw.randrange(6)}"), 10)
    offered[3] = compact(definition)
    return structs.replace(request, tools=tuple(offered))


def reordered(value: Any, draw: random.Random) -> Any:
    """Return equal JSON with the keys of its objects in random order."""
    if isinstance(value, list):
        return [reordered(one, draw) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: reordered(value[key], draw) for key in draw.sample(list(value), len(value))}


def _tools_of_other_keys(request: Request, draw: random.Random) -> Request:
    return structs.replace(request, tools=tuple(compact(reordered(json.loads(one), draw)) for one in request.tools))


def _calls_of_other_keys(request: Request, draw: random.Random) -> Request:
    def again(message: Message) -> Message:
        calls = [structs.replace(c, arguments=compact(reordered(json.loads(c.arguments), draw))) for c in message.tool_calls]
        return structs.replace(message, tool_calls=tuple(calls)) if calls else message

    return structs.replace(request, messages=tuple(map(again, request.messages)))


def _with_blanks(request: Request, draw: random.Random) -> Request:
    lines = request.messages[0].text.split("\n")
    lines[draw.randrange(1, 6)] += " " * draw.randint(1, 3)
    return with_text(request, 0, "\n".join(lines))


def _decomposed(request: Request, draw: random.Random) -> Request:
    lines = request.messages[0].text.split("\n")
    accented = [i for i, line in enumerate(lines) if not line.isascii()][:6]
    for i in draw.sample(accented, draw.randint(1, len(accented))):
        lines[i] = unicodedata.normalize("NFD", lines[i])
    return with_text(request, 0, "\n".join(lines))


def _windowed(request: Request, _: random.Random) -> Request:
    return structs.replace(request, messages=(request.messages[0], *request.messages[-5:]))


def _one_deleted(request: Request, draw: random.Random) -> Request:
    at = draw.randrange(1, len(request.messages) - 3)
    return structs.replace(request, messages=(*request.messages[:at], *request.messages[at + 1 :]))


def _one_edited(request: Request, draw: random.Random) -> Request:
    at = draw.randrange(1, len(request.messages) - 3)
    first, _, rest = request.messages[at].text.partition(" ")
    return with_text(request, at, f"{first} {prose(draw, 10)} {rest}")


def _results_dropped(request: Request, _: random.Random) -> Request:
    for at in [i for i, message in enumerate(request.messages) if message.role == "tool"][:-2]:
        request = with_text(request, at, "[old result removed]")
    return request


def _sections_moved(request: Request, draw: random.Random) -> Request:
    first, *rules = request.messages[0].text.split("\n")
    third = len(rules) // 3
    parts = [rules[:third], rules[third : 2 * third], rules[2 * third :]]
    return with_text(request, 0, "\n".join([first, *(line for part in draw.sample(parts, 3) for line in part)]))


def _context_in_system(requests: Sequence[Request], share: float, draw: random.Random) -> Faulty:
    documents = [prose(random.Random(f"context {i}"), 100) for i in range(30)]
    picked = set(chosen(requests, share, draw, lambda r: share == 1.0 or len(r.messages) > 3))
    values = [
        "\n".join(["", "Context for this question:", *draw.sample(documents, 2)]) if i in picked else None
        for i in range(len(requests))
    ]
    made = [r if v is None else with_line(r, v, None) for r, v in zip(requests, values, strict=True)]
    return Faulty(made, moved_last(requests, values))


def _block_in_newest(requests: Sequence[Request], share: float, draw: random.Random) -> Faulty:
    turns = {(request.session, newest_turn(request)): None for request in requests}
    passed = [(s, at) for s, at in turns if any(s == other and at < later for other, later in turns)]
    picked = set(turns if share == 1.0 else draw.sample(passed, max(2, round(share * len(turns)))))
    values = [BLOCK if (request.session, newest_turn(request)) in picked else None for request in requests]
    made = [
        r if v is None else with_text(r, newest_turn(r), f"{r.messages[newest_turn(r)].text}\n{v}")
        for r, v in zip(requests, values, strict=True)
    ]
    return Faulty(made, moved_last(requests, values))


def _side_calls(requests: Sequence[Request], share: float, draw: random.Random) -> Faulty:
    other = Message("system", f"You sum talks up.\n{prose(random.Random('summary'), 200)}")
    asked = Message("user", "Sum up what was said so far in three sentences.")
    made, mended = list(requests), list(requests)
    for at in chosen(requests, share, draw, lambda r: len(r.messages) > 5):
        request = structs.replace(requests[at], time_s=(requests[at].time_s or 0.0) + 1.0)
        made.append(structs.replace(request, messages=(other, *request.messages[1:], asked)))
        mended.append(structs.replace(request, messages=(*request.messages, asked)))
    return Faulty(numbered(made), numbered(mended))


def _is_long(request: Request) -> bool:
    return len(request.messages) > 6


def _b32(_: Request, draw: random.Random) -> str:
    return f"Trace {base64.b32encode(draw.randbytes(10)).decode()}"


def _with_tenant(requests: Sequence[Request], share: float, draw: random.Random) -> Faulty:
    tenants = [f"{noun}-works" for noun in NOUNS[:12]]
    named = [structs.replace(request, tenant=draw.choice(tenants)) for request in requests]
    return valued(lambda request, _: f"You work for {request.tenant}.", 1, is_of_caller=True)(named, share, draw)


C = Cause
FAULTS: Final = (
    Fault("clock-second", "rag", (C.CLOCK,), "system line 1", valued(_iso("Current time: %Y-%m-%dT%H:%M:%SZ"), 1)),
    Fault("clock-minute", "rag", (C.CLOCK,), "system line 2", valued(_iso("It is %A, %d %B %Y, %H:%M."))),
    Fault("clock-day", "chat", (C.CLOCK,), "system line 2", valued(_iso("Today is %Y-%m-%d."), days=10)),
    Fault("clock-unix", "rag", (C.CLOCK,), "system line 2", valued(lambda r, _: f"ts={round((r.time_s or START_S) * 1000)}")),
    Fault("uuid", "rag", (C.ID,), "system line 2", valued(lambda _, d: f"Trace {uuid.UUID(int=d.getrandbits(128), version=4)}")),
    Fault("session-path", "chat", (C.ID,), "system line 2", valued(lambda r, _: f"Folder: /srv/runs/{r.session}/work")),
    Fault("nonce-base32", "rag", (C.ID,), "system line 2", valued(_b32)),
    Fault("nonce-words", "rag", (C.ID,), "system line 2", valued(lambda _, d: f"Run {'-'.join(d.choices(NOUNS, k=4))}")),
    Fault("counter", "rag", (C.COUNTER,), "system line 2", valued(lambda r, _: f"This is request number {1_000 + r.index}.")),
    Fault("live-state", "chat", (C.LIVE_STATE,), "system line 2", valued(lambda _, d: f"The desk is {d.choice(STATES)}.")),
    Fault("tenant-first", "rag", (C.TENANT_BEFORE_SHARED,), "system line 1", _with_tenant),
    Fault("profile-first", "rag", (C.TENANT_BEFORE_SHARED,), "system line 1", valued(_profile, 1, is_of_caller=True)),
    Fault("tool-order", "agent", (C.TOOL_ORDER,), "tools[", changed(_shuffled_tools)),
    Fault("tool-added", "agent", (C.TOOL_SET,), "tools[", changed(_more_tools)),
    Fault("tool-described", "agent", (C.TOOL_SET, C.LIVE_STATE), "tools[3]", changed(_described_otherwise)),
    Fault("tool-keys", "agent", (C.KEY_ORDER,), "tools[", changed(_tools_of_other_keys)),
    Fault("call-keys", "agent", (C.KEY_ORDER,), "messages[", changed(_calls_of_other_keys, _is_long)),
    Fault("trailing-blanks", "chat", (C.TEXT_FORM,), "system line", changed(_with_blanks)),
    Fault("decomposed", "chat", (C.TEXT_FORM,), "system line", changed(_decomposed)),
    Fault("window", "chat", (C.HISTORY_REWRITTEN,), "messages[1]", changed(_windowed, _is_long)),
    Fault("deleted", "chat", (C.HISTORY_REWRITTEN,), "messages[", changed(_one_deleted, _is_long)),
    Fault("placeholder", "agent", (C.HISTORY_REWRITTEN,), "tool", changed(_results_dropped, _is_long)),
    Fault("edited", "chat", (C.HISTORY_REWRITTEN,), "messages[", changed(_one_edited, _is_long)),
    Fault("block-in-newest", "agent", (C.BLOCK_MOVED,), "user", _block_in_newest),
    Fault("context-first", "chat", (C.RETRIEVAL_BEFORE_HISTORY,), "system", _context_in_system),
    Fault("sections", "rag", (C.SECTION_ORDER,), "system", changed(_sections_moved)),
    Fault("side-call", "chat", (C.SIDE_CALL,), "system", _side_calls),
)

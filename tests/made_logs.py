"""Healthy logs made by rule: question answering over documents, chats, agents, and three tenants who do all of it.

Nothing in them breaks a prefix that could have been kept. All chance is ``random.Random(seed)``, so a log is the same in
every process. Texts look like language, and no two questions or answers are alike.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from msgspec import structs

from radixlint.traffic import Message, Request, ToolCall

MODEL: Final = "gpt-4o"
START_S: Final = 1_772_445_600.0
_NOUNS: Final = (
    "harbour ledger garden engine letter bridge winter market kitchen teacher battery mirror ticket forest sensor carpet "
    "doctor river basket lantern tunnel pencil orchard captain blanket hammer picture station valley cushion invoice "
    "caf\xe9 r\xe9sum\xe9 d\xe9p\xf4t cargo meadow violin saddle compass thermostat"
)
_VERBS: Final = (
    "moves keeps checks follows repairs carries paints opens measures borrows returns cleans delays signs sorts covers "
    "orders finds warms lifts holds reports stores counts replaces"
)
_QUALITIES: Final = (
    "small quiet broken early heavy narrow careful yellow spare recent empty wooden local steady bright na\xefve distant "
    "frozen gentle missing second common regional private"
)
_LINKS: Final = "near under behind before after without for beside against above from during"
NOUNS, VERBS, QUALITIES, LINKS = (words.split(" ") for words in (_NOUNS, _VERBS, _QUALITIES, _LINKS))
_LEADS: Final = ("The", "Any", "Each", "One", "No", "That", "This", "Every")
_ASKS: Final = ("Why does the", "How can the", "When will the", "Where does the", "May the", "Should the", "Who says the")
_TOKENS_A_SENTENCE: Final = 10.3
FILLED: Final = ("order_id", "branch_code", "amount_minor", "locale_tag", "reason_text")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the parts are, in tokens (about); how many documents, tools and open sessions there are.

    ``turns`` are the fewest and the most questions of a session, ``steps`` the tool calls an agent makes for one;
    ``gap_s`` is the mean time between requests.
    """

    instruction_tokens: int = 1_500
    document_tokens: int = 200
    question_tokens: int = 30
    answer_tokens: int = 120
    documents: int = 40
    tools: int = 12
    open_sessions: int = 16
    users: int = 60
    turns: tuple[int, int] = (4, 12)
    steps: tuple[int, int] = (2, 5)
    gap_s: float = 4.0


USUAL: Final = Sizes()


def sentence(draw: random.Random, starts: Sequence[str] = _LEADS, end: str = ".") -> str:
    """Return a sentence of about ten tokens."""
    nouns, qualities = draw.choices(NOUNS, k=3), draw.choices(QUALITIES, k=2)
    link, verb = draw.choice(LINKS), draw.choice(VERBS)
    return f"{draw.choice(starts)} {qualities[0]} {nouns[0]} {verb} the {nouns[1]} {link} a {qualities[1]} {nouns[2]}{end}"


def prose(draw: random.Random, tokens: int) -> str:
    """Return sentences of about ``tokens`` tokens, at least one."""
    return " ".join(sentence(draw) for _ in range(max(1, round(tokens / _TOKENS_A_SENTENCE))))


def question(draw: random.Random, tokens: int) -> str:
    """Return a question with what led to it; its number makes it the only one of its words."""
    asked = sentence(draw, _ASKS, "?")
    return f"{asked} {prose(draw, tokens - 15)} It is about number {draw.randrange(10_000_000)}."


def instructions(draw: random.Random, tokens: int, name: str) -> str:
    """Return a system text of one rule a line, about ``tokens`` long, for the desk ``name``."""
    rules = max(2, round(tokens / (2 * _TOKENS_A_SENTENCE + 3)))
    lines = [f"{i}. {sentence(draw)} {sentence(draw)}" for i in range(1, rules)]
    return "\n".join([f"You are the assistant of the {name} desk.", *lines])


def tool(draw: random.Random, name: str) -> str:
    """Return a tool as compact JSON, of about a hundred tokens."""
    fields = {field: {"type": "string", "description": sentence(draw)} for field in draw.sample(FILLED, 4)}
    parameters = {"type": "object", "properties": fields, "required": sorted(fields)[:2]}
    function = {"name": name, "description": f"{sentence(draw)} {sentence(draw)}", "parameters": parameters}
    return compact({"type": "function", "function": function})


def tools(draw: random.Random, count: int) -> tuple[str, ...]:
    """Return ``count`` tools of different names."""
    names = draw.sample([f"{verb}_{noun}" for verb in VERBS for noun in NOUNS if noun.isascii()], count)
    return tuple(tool(draw, name) for name in sorted(names))


def compact(value: object) -> str:
    """Return compact JSON with the keys in their order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rag(requests: int, seed: int, sizes: Sizes = USUAL, tenant: str = "parcel") -> list[Request]:
    """Return single questions, each behind three documents by popularity, behind static instructions."""
    draw = random.Random(f"rag {seed} {tenant}")
    system = Message("system", instructions(draw, sizes.instruction_tokens, tenant))
    documents = [f"Document {i}: {prose(draw, sizes.document_tokens)}" for i in range(sizes.documents)]
    weights = [1 / rank for rank in range(1, sizes.documents + 1)]
    made, now_s = [], START_S
    for count in range(requests):
        found: dict[str, None] = {}
        while len(found) < min(3, sizes.documents):
            found[draw.choices(documents, weights)[0]] = None
        asked = "\n\n".join([*found, f"Question: {question(draw, sizes.question_tokens)}"])
        user = f"{tenant}-user-{draw.randrange(sizes.users)}"
        made.append(_request(f"{tenant}-ask-{count}", user, now_s, (), (system, Message("user", asked)), tenant))
        now_s += sizes.gap_s * draw.uniform(0.6, 1.4)
    return numbered(made)


def chat(requests: int, seed: int, sizes: Sizes = USUAL, tenant: str = "parcel") -> list[Request]:
    """Return chats that grow by an answer and a question each time; a new one opens where one ends."""
    draw = random.Random(f"chat {seed} {tenant}")
    system = Message("system", instructions(draw, sizes.instruction_tokens, tenant))

    def turns() -> Iterable[tuple[Message, ...]]:
        messages = [system]
        for _ in range(draw.randint(*sizes.turns)):
            messages.append(Message("user", question(draw, sizes.question_tokens)))
            yield tuple(messages)
            messages.append(Message("assistant", prose(draw, sizes.answer_tokens)))

    return _interleaved(requests, draw, sizes, f"{tenant}-chat", (), turns, tenant)


def agent(requests: int, seed: int, sizes: Sizes = USUAL, tenant: str = "parcel") -> list[Request]:
    """Return agents that call tools in a loop until they answer, for several questions a session."""
    draw = random.Random(f"agent {seed} {tenant}")
    system = Message("system", instructions(draw, sizes.instruction_tokens, tenant))
    offered = tools(draw, sizes.tools)
    names = [json.loads(one)["function"]["name"] for one in offered]
    calls = itertools.count()

    def loops() -> Iterable[tuple[Message, ...]]:
        messages = [system]
        for _ in range(draw.randint(2, 4)):
            messages.append(Message("user", question(draw, sizes.question_tokens)))
            yield tuple(messages)
            for _ in range(draw.randint(*sizes.steps)):
                filled = {field: f"{draw.choice(NOUNS)}-{draw.randrange(100_000)}" for field in draw.sample(FILLED, 4)}
                call = ToolCall(draw.choice(names), compact(filled), f"call_{next(calls)}")
                messages.append(Message("assistant", "", (call,)))
                messages.append(Message("tool", prose(draw, sizes.answer_tokens), extra=compact({"tool_call_id": call.id})))
                yield tuple(messages)
            messages.append(Message("assistant", prose(draw, sizes.answer_tokens)))

    return _interleaved(requests, draw, replace(sizes, open_sessions=4), f"{tenant}-agent", offered, loops, tenant)


def mix(requests: int, seed: int, sizes: Sizes = USUAL) -> list[Request]:
    """Return three tenants, each with instructions and tools of its own, who ask, chat and run agents side by side."""
    parts = [(kind, tenant) for tenant in ("alder", "birch", "cedar") for kind in (rag, chat, agent)]
    share = -(-requests // len(parts))
    slower = replace(sizes, gap_s=sizes.gap_s * len(parts))
    return numbered(itertools.chain.from_iterable(kind(share, seed, slower, tenant) for kind, tenant in parts))[:requests]


KINDS: Final[dict[str, Callable[[int, int], list[Request]]]] = {"rag": rag, "chat": chat, "agent": agent, "mix": mix}


def numbered(requests: Iterable[Request]) -> list[Request]:
    """Return ``requests`` by time, with their numbers and ids."""
    ordered = sorted(requests, key=lambda request: request.time_s or 0.0)
    return [structs.replace(request, index=i, id=f"r-{i}") for i, request in enumerate(ordered)]


def _interleaved(
    requests: int,
    draw: random.Random,
    sizes: Sizes,
    name: str,
    offered: tuple[str, ...],
    session: Callable[[], Iterable[tuple[Message, ...]]],
    tenant: str,
) -> list[Request]:
    """Let ``open_sessions`` sessions go on at a time, each in its turn, until there are enough requests."""
    numbers, now_s = itertools.count(), START_S
    made: list[Request] = []
    opened: list[Any] = [None] * sizes.open_sessions
    while len(made) < requests:
        place = draw.randrange(sizes.open_sessions)
        number, user, going = opened[place] or (next(numbers), f"{tenant}-user-{draw.randrange(sizes.users)}", iter(session()))
        messages = next(going, None)
        opened[place] = None if messages is None else (number, user, going)
        if messages is not None:
            made.append(_request(f"{name}-{number}", user, now_s, offered, messages, tenant))
            now_s += sizes.gap_s * draw.uniform(0.6, 1.4)
    return numbered(made)


def _request(
    session: str, user: str, time_s: float, offered: tuple[str, ...], messages: tuple[Message, ...], tenant: str
) -> Request:
    return Request(
        0,
        session=session,
        user=user,
        model=MODEL,
        namespace=MODEL,
        time_s=round(time_s, 3),
        tools=offered,
        messages=messages,
        tenant=tenant,
    )


def write_jsonl(path: Path, requests: Iterable[Request]) -> None:
    """Write ``requests`` as OpenAI chat bodies with what is logged beside them, one a line."""
    path.write_text("".join(compact(_body(request)) + "\n" for request in requests), encoding="utf-8")


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {"ts": request.time_s, "request_id": request.id, "session": request.session, "user": request.user}
    body |= {"tenant": request.tenant, "host": request.host, "model": request.model}
    if request.settings:
        body |= {name: json.loads(value) for name, value in request.settings.parameters}
    if request.tools:
        body["tools"] = [json.loads(one) for one in request.tools]
    body["messages"] = [_written(message) for message in request.messages]
    if request.usage:
        details = {"cached_tokens": request.usage.cached_tokens}
        body["usage"] = {"prompt_tokens": request.usage.prompt_tokens, "prompt_tokens_details": details}
    return {name: value for name, value in body.items() if value is not None}


def _written(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_calls:
        called = [(call, {"name": call.name, "arguments": call.arguments}) for call in message.tool_calls]
        written["tool_calls"] = [{"id": call.id, "type": "function", "function": function} for call, function in called]
    return written | (json.loads(message.extra) if message.extra else {})

"""Text of fewer than five conversations is in no part of a report on breaks, wherever it stands in the requests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Final

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import measure
from radixlint.reports import TextStyle, analyze_json, analyze_text, per_request
from radixlint.result.measurement import AnalyzeReport, Show, TreeLimits
from radixlint.traffic import LogRead, Message, Request, ToolCall, Usage

SEEDS: Final = range(20)
HASHED_SEEDS: Final = 5
CONVERSATIONS, TURNS = 9, 4
NOUNS: Final = ("order", "parcel", "refund", "address", "invoice", "garden", "bicycle", "window", "river", "piano")
RULES: Final = tuple(f"{n}. Rule number {n} of the house is not to be bent by anyone." for n in range(14))


def word(draw: random.Random) -> str:
    """Return a name that no other text holds."""
    return "".join(draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(5)).title()


def tool(name: str, description: str, *properties: str) -> str:
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in properties}}
    function = {"name": name, "description": description, "parameters": schema}
    return json.dumps({"type": "function", "function": function}, separators=(",", ":"))


class Parts:
    """The parts of one request that a secret can be put into."""

    def __init__(self, conversation: int, turn: int) -> None:
        self.tools = [tool(name, f"Look up the {name} of a customer.", "number") for name in NOUNS[:3]]
        self.lines = list(RULES)
        self.asked = [f"Conversation {conversation} asks about {NOUNS[i]} {i} and what to do with it." for i in range(turn + 1)]
        self.answers = [f"Number {conversation * 10 + i} is the one to look at, as was said before." for i in range(turn)]
        self.arguments = [json.dumps({"number": str(conversation * 10 + i), "kind": NOUNS[i]}) for i in range(turn)]

    def messages(self) -> tuple[Message, ...]:
        made = [Message("system", "\n".join(self.lines)), Message("user", self.asked[0])]
        for answer, arguments, asked in zip(self.answers, self.arguments, self.asked[1:], strict=True):
            call = ToolCall(NOUNS[0], arguments)
            made += [Message("assistant", answer, (call,)), Message("tool", "Found it."), Message("user", asked)]
        return tuple(made)


Hide = Callable[[Parts, str, random.Random], None]


def _insert(lines: list[str], line: str, draw: random.Random) -> None:
    lines.insert(draw.randrange(len(lines) + 1), line)


def _in_history(parts: Parts, name: str, draw: random.Random) -> None:
    at = draw.randrange(len(parts.answers)) if parts.answers else 0
    if parts.answers:
        parts.answers[at] = draw.choice((name, f"{name} {parts.answers[at]}", f"{parts.answers[at]} So says {name}."))
    parts.asked[at] = draw.choice((f"{name}: {parts.asked[at]}", f"{parts.asked[at]} {name}"))


def _in_arguments(parts: Parts, name: str, draw: random.Random) -> None:
    parts.arguments = [draw.choice((json.dumps({name.lower(): 1}), json.dumps({"number": name}))) for _ in parts.arguments]


def _in_tool(parts: Parts, name: str, draw: random.Random) -> None:
    made = (tool(name.lower(), "Look it up."), tool(NOUNS[0], f"Ask {name}."), tool(NOUNS[0], "Look up.", "number", name.lower()))
    parts.tools[draw.randrange(3)] = draw.choice(made)


PLACES: Final[dict[str, Hide]] = {
    "tool": _in_tool,
    "line of its own": lambda parts, name, draw: _insert(parts.lines, name, draw),
    "line with words": lambda parts, name, draw: _insert(parts.lines, f"The customer is {name}, of the {NOUNS[3]}.", draw),
    "first word": lambda parts, name, draw: parts.lines.insert(0, draw.choice((name, f"{name} is who asks."))),
    "value of a line": lambda parts, name, draw: parts.lines.__setitem__(2, f"{RULES[2][:-1]}, says {name}"),
    "passages": lambda parts, name, draw: parts.lines.append(f"Notes on {name}. " + "They say so. " * draw.randrange(20)),
    "history": _in_history,
    "arguments": _in_arguments,
}


def log(seed: int, place: str) -> tuple[list[Request], list[str]]:
    """Return requests of nine conversations, and the secrets that one to four of them hold, in all or some of their turns."""
    draw = random.Random(f"{place} {seed}")
    secrets = [word(draw) for _ in range(3)]
    holders = [draw.sample(range(CONVERSATIONS), draw.randint(1, 4)) for _ in secrets]
    has_sessions, is_steady = draw.random() < 0.5, draw.random() < 0.3
    made: list[Request] = []
    for turn in range(TURNS):
        for conversation in range(CONVERSATIONS):
            parts = Parts(conversation, turn)
            for name, held in zip(secrets, holders, strict=True):
                if conversation in held and (is_steady or draw.random() < 0.6):
                    PLACES[place](parts, name, draw)
            made.append(
                Request(
                    len(made),
                    id=f"r{len(made)}",
                    model="gpt-4o",
                    session=f"s{conversation}" if has_sessions else None,
                    time_s=1e9 + len(made),
                    tools=tuple(parts.tools),
                    messages=parts.messages(),
                    usage=Usage(prompt_tokens=500, cached_tokens=0),
                )
            )
    return made, secrets


def report(requests: list[Request], show: Show) -> AnalyzeReport:
    options = AnalyzeOptions(show=show, top=50, tree=TreeLimits(depth=9, width=50))
    return measure(LogRead("made", len(requests), tuple(requests), {}), options)


def told(found: AnalyzeReport) -> str:
    style = TextStyle(width=400)
    return analyze_text.render(found, style) + analyze_json.render(found, style) + per_request.render(found.rows, style)


@pytest.mark.parametrize("place", PLACES)
def test_text_of_few_conversations_is_in_no_report(place: str) -> None:
    """Secrets of one to four conversations are in no text, JSON or row, whatever else differs; nor with hashes only."""
    with_breaks = 0
    for seed in SEEDS:
        requests, secrets = log(seed, place)
        for show in (Show.SHARED, Show.HASH)[: 2 if seed < HASHED_SEEDS else 1]:
            found = report(requests, show)
            shown = told(found).lower()
            assert not [name for name in secrets if name.lower() in shown], (seed, show)
        with_breaks += bool(found.breaks)

    assert with_breaks > len(SEEDS) / 2


@pytest.mark.parametrize("place", PLACES)
def test_the_secrets_would_be_found(place: str) -> None:
    """With texts opted in the same search finds secrets of some log, so it looks where they are."""
    assert any(_are_told(*log(seed, place)) for seed in SEEDS)


def _are_told(requests: list[Request], secrets: list[str]) -> bool:
    shown = told(report(requests, Show.TEXT))
    return any(name in shown for name in secrets)

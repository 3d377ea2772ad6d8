"""Made logs of chats, written line by line so that their size is not bounded by memory."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

SYSTEM_TEXTS, OPEN_CHATS, TURNS = 20, 16, 20
_STEMS = [
    *("order", "invoice", "carton", "road", "desk", "late", "refund", "parcel", "pay", "ship"),
    *("custom", "clear", "ware", "whole", "record", "settle", "ask", "tell", "work", "find"),
]
_ENDS = ["", "s", "ed", "ing", "er", "ly", "ment", ",", ".", ": ", " of", " to the", " and", " is", " 12", "'s", " (new)", ".\n"]
WORDS = [stem + end for stem in _STEMS for end in _ENDS]


def words(draw: random.Random, characters: int) -> str:
    """Return random words, about ``characters`` long."""
    return " ".join(draw.choices(WORDS, k=characters // 9)).replace("\n ", "\n")


def multi_turn(requests: int, size: float = 1.0) -> Iterator[bytes]:
    """Yield lines of about 27,000 characters (times ``size``), 93 % of each sent before: chats of 20 turns, 16 at a time."""
    draw, count = random.Random(1), 0
    systems = [words(draw, int(9_500 * size)) for _ in range(SYSTEM_TEXTS)]
    while True:
        chats = [[{"role": "system", "content": draw.choice(systems)}] for _ in range(OPEN_CHATS)]
        for _ in range(TURNS):
            for chat in chats:
                if count == requests:
                    return
                chat.append({"role": "user", "content": words(draw, int(600 * size))})
                yield _line(count, chat)
                count += 1
                chat.append({"role": "assistant", "content": words(draw, int(1_300 * size))})


def single_turn(requests: int) -> Iterator[bytes]:
    """Yield lines of about 8,000 characters: a question behind one of 20 system texts, which are 83 % of it."""
    draw = random.Random(2)
    systems = [words(draw, 6_700) for _ in range(SYSTEM_TEXTS)]
    for count in range(requests):
        asked = {"role": "user", "content": words(draw, 1_350)}
        yield _line(count, [{"role": "system", "content": draw.choice(systems)}, asked])


def write_log(path: Path, lines: Iterator[bytes]) -> int:
    """Write ``lines`` to ``path`` and return its size in bytes."""
    with path.open("wb") as file:
        file.writelines(lines)
    return path.stat().st_size


def _line(count: int, messages: list[dict[str, str]]) -> bytes:
    body = {"id": f"r-{count}", "created": 1_772_445_600 + count, "model": "gpt-4o", "messages": messages}
    return json.dumps(body).encode() + b"\n"

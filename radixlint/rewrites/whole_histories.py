"""The whole history of a conversation, put together from requests that each hold only the end of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from radixlint.rewrites.message_keys import MessageKeys
from radixlint.rewrites.turn_roles import head_length
from radixlint.traffic import Message, Request

_MOST_LINES: Final = 8


class History(Struct, frozen=True):
    """A request's history as it would be if nothing had been cut off, the instructions in front left out.

    ``messages`` are oldest first, ``cut`` of them were not sent. ``line`` numbers the histories of the log: a conversation may
    have several, as when side calls are made under the same session. ``agrees`` is how many messages are the same as in the
    request before in the same line.
    """

    messages: tuple[Message, ...]
    cut: int
    line: int
    agrees: int


class _Line:
    """The history of one line of talk so far."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.keys: list[int] = []
        self.messages: list[Message] = []


def whole_histories(requests: Sequence[Request], chains: Sequence[int]) -> Iterator[History]:
    """Give the whole history of each request, in order, as far as earlier requests of its conversation show it."""
    keys = MessageKeys()
    known: dict[int, deque[_Line]] = {}
    lines = 0
    for request, chain in zip(requests, chains, strict=True):
        said = request.messages[head_length(request.messages) :]
        numbers = [keys.of(message) for message in said]
        own = known.setdefault(chain, deque(maxlen=_MOST_LINES))
        at, length, line = _best_line(own, numbers)
        if line is None:
            line, lines = _Line(lines), lines + 1
            own.appendleft(line)
        line.keys[at + length :] = numbers[length:]
        line.messages[at + length :] = said[length:]
        yield History(tuple(line.messages), at, line.number, at + length)


def _best_line(lines: Iterable[_Line], sent: list[int]) -> tuple[int, int, _Line | None]:
    """Return where in which line the messages ``sent`` go on, and how many of them are in it already."""
    best, found = (False, 0, 0), None
    for line in lines:
        rank = _aligned(line.keys, sent)
        if rank > best:
            best, found = rank, line
        if rank[0]:
            break
    return -best[2], best[1], found


def _aligned(whole: Sequence[int], sent: Sequence[int]) -> tuple[bool, int, int]:
    """Return where in ``whole`` the messages ``sent`` begin: whether all agree to its end, how many do, and the place, negative.

    The greatest is best: of equals the first place, for a history from which nothing was cut is the simplest account. Time
    grows as the number of messages, also where all of them are alike.
    """
    best = (False, 0, 0)
    for at, length in _agreements(whole, sent):
        is_to_end = length == len(whole) - at
        # One message said twice is no sign that something was cut off.
        if at == 0 or length > 1 or (is_to_end and len(sent) > 1):
            best = max(best, (is_to_end, length, -at))
        if is_to_end and at == 0:
            break
    return best


def _agreements(whole: Sequence[int], sent: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give each place in ``whole`` where the first of ``sent`` stands, rising, and how many of ``sent`` stand from there on.

    What a longer agreement before has shown is not compared again (Z algorithm).
    """
    own = _own_agreements(sent)
    left = right = 0
    for at, key in enumerate(whole):
        if not sent or key != sent[0]:
            continue
        length = min(own[at - left], right - at) if left < at < right else 0
        if at + length >= right:
            while length < len(sent) and at + length < len(whole) and whole[at + length] == sent[length]:
                length += 1
            left, right = at, at + length
        yield at, length


def _own_agreements(sent: Sequence[int]) -> list[int]:
    """Return, for each place in ``sent``, how many of ``sent`` from its start on stand there again."""
    found = [len(sent)] * len(sent)
    left = right = 0
    for at in range(1, len(sent)):
        length = min(found[at - left], right - at) if at < right else 0
        while at + length < len(sent) and sent[at + length] == sent[length]:
            length += 1
        found[at] = length
        if at + length > right:
            left, right = at, at + length
    return found

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


def _aligned(whole: list[int], sent: list[int]) -> tuple[bool, int, int]:
    """Return where in ``whole`` the messages ``sent`` begin: whether all agree to its end, how many do, and the place, negative.

    The greatest is best: of equals the first place, for a history from which nothing was cut is the simplest account.
    """
    best = (False, 0, 0)
    at = -1
    while sent:
        try:
            at = whole.index(sent[0], at + 1)
        except ValueError:
            break
        room = min(len(whole) - at, len(sent))
        length = room if whole[at : at + room] == sent[:room] else _agreeing(whole, sent, at)
        is_to_end = length == len(whole) - at
        # One message said twice is no sign that something was cut off.
        if at == 0 or length > 1 or (is_to_end and len(sent) > 1):
            best = max(best, (is_to_end, length, -at))
    return best


def _agreeing(whole: list[int], sent: list[int], at: int) -> int:
    return next(i for i, key in enumerate(sent) if whole[at + i] != key)

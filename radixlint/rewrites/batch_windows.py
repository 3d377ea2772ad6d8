"""History cut rarely and deep, where it was cut to its last messages on every call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from radixlint.rewrites.turn_roles import head_length, is_user_turn
from radixlint.rewrites.whole_histories import History, whole_histories
from radixlint.traffic import CacheMark, Message, Request

_LEAST_CUTS: Final = 2


def window_size(requests: Sequence[Request], chains: Sequence[int]) -> int | None:
    """Return to how many messages histories are cut on every call, instructions left out; None if they are not.

    They are where, from the first cut of a conversation on, at least every second request begins later than the one before.
    """
    begins: dict[int, int] = {}
    cuts = requests_since = longest = 0
    for history in whole_histories(requests, chains):
        is_cut = history.cut > begins.get(history.line, 0)
        begins[history.line] = history.cut
        if history.cut:
            cuts += is_cut
            requests_since += 1
            longest = max(longest, len(history.messages) - history.cut)
    return longest if cuts >= _LEAST_CUTS and 2 * cuts >= requests_since else None


def marks(window: int) -> tuple[tuple[int, int], ...]:
    """Return three pairs of a low and a high mark, in messages, to try in place of a window of ``window`` messages.

    The first sends about as much as the window on average, the second never more, the third never less.
    """
    return (-(-7 * window // 10), -(-3 * window // 2)), (-(-window // 2), window), (window, 2 * window)


def windowed(requests: Sequence[Request], chains: Sequence[int], low: int, high: int) -> tuple[Request, ...]:
    """Return the requests with histories that grow to at most ``high`` messages and are then cut to ``low``.

    The instructions in front stay and are not counted. Cuts are in whole turns: what is left begins with a turn of the user, so
    it may be shorter than ``low``; where a single turn is longer, it is left whole. What the log never shows is not made up.
    Requests in which nothing changes are the same objects.

    Args:
        requests: the log, in the order of sending.
        chains: the conversation number of each request, by position.
        low: messages left by a cut, at least 1.
        high: messages at which a history is cut when it would pass them, at least ``low``.
    """
    begins: dict[int, int] = {}
    found = []
    for position, history in enumerate(whole_histories(requests, chains)):
        begin = begins.get(history.line, 0)
        if begin >= history.agrees:
            begin = 0
        if len(history.messages) - begin > high:
            begin = _cut(history.messages, begin, low)
        begins[history.line] = begin
        found.append(_sent_from(requests[position], history, begin))
    return tuple(found)


def _cut(messages: Sequence[Message], begin: int, low: int) -> int:
    """Return the first turn of the user of the last ``low`` messages, else the last one before them, else ``begin``."""
    least = len(messages) - low
    later = (i for i in range(max(least, 0), len(messages)) if is_user_turn(messages[i]))
    return next(later, next((i for i in range(least - 1, begin, -1) if is_user_turn(messages[i])), begin))


def _sent_from(request: Request, history: History, begin: int) -> Request:
    if begin == history.cut:
        return request
    length = head_length(request.messages)
    messages = request.messages[:length] + history.messages[begin:]
    shift = history.cut - begin
    return structs.replace(request, messages=messages, marks=_shifted(request.marks, length, shift))


def _shifted(marks: tuple[CacheMark, ...], head: int, shift: int) -> tuple[CacheMark, ...]:
    """Return ``marks`` with those behind the ``head`` moved by ``shift`` messages; those of messages cut off are left out."""
    moved = []
    for mark in marks:
        if mark.message is not None and mark.message >= head:
            if mark.message + shift < head:
                continue
            mark = structs.replace(mark, message=mark.message + shift)
        moved.append(mark)
    return tuple(moved)

"""Requests of the Responses API whose earlier items the server keeps: rebuilt from the answers in the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.logs._tally import Tally
from radixlint.traffic import CacheMark, Message, Request

DELTA: Final = "only the delta is logged (previous_response_id)"
_DELTA_TOLD: Final = (
    "Skipped, only the delta is logged and the response it continues is not in the log "
    "(log each response with its id and output, or send the whole input)"
)
_USAGE_ALONE: Final = (
    "Requests that continue a response that is not in the log give usage alone "
    "(log each response with its id and output, or send the whole input)"
)

Items = tuple[Message, ...]


class Turn(Struct, frozen=True):
    """A request as logged, its answer, and what it continues.

    The first ``system_messages`` messages of ``request`` are its instructions, which are not carried over; the others are
    its own items. ``output`` are the items of the answer, None if it is not logged. ``before`` names what the turn
    continues, None for nothing; ``names`` are the names under which it can be continued; ``place`` is where it stands.
    """

    request: Request
    system_messages: int
    output: Items | None
    before: str | None
    names: tuple[str, ...]
    place: tuple[str, int]


class ResponseChain:
    """The items of all answers so far by name, and the turns that continue an answer not seen yet."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._items: dict[str, Items] = {}
        self._waiting: dict[str, list[Turn]] = {}

    def knows(self, name: str) -> bool:
        """Whether what is called ``name`` can be continued."""
        return name in self._items

    def add(self, turn: Turn) -> list[Request]:
        """Return ``turn`` with all its items, and those that waited for its answer; nothing if it has to wait itself."""
        done: list[Request] = []
        ready = [turn]
        while ready:
            turn = ready.pop()
            history = () if turn.before is None else self._items.get(turn.before)
            if history is None:
                self._waiting.setdefault(turn.before or "", []).append(turn)
                continue
            done.append(_with_history(turn, history))
            ready += self._keep(turn, history)
        return done

    def rest(self) -> list[Request]:
        """Return what of the waiting turns is still of use: what was reported about them."""
        alone = [turn for turns in self._waiting.values() for turn in turns]
        for turn in alone:
            if turn.request.usage is None:
                self._tally.skip(DELTA, _DELTA_TOLD, turn.place)
            else:
                self._tally.note(_USAGE_ALONE, turn.place)
        told = [replace(one.request, messages=(), tools=(), marks=()) for one in alone if one.request.usage is not None]
        return sorted(told, key=lambda one: one.index)

    def _keep(self, turn: Turn, history: Items) -> Sequence[Turn]:
        if turn.output is None:
            for name in turn.names:
                self._items.pop(name, None)
            return ()
        items = history + turn.request.messages[turn.system_messages :] + turn.output
        self._items.update(dict.fromkeys(turn.names, items))
        return [one for name in turn.names for one in self._waiting.pop(name, ())]


def _with_history(turn: Turn, history: Items) -> Request:
    if not history:
        return turn.request
    request, count = turn.request, turn.system_messages
    marks = tuple(_moved(mark, len(history)) if (mark.message or 0) >= count else mark for mark in request.marks)
    return replace(request, messages=request.messages[:count] + history + request.messages[count:], marks=marks)


def _moved(mark: CacheMark, messages: int) -> CacheMark:
    return mark if mark.message is None else replace(mark, message=mark.message + messages)

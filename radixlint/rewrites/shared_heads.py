"""Side calls sent behind the tools and instructions of the main ones, which are in the cache already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import structs

from radixlint.rewrites.message_edits import MessageEdits
from radixlint.rewrites.turn_roles import head_length, newest_user_turn
from radixlint.traffic import CacheMark, Message, Request

_GAP: Final = "\n\n"
_USER: Final = "user"


def with_main_head(requests: Sequence[Request], side: Mapping[int, int]) -> tuple[Request, ...]:
    """Return the requests with the tools and instructions of a main request in front of each side call.

    A side call's own instructions go to the start of its newest turn of the user, a blank line between; tools that the main
    request lacks stand behind those it has. Cache marks in the head are the main request's.

    Args:
        requests: the log.
        side: the position of the main request by that of the side call.
    """
    edits = MessageEdits()
    return tuple(
        request if (main := side.get(position)) is None else _with_head(request, requests[main], edits)
        for position, request in enumerate(requests)
    )


def _with_head(request: Request, main: Request, edits: MessageEdits) -> Request:
    own, length = head_length(request.messages), head_length(main.messages)
    head = main.messages[:length]
    tools = main.tools + tuple(tool for tool in request.tools if tool not in main.tools)
    if request.messages[:own] == head and request.tools == tools:
        return request
    said = list(request.messages[own:])
    instructions = "\n".join(message.text for message in request.messages[:own] if message not in head)
    if instructions:
        at = newest_user_turn(said)
        if at is None:
            said.append(edits.shared(Message(_USER, instructions)))
        else:
            said[at] = edits.with_start(said[at], instructions, _GAP)
    return structs.replace(request, tools=tools, messages=(*head, *said), marks=_marks(request, main, own, length))


def _marks(request: Request, main: Request, own: int, length: int) -> tuple[CacheMark, ...]:
    in_head = [mark for mark in main.marks if mark.message is None or mark.message < length]
    behind = [
        structs.replace(mark, message=mark.message - own + length)
        for mark in request.marks
        if mark.message is not None and mark.message >= own
    ]
    return (*in_head, *behind)

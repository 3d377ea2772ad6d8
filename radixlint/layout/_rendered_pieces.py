"""Which part of a rendered prompt is which tool or message: their texts are looked up in it, in order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from radixlint.layout._pieces import OPEN_TURN, Piece, message_place
from radixlint.layout._template_messages import parsed
from radixlint.layout._wire_layout import content_texts
from radixlint.traffic import Request

_ARGUMENTS_GAP_CHARACTERS: Final = 200


class _Found(Struct, frozen=True):
    start: int
    end: int
    where: str
    tool: int | None = None
    message: int | None = None
    part: int = 0


def rendered_pieces(text: str, request: Request) -> tuple[Piece, ...]:
    """Cut the prompt ``text`` behind each tool and content block that is found in it; what stands in front is its mark.

    A block that the template changed or left out has no piece of its own. What is behind the last one is the open turn.
    """
    found = sorted((*_tools(text, request), *_messages(text, request)), key=lambda one: one.start)
    pieces: list[Piece] = []
    at = 0
    for one in found:
        if one.start >= at:
            pieces.append(Piece(one.where, text[at : one.end], one.tool, one.message, one.part, one.start - at))
            at = one.end
    return (*pieces, Piece(OPEN_TURN, text[at:], mark_characters=len(text) - at))


def _tools(text: str, request: Request) -> Iterator[_Found]:
    at = 0
    for index, tool in enumerate(request.tools):
        value = parsed(tool)
        for form in (json.dumps(value, ensure_ascii=False), tool, json.dumps(value, ensure_ascii=False, indent=4)):
            start = text.find(form, at)
            if start >= 0:
                at = start + len(form)
                yield _Found(start, at, f"tools[{index}]", tool=index)
                break


def _messages(text: str, request: Request) -> Iterator[_Found]:
    at = 0
    for index, message in enumerate(request.messages):
        where = message_place(index, message.role)
        texts = content_texts(message)
        for part, block in enumerate(texts):
            start = text.find(block.strip(), at) if block.strip() else -1
            if start >= 0:
                at = start + len(block.strip())
                yield _Found(start, at, where, message=index, part=part)
        for number, call in enumerate(message.tool_calls):
            start = text.find(call.name, at) if call.name else -1
            if start >= 0:
                at = _arguments_end(text, start + len(call.name), call.arguments)
                yield _Found(start, at, where, message=index, part=len(texts) + number)


def _arguments_end(text: str, at: int, arguments: str) -> int:
    for form in (json.dumps(parsed(arguments), ensure_ascii=False), arguments):
        start = text.find(form, at, at + len(form) + _ARGUMENTS_GAP_CHARACTERS)
        if start >= 0:
            return start + len(form)
    return at

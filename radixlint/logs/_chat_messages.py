"""The messages of a request, each decoded once: content as string or blocks, calls in all their forms, cache marks."""

from __future__ import annotations

import functools
import json
import sys
from typing import Annotated, Final
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Meta, Raw, Struct

from radixlint.logs._compact_json import dump_compact
from radixlint.logs._content_blocks import ODD_CALLS, Blocks
from radixlint.logs._growing_history import Histories, History, Odd
from radixlint.logs._message_memo import Known, MessageMemo
from radixlint.logs._opened_text import opened
from radixlint.logs._record_json import RecordError, decode_value
from radixlint.logs._response_items import add_item, is_item
from radixlint.logs._tally import Tally
from radixlint.traffic import CacheMark, Message, ToolCall

NO_MESSAGES: Final = "no messages"
_NO_ROLE: Final = "Messages without a role were read as they are"
# Other fields that chat templates print, in the order they are kept.
_PRINTED: Final = ("name", "tool_call_id", "reasoning_content", "reasoning", "thinking")


class Chat(Struct, frozen=True):
    """The messages of one request, and the cache marks in them, in wire order."""

    messages: tuple[Message, ...]
    marks: tuple[CacheMark, ...] = ()


class _WireFunction(Struct, frozen=True, gc=False):
    name: str
    arguments: str


class _WireCall(Struct, frozen=True, gc=False):
    function: _WireFunction
    id: str = ""
    call_id: None = None


class _WireMessage(Struct, frozen=True):
    role: Annotated[str, Meta(min_length=1)]
    content: str | None = None
    tool_calls: list[_WireCall] | None = None
    name: str | None = None
    tool_call_id: str | None = None
    # What is rarer is left to the general reader.
    function_call: None = None
    reasoning_content: None = None
    reasoning: None = None
    thinking: None = None
    cache_control: None = None
    prompt_cache_breakpoint: None = None
    cachePoint: None = None  # noqa: N815 - as logged


_USUAL: Final = msgspec.json.Decoder(_WireMessage)


class _Reader:
    """What one run has read: messages by their JSON, and histories."""

    def __init__(self) -> None:
        self.memo = MessageMemo()
        self.histories = Histories(functools.partial(_read_one, self.memo))


_READERS: Final[WeakKeyDictionary[Tally, _Reader]] = WeakKeyDictionary()


def read_messages(field: Raw, tally: Tally) -> tuple[Message, ...]:
    """Return the messages in the JSON array ``field``; see ``read_chat``."""
    return read_chat(field, tally).messages


def read_chat(field: Raw, tally: Tally, *, system: Raw | None = None, empty: str = NO_MESSAGES) -> Chat:
    """Return the messages in the JSON array ``field``, in front of them one of ``system`` (a string or blocks) if given.

    Messages that are equal, in whatever requests of a run, are one object.

    Raises:
        RecordError: ``empty`` (without a message), ``message not an object`` or ``content not text``.
    """
    reader = _reader_of(tally)
    history = _history(reader.histories, field)
    if not history.messages:
        raise RecordError(empty)
    messages, odd = history.messages, history.odd
    if system is not None:
        first = reader.memo.read(system, _known_system)
        messages = (first.message, *messages)
        odd = ((0, first), *((position + 1, one) for position, one in odd))
    if not odd:
        return Chat(messages)
    for note in [note for _, one in odd for note in one.notes]:
        tally.note(note)
    return Chat(messages, _marks(messages, odd))


def read_message(field: Raw, tally: Tally) -> Message:
    """Return the message, or the item of the Responses API, in the JSON object ``field``.

    Raises:
        RecordError: ``message not an object`` or ``content not text``.
    """
    return _read_one(_reader_of(tally).memo, field).message


def forget_messages(tally: Tally) -> None:
    """Forget what was kept to read further messages of a run faster: it has read all."""
    _READERS.pop(tally, None)


def last_part(message: Message) -> int:
    """Return the position of the last block of ``message``; its calls stand behind its texts."""
    texts = len(message.parts) or int(bool(message.text))
    return max(texts + len(message.tool_calls) - 1, 0)


def _reader_of(tally: Tally) -> _Reader:
    reader = _READERS.get(tally)
    if reader is None:
        reader = _READERS[tally] = _Reader()
    return reader


def _history(histories: Histories, field: Raw) -> History:
    try:
        return histories.read(field)
    except (msgspec.DecodeError, RecursionError):
        value = decode_value(opened(field))
        if isinstance(value, str) and value.lstrip().startswith("["):
            value = decode_value(Raw(value.encode("utf-8", "replace")))  # says what is wrong with it
        return histories.read_each([Raw(json.dumps(item).encode()) for item in value] if isinstance(value, list) else [])


def _marks(messages: tuple[Message, ...], odd: Odd) -> tuple[CacheMark, ...]:
    """Return the cache marks; one in front of a message's blocks stands behind the message before."""
    marks = []
    for position, one in odd:
        for block, ttl_s in one.marks:
            if block >= 0:
                marks.append(CacheMark(message=position, part=block, ttl_s=ttl_s))
            elif position:
                marks.append(CacheMark(message=position - 1, part=last_part(messages[position - 1]), ttl_s=ttl_s))
    return tuple(marks)


def _read_one(memo: MessageMemo, field: Raw) -> Known:
    try:
        usual = _USUAL.decode(field)
    except (msgspec.DecodeError, RecursionError):
        return memo.read(field, _known)
    if not (usual.tool_calls or usual.name or usual.tool_call_id):
        return Known(memo.plain(usual.role, usual.content or ""))
    calls = tuple([ToolCall(c.function.name, c.function.arguments, c.id) for c in usual.tool_calls]) if usual.tool_calls else ()
    extra = _extra({"name": usual.name, "tool_call_id": usual.tool_call_id}) if usual.name or usual.tool_call_id else ""
    return Known(memo.share(Message(sys.intern(usual.role), usual.content or "", calls, extra=extra)))


def _known(field: Raw) -> Known:
    item = decode_value(field)
    if not isinstance(item, dict):
        raise RecordError("message not an object")
    blocks = Blocks()
    if is_item(item):
        return _from_blocks(add_item(item, blocks), blocks)
    role = item.get("role")
    if not isinstance(role, str) or not role:
        blocks.notes.append(_NO_ROLE)
        role = ""
    blocks.add_content(item.get("content"))
    _add_calls(item, blocks)
    blocks.add_mark(item)
    blocks.fields |= {name: item[name] for name in _PRINTED if item.get(name)}
    return _from_blocks(role, blocks)


def _known_system(field: Raw) -> Known:
    blocks = Blocks()
    blocks.add_content(decode_value(field))
    return _from_blocks("system", blocks)


def _from_blocks(role: str, blocks: Blocks) -> Known:
    parts = tuple(blocks.texts) if len(blocks.texts) > 1 else ()
    message = Message(role, "\n".join(blocks.texts), tuple(blocks.calls), parts, _extra(blocks.fields))
    return Known(message, tuple(blocks.marks), tuple(blocks.notes))


def _add_calls(item: dict[str, object], blocks: Blocks) -> None:
    calls = item.get("tool_calls")
    if calls is None:
        legacy = item.get("function_call")
        calls = [] if legacy is None else [legacy]
    if not isinstance(calls, list):
        blocks.notes.append(ODD_CALLS)
        return
    for call in calls:
        blocks.add_call(call)


def _extra(fields: dict[str, object]) -> str:
    kept = {name: fields[name] for name in _PRINTED if fields.get(name)}
    return dump_compact(kept) if kept else ""

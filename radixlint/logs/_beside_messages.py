"""Parts of the prompt that loggers write beside the messages of a chat body: a system text, tools among parameters."""

from __future__ import annotations

import json
from typing import Final

from msgspec import Raw

from radixlint.logs._chat_messages import Chat, read_chat
from radixlint.logs._opened_text import opened
from radixlint.logs._record_json import Record, as_record, decode_value
from radixlint.logs._tally import Tally

PARAMETER_PLACES: Final = ("extra_body", "kwargs", "optional_params", "config", "model_parameters", "model_kwargs")
"""Where loggers put parameters of a body."""
_TOOLS: Final = ("tools", "functions")
_SYSTEM: Final = ("system_prompt", "system_message", "instructions")
_PLACES: Final = frozenset(PARAMETER_PLACES)
_SYSTEMS: Final = frozenset(_SYSTEM)
_SYSTEM_ROLES: Final = ("system", "developer")
_TWO: Final = "System texts beside messages that have another one were left out"
_NOTHING: Final = (Raw(b"null"), Raw(b"[]"))


def with_parameters(body: Record) -> Record:
    """Return ``body``, or the parameters beside it that hold its tools if it has none itself."""
    if _PLACES.isdisjoint(body) or any(name in body and body[name] not in _NOTHING for name in _TOOLS):
        return body
    for name in PARAMETER_PLACES:
        inner = as_record(opened(body[name])) if name in body else None
        if inner is not None and any(tools in inner for tools in _TOOLS):
            return inner
    return body


def read_with_system(body: Record, tally: Tally) -> Chat:
    """Return the messages of ``body``, in front of them the system text beside them unless they have one.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    chat = read_chat(body["messages"], tally)
    if _SYSTEMS.isdisjoint(body):
        return chat
    text = next((found for name in _SYSTEM if name in body and (found := _text(body[name])) is not None), None)
    if text is None:
        return chat
    own = [message.text for message in chat.messages if message.role in _SYSTEM_ROLES]
    if not own:
        return read_chat(body["messages"], tally, system=Raw(json.dumps(text).encode()))
    if text not in own:
        tally.note(_TWO)
    return chat


def _text(field: Raw) -> str | None:
    value = decode_value(field)
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) and value else None

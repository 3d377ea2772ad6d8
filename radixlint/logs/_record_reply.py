"""The answer as logged: a chat completion's message, the content of an Anthropic message, the output of a response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Raw

from radixlint.logs._chat_messages import Chat, read_chat, read_message
from radixlint.logs._opened_text import elements
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value, flatten
from radixlint.logs._tally import Tally
from radixlint.traffic import Message

_ASSISTANT: Final = "assistant"


def read_reply(answers: Sequence[Record], tally: Tally) -> Message | None:
    """Return the answer in ``answers`` (envelopes, the outermost first), None if it is not logged or has no known shape."""
    fields = flatten(answers)
    try:
        if "choices" in fields:
            return _chosen(fields["choices"], tally)
        if "content" in fields:
            return read_message(_as_message(fields), tally)
        if "output" in fields:
            return _joined(read_chat(fields["output"], tally))
    except (RecordError, msgspec.DecodeError):
        return None
    return None


def _chosen(choices: Raw, tally: Tally) -> Message | None:
    first = next(iter(elements(choices)), None)
    choice = as_record(first)
    if choice is None:
        return None
    if "message" in choice:
        reply = read_message(choice["message"], tally)
        return reply if reply.role else msgspec.structs.replace(reply, role=_ASSISTANT)
    text = decode_value(choice["text"]) if "text" in choice else None
    return Message(_ASSISTANT, text) if isinstance(text, str) else None


def _as_message(fields: Record) -> Raw:
    content = bytes(fields["content"])
    return Raw(b'{"role":"assistant","content":' + content + b"}")


def _joined(output: Chat) -> Message:
    """Return the items of an answer as one message."""
    items = output.messages
    if len(items) == 1:
        return items[0]
    texts = tuple(text for one in items for text in (one.parts or ((one.text,) if one.text else ())))
    calls = tuple(call for one in items for call in one.tool_calls)
    extra = next((one.extra for one in items if one.extra), "")
    return Message(_ASSISTANT, "\n".join(texts), calls, texts if len(texts) > 1 else (), extra)

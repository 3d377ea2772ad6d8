"""Bedrock's Converse bodies to the prompt: system blocks, messages of blocks, and tools under ``toolConfig``."""

from __future__ import annotations

from typing import Final

from radixlint.logs._chat_messages import NO_MESSAGES, read_chat
from radixlint.logs._record_json import Record, RecordError, as_record
from radixlint.logs._request_bodies import Prompt
from radixlint.logs._tally import Tally
from radixlint.logs._tool_list import read_tools

_OWN: Final = ("inferenceConfig", "toolConfig", "additionalModelRequestFields", "guardrailConfig", "performanceConfig")


def is_converse(body: Record) -> bool:
    """Whether this is a Converse body."""
    return "messages" in body and (any(name in body for name in _OWN) or b'"cachePoint"' in bytes(body["messages"]))


def converse_prompt(body: Record, tally: Tally) -> Prompt:
    """Return the prompt of a Converse body with its cache points.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    if "messages" not in body:
        raise RecordError(NO_MESSAGES)
    system = body.get("system")
    chat = read_chat(body["messages"], tally, system=None if system is None or not _holds(system) else system)
    tools, marks = read_tools(as_record(body.get("toolConfig")) or {}, tally)
    return {"tools": tools, "messages": chat.messages, "marks": marks + chat.marks}


def _holds(system: bytes | memoryview | object) -> bool:
    return bytes(system).strip(b" \n\r\t") not in (b"[]", b"null", b'""')  # type: ignore[arg-type]  # a Raw is a buffer

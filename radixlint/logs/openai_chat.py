"""OpenAI chat requests, as sent or wrapped with their answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._chat_messages import read_messages
from radixlint.logs._compact_json import compact_elements
from radixlint.logs._foreign_bodies import ANTHROPIC, is_anthropic
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError, flatten, unwrap
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "openai-chat"
ACCEPTS: Final = "OpenAI chat requests (messages)"
MISSING: Final = "no messages"
RANK: Final = 80

_ODD_TOOLS: Final = "Tool lists of an unknown shape were ignored"


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the chat request, or nothing."""
    return unwrap(record, ("messages",))


def read(envelopes: Sequence[Record], index: int, tally: Tally) -> Request:
    """Return the request in ``envelopes``.

    Raises:
        RecordError: ``no messages``, ``Anthropic body, not read yet``, ``message not an object`` or ``content not text``.
    """
    body = flatten(envelopes[-1:])
    if "messages" not in body:
        raise RecordError(MISSING)
    if is_anthropic(body):
        # Its system text would be lost, and every rate with it.
        raise RecordError(ANTHROPIC)
    return replace(
        shared_fields(envelopes, index, tally),
        tools=_tools(body, tally),
        messages=read_messages(body["messages"], tally),
    )


def _tools(body: Record, tally: Tally) -> tuple[str, ...]:
    tools = next((body[name] for name in ("tools", "functions") if name in body), None)
    if tools is None:
        return ()
    try:
        return compact_elements(bytes(tools))
    except ValueError:
        tally.note(_ODD_TOOLS)
        return ()

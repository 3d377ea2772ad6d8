"""OpenAI chat requests, as sent or wrapped with their answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import force_setattr

from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, unwrap
from radixlint.logs._request_bodies import chat_prompt, is_anthropic
from radixlint.logs._streamed_rows import StreamedRows
from radixlint.logs._tally import Tally
from radixlint.logs._uncalled_rows import was_answered
from radixlint.traffic import Request

NAME: Final = "openai-chat"
ACCEPTS: Final = "OpenAI chat requests (messages)"
MISSING: Final = "no messages"
RANK: Final = 80
GIVES: Final = "Text of the prompt; reported usage if the answer is logged."


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the chat request, or nothing; what has a system text of its own is Anthropic's."""
    envelopes = unwrap(record, ("messages",))
    return () if envelopes and is_anthropic(envelopes[-1]) else envelopes


class _Chats:
    """The calls whose answers stand on several rows."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._streams = StreamedRows(tally)

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        if not was_answered(found, self._tally):
            return ()
        request = shared_fields(found, self._tally.next_index, self._tally)
        # Nobody else has seen the request yet, and copying it takes long.
        for name, value in chat_prompt(found[-1], self._tally).items():
            if value:
                force_setattr(request, name, value)
        return self._streams.take(found[0], request)

    def rest(self) -> Sequence[Request]:
        return self._streams.rest()

    def stats(self) -> None:
        return None


open = _Chats  # noqa: A001 - the name of the interface

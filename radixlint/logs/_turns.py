"""A stored conversation to the requests that made it: one for each answer, with all that stood before it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.logs._tally import Tally
from radixlint.traffic import Request

_ASSISTANT: Final = "assistant"
_NO_TIMES: Final = "Conversations were read as one request for each answer, all turns of one after the other"


def by_reply(whole: Request, tally: Tally) -> list[Request]:
    """Return the requests of the conversation ``whole``; one without an answer is a request itself."""
    turns = [place for place, message in enumerate(whole.messages) if place and message.role == _ASSISTANT]
    if not turns:
        return [replace(whole, index=tally.new_index())]
    tally.note(_NO_TIMES)
    session = whole.session or whole.id or f"conversation {tally.next_index}"
    return [
        replace(
            whole,
            index=tally.new_index(),
            id=None if whole.id is None else f"{whole.id}/{number}",
            session=session,
            messages=whole.messages[:place],
            marks=tuple(mark for mark in whole.marks if mark.message is None or mark.message < place),
            reply=whole.messages[place],
        )
        for number, place in enumerate(turns, start=1)
    ]

"""Join requests without a session id that hold the same message: one private text in many requests counts once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from radixlint.privacy.joined_groups import JoinedGroups
from radixlint.privacy.said_lines import INSTRUCTIONS, marks_of, said_messages, turns_in
from radixlint.traffic import Message, Request


def join_shared_messages(requests: Sequence[Request], groups: JoinedGroups) -> dict[int, str]:
    """Join those of ``requests`` in ``groups`` that have no session id and share a message, a long line or a transcript.

    Returns the session of each group (by its leader) of which a message stands in a session as well.
    """
    loose = [i for i, request in enumerate(requests) if request.session is None]
    marks = _Marks()
    for i in loose:
        for holder in marks.holders(requests[i], i):
            groups.join(i, holder)
    _join_transcripts(requests, loose, groups)
    if not loose:
        return {}
    sessions: dict[int, str] = {}
    for request in requests:
        if request.session is not None:
            for holder in marks.known(request):
                sessions.setdefault(groups.leader(holder), request.session)
    return sessions


class _Marks:
    """Who held a message or a mark first; a message seen before is not taken apart again, of marks only hashes are kept."""

    def __init__(self) -> None:
        self._messages: dict[Message, int] = {}
        self._marks: dict[int, int] = {}

    def holders(self, request: Request, position: int) -> Iterator[int]:
        for message in said_messages(request):
            first = self._messages.setdefault(message, position)
            if first != position:
                yield first
                continue
            for mark in marks_of(message):
                if mark:
                    yield self._marks.setdefault(hash(mark), position)

    def known(self, request: Request) -> Iterator[int]:
        for message in said_messages(request):
            if message in self._messages:
                yield self._messages[message]
            else:
                yield from (self._marks[hash(mark)] for mark in marks_of(message) if hash(mark) in self._marks)


def _join_transcripts(requests: Sequence[Request], loose: Sequence[int], groups: JoinedGroups) -> None:
    """Join requests whose instructions hold a conversation that changes from one to the next.

    Turns that are the same in all are examples, and examples are shared by people who have nothing to do with each other.
    """
    turns: dict[str, tuple[str, ...]] = {}
    members: dict[tuple[str, ...], list[int]] = {}
    for i in loose:
        texts = (m.text for m in requests[i].messages if m.role in INSTRUCTIONS)
        told = tuple(
            turn for text in texts for turn in (turns[text] if text in turns else turns.setdefault(text, turns_in(text)))
        )
        if told:
            members.setdefault(told, []).append(i)
    transcripts = list(members)
    families = JoinedGroups(len(transcripts))
    holders: dict[str, int] = {}
    for number, told in enumerate(transcripts):
        for turn in told:
            families.join(number, holders.setdefault(turn, number))
    leaders = families.leaders()
    sizes = Counter(leaders)
    for number, leader in enumerate(leaders):
        if sizes[leader] > 1:
            for i in members[transcripts[number]]:
                groups.join(i, members[transcripts[leader]][0])

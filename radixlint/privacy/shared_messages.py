"""Join requests without a session id that hold the same message: one private text in many requests counts once."""

from __future__ import annotations

import functools
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from radixlint.privacy.joined_groups import JoinedGroups
from radixlint.privacy.message_numbers import MessageNumbers
from radixlint.privacy.said_lines import INSTRUCTIONS, is_said, marks_of, turns_in
from radixlint.traffic import Request


def join_shared_messages(requests: Sequence[Request], numbers: MessageNumbers, groups: JoinedGroups) -> dict[int, str]:
    """Join those of ``requests`` in ``groups`` that have no session id and share a message, a long line or a transcript.

    Returns the session of each group (by its leader) of which a message stands in a session as well.
    """
    loose = [i for i, request in enumerate(requests) if request.session is None]
    if not loose:
        return {}
    marks = _Marks(numbers)
    for i in loose:
        marks.join(i, groups)
    marks.join_marked(groups)
    _join_transcripts(loose, numbers, groups)
    sessions: dict[int, str] = {}
    for i, request in enumerate(requests):
        if request.session is not None:
            for holder in marks.holders(i):
                sessions.setdefault(groups.leader(holder), request.session)
    return sessions


class _Marks:
    """Who held a message or a mark first; a message seen before is not taken apart again, of marks only hashes are kept."""

    def __init__(self, numbers: MessageNumbers) -> None:
        self._numbers = numbers
        self._is_said = bytes(map(is_said, numbers.messages))
        self._first: dict[int, int] = {}
        # In arrays, to be sorted: a dict of all long lines of a log takes ten times as much.
        self._hashes, self._holders = array("q"), array("I")
        self._mark_holders = functools.cache(self._find_mark_holders)

    def join(self, position: int, groups: JoinedGroups) -> None:
        """Join the request at ``position`` to those that held its messages before, and keep its marks; come in rising order."""
        own = self._numbers.of(position)
        for at in range(len(own) - 1, -1, -1):
            number = own[at]
            if not self._is_said[number]:
                continue
            first = self._first.setdefault(number, position)
            if first == position:
                self._keep_marks(number, position)
                continue
            groups.join(position, first)
            if self._numbers.of(first)[: at + 1] == own[: at + 1]:
                return  # it goes on from that one, which is joined to whoever held what stands in front

    def _keep_marks(self, number: int, position: int) -> None:
        self._hashes.extend(map(hash, filter(None, marks_of(self._numbers.messages[number]))))
        self._holders.extend([position] * (len(self._hashes) - len(self._holders)))

    def join_marked(self, groups: JoinedGroups) -> None:
        """Join the requests that held the same marks, once all are known."""
        import numpy as np

        hashes, holders = np.frombuffer(self._hashes, np.int64), np.frombuffer(self._holders, np.uint32)
        order = np.argsort(hashes, kind="stable")
        hashes, holders = hashes[order], holders[order]
        same = np.flatnonzero((hashes[1:] == hashes[:-1]) & (holders[1:] != holders[:-1]))
        for one, other in zip(holders[same].tolist(), holders[same + 1].tolist(), strict=True):
            groups.join(one, other)
        del order
        self._hashes, self._holders = array("q", hashes.tobytes()), array("I", holders.tobytes())

    def holders(self, position: int) -> Iterator[int]:
        """Yield who first held the messages of the request at ``position``, or the marks of those that nobody held."""
        for number in self._numbers.of(position):
            if not self._is_said[number]:
                continue
            if number in self._first:
                yield self._first[number]
            else:
                yield from self._mark_holders(number)

    def _find_mark_holders(self, number: int) -> tuple[int, ...]:
        found = []
        for mark in map(hash, filter(None, marks_of(self._numbers.messages[number]))):
            at = bisect_left(self._hashes, mark)
            if at < len(self._hashes) and self._hashes[at] == mark:
                found.append(self._holders[at])
        return tuple(found)


def _join_transcripts(loose: Sequence[int], numbers: MessageNumbers, groups: JoinedGroups) -> None:
    """Join requests whose instructions hold a conversation that changes from one to the next.

    Turns that are the same in all are examples, and examples are shared by people who have nothing to do with each other.
    """
    turns = [turns_in(m.text) if m.role in INSTRUCTIONS else () for m in numbers.messages]
    if not any(turns):
        return
    members: dict[tuple[str, ...], list[int]] = {}
    for i in loose:
        told = _told(numbers.of(i), turns)
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


def _told(own: array[int], turns: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple([turn for number in own if turns[number] for turn in turns[number]])

"""Join requests without a session id that hold the same message: one private text in many requests counts once."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.privacy.joined_groups import JoinedGroups
from radixlint.privacy.kept_marks import KeptMarks
from radixlint.privacy.message_numbers import MessageNumbers
from radixlint.privacy.said_lines import INSTRUCTIONS, is_said, marks_of, turns_in
from radixlint.traffic import Request

_NOBODY: Final = 2**32 - 1


def join_shared_messages(requests: Sequence[Request], numbers: MessageNumbers, groups: JoinedGroups) -> dict[int, str]:
    """Join those of ``requests`` in ``groups`` that have no session id and share a message, a long line or a transcript.

    Returns the session of each group (by its leader) of which a message stands in a session as well.
    """
    is_loose = bytes(request.session is None for request in requests)
    if not any(is_loose):
        return {}
    # Of each loose request the first one of a session that holds what it holds.
    in_session = array("I", [_NOBODY]) * len(requests)
    holders = _joined_holders(is_loose, numbers, groups)
    _add_sessions(holders, is_loose, numbers, in_session)
    _join_marked(holders, is_loose, numbers, groups, in_session)
    _join_transcripts(is_loose, numbers, groups)
    firsts: dict[int, int] = {}
    for i, first in enumerate(in_session):
        if first != _NOBODY:
            leader = groups.leader(i)
            firsts[leader] = min(first, firsts.get(leader, first))
    return {leader: session for leader, i in firsts.items() if (session := requests[i].session) is not None}


def _joined_holders(is_loose: bytes, numbers: MessageNumbers, groups: JoinedGroups) -> array[int]:
    """Join the loose requests that hold the same message; return which one holds each message first."""
    holders = array("I", [_NOBODY]) * len(numbers.messages)
    said = bytes(map(is_said, numbers.messages))
    for i in _positions(is_loose):
        own = numbers.of(i)
        for at in range(len(own) - 1, -1, -1):
            if not said[own[at]]:
                continue
            first = holders[own[at]] = min(i, holders[own[at]])
            if first == i:
                continue
            groups.join(i, first)
            if numbers.of(first)[: at + 1] == own[: at + 1]:
                break  # it goes on from that one, which is joined to whoever held what stands in front
    return holders


def _add_sessions(holders: array[int], is_loose: bytes, numbers: MessageNumbers, in_session: array[int]) -> None:
    """Note which loose requests hold a message of a session, and add to ``holders`` who holds the other messages first."""
    said = bytes(map(is_said, numbers.messages))
    for i, loose in enumerate(is_loose):
        for number in () if loose else numbers.of(i):
            first = holders[number]
            if first == _NOBODY and said[number]:
                holders[number] = i
            elif first != _NOBODY and is_loose[first]:
                in_session[first] = min(i, in_session[first])


def _positions(is_loose: bytes) -> Iterator[int]:
    return (i for i, loose in enumerate(is_loose) if loose)


def _join_marked(
    holders: array[int], is_loose: bytes, numbers: MessageNumbers, groups: JoinedGroups, in_session: array[int]
) -> None:
    """Join the loose requests that hold the same marks, and note which of them are held in a session."""
    import numpy as np

    kept = KeptMarks()
    for message, holder in zip(numbers.messages, holders, strict=True):
        if holder != _NOBODY:
            kept.add(holder, marks_of(message))
    loose, earliest = np.frombuffer(is_loose, np.bool_), np.frombuffer(in_session, np.uint32)
    for marks, by in kept.parts():
        order = np.lexsort((~loose[by], marks))
        marks, by = marks[order], by[order]
        # Loose holders of a mark stand in front of the others, so that all follow the first of its loose holders.
        starts = np.flatnonzero(np.append(True, marks[1:] != marks[:-1])) if len(marks) else order
        leader = np.repeat(by[starts], np.diff(starts, append=len(marks)))
        is_linked = loose[leader] & (leader != by)
        is_joined = is_linked & loose[by]
        for one, other in zip(leader[is_joined].tolist(), by[is_joined].tolist(), strict=True):
            groups.join(one, other)
        is_told = is_linked & ~loose[by]
        np.minimum.at(earliest, leader[is_told], by[is_told])


def _join_transcripts(is_loose: bytes, numbers: MessageNumbers, groups: JoinedGroups) -> None:
    """Join requests whose instructions hold a conversation that changes from one to the next.

    Turns that are the same in all are examples, and examples are shared by people who have nothing to do with each other.
    """
    turns = [turns_in(m.text) if m.role in INSTRUCTIONS else () for m in numbers.messages]
    if not any(turns):
        return
    members: dict[tuple[str, ...], list[int]] = {}
    for i in _positions(is_loose):
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

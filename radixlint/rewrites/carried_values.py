"""A value moves to the turn it came with, and later requests of the conversation show that turn as it was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, structs

from radixlint.rewrites.message_edits import MessageEdits, Span, marks_after, marks_without
from radixlint.rewrites.message_keys import MessageKeys
from radixlint.rewrites.turn_roles import is_spoken, newest_spoken, newest_user_turn
from radixlint.traffic import CacheMark, Message, Request


class Placement(Struct, frozen=True):
    """Where in its turn a value goes: ``gap`` stands between it and the turn's text, ``label`` in front of it.

    Without ``stays`` only the newest turn of a request carries its value.
    """

    is_in_front: bool = False
    gap: str = "\n"
    label: str = ""
    stays: bool = True


class _Sent(NamedTuple):
    """A turn as it was sent when it was the newest, and the value with it (None: none is left with it)."""

    message: Message
    value: str | None


def carried(
    requests: Sequence[Request], spans: Mapping[int, Span], chains: Sequence[int], placement: Placement
) -> tuple[Request, ...]:
    """Return the requests with each span's text moved to the newest turn of the user, as ``placement`` says.

    A value that changes while tools answer one turn goes to the newest answer; one that does not change is not repeated.
    Requests without a span carry what earlier turns of their conversation were sent with. Requests in which nothing changes
    are the same objects; those without a turn of the user are left alone.

    Args:
        requests: the log, in the order of sending.
        spans: the span of a request, by the request's position.
        chains: the conversation number of each request, by position.
        placement: where the values go.
    """
    conversations: dict[int, _Conversation] = {}
    edits, keys = MessageEdits(), MessageKeys()
    found: list[Request] = []
    for i, request in enumerate(requests):
        conversation = conversations.get(chains[i])
        if conversation is None:
            conversation = conversations[chains[i]] = _Conversation(placement, edits, keys)
        found.append(conversation.rewritten(request, spans.get(i)))
    return tuple(found)


class _Conversation:
    """What the turns of one conversation were sent with, by message: one entry for each time that it was the newest."""

    def __init__(self, placement: Placement, edits: MessageEdits, keys: MessageKeys) -> None:
        self._placement = placement
        self._edits = edits
        self._keys = keys
        self._sent: dict[int, list[_Sent]] = {}

    def rewritten(self, request: Request, span: Span | None) -> Request:
        """Return ``request`` as it would have been sent."""
        user = newest_user_turn(request.messages)
        if user is None or (span is None and not self._sent):
            return request
        messages, marks, value = list(request.messages), request.marks, ""
        if span is not None:
            value, rest = self._edits.taken(messages[span.message], span.start, span.end)
            messages[span.message], marks = rest.message, marks_after(marks, span.message, rest)
        bare = tuple(messages)
        known = self._known_turns(bare)
        for place, sent in known.items():
            messages[place] = sent.message
        if span is not None and value:
            at = self._place(bare, user, known, self._placement.label + value)
            if at is not None:
                messages[at] = self._send(request.messages[at], bare[at], self._placement.label + value)
            marks = _drop_if_empty(messages, span.message, marks)
        if len(messages) == len(request.messages) and all(a is b for a, b in zip(messages, request.messages, strict=True)):
            return request
        return structs.replace(request, messages=tuple(messages), marks=marks)

    def _known_turns(self, messages: Sequence[Message]) -> dict[int, _Sent]:
        """Return, by place, what earlier turns were sent as; the last message is no earlier turn."""
        if not self._sent:
            return {}
        places: dict[int, list[int]] = {}
        sent, key_of = self._sent, self._keys.of
        for at in range(len(messages) - 1):
            message = messages[at]
            if is_spoken(message) and (key := key_of(message)) in sent:
                places.setdefault(key, []).append(at)
        found: dict[int, _Sent] = {}
        for key, here in places.items():
            # Where fewer are left than were sent, the oldest were cut off.
            found.update(zip(here, sent[key][-len(here) :], strict=False))
        return found

    def _place(self, messages: Sequence[Message], user: int, known: Mapping[int, _Sent], value: str) -> int | None:
        """Return where the value of this request goes; None if the turn has it already."""
        if not self._placement.stays:
            return user
        values = [known[at].value for at in sorted(known) if at >= user]
        if user not in known:
            return user
        return None if values[-1] == value else newest_spoken(messages)

    def _send(self, logged: Message, bare: Message, value: str) -> Message:
        """Add ``value`` to a turn, and note how later requests show it."""
        add = self._edits.with_start if self._placement.is_in_front else self._edits.with_end
        message = add(bare, value, self._placement.gap)
        if bare is not logged and message == logged:
            message = logged
        if self._placement.stays:
            for turn in (bare,) if bare is logged else (bare, logged):
                self._sent.setdefault(self._keys.of(turn), []).append(_Sent(message, value))
        elif bare is not logged:
            self._sent[self._keys.of(logged)] = [_Sent(bare, None)]
        return message


def _drop_if_empty(messages: list[Message], place: int, marks: tuple[CacheMark, ...]) -> tuple[CacheMark, ...]:
    """Leave out the message at ``place`` if nothing is in it any more; nobody sends that."""
    message = messages[place]
    if message.text or message.tool_calls or len(messages) == 1:
        return marks
    del messages[place]
    return marks_without(marks, place)

"""Which requests belong to one conversation, so that a private message repeated in a history counts once."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from radixlint.plural import counted
from radixlint.privacy.joined_groups import JoinedGroups
from radixlint.privacy.message_numbers import MessageNumbers
from radixlint.privacy.said_lines import INSTRUCTIONS
from radixlint.privacy.shared_messages import join_shared_messages
from radixlint.traffic import UNREADABLE_USER, Request

ENOUGH: Final = 5
"""Conversations (and users, where known) that a text must occur in before it is shown."""


class Crowd(Struct, frozen=True):
    """Who is behind each request, by position: a conversation number, and a user number or None where it names no user.

    ``has_users`` says that the log names users at all. ``chains`` are conversations by a closer rule (who continues whom),
    for telling which request came before which; they are no measure of how many people hold a text.
    """

    conversations: tuple[int, ...]
    users: tuple[int | None, ...]
    has_users: bool
    chains: tuple[int, ...] = ()


def crowd_note(requests: Sequence[Request], crowd: Crowd) -> str | None:
    """Say why texts are hidden where too few conversations could be told apart; None where there are enough, or no texts."""
    found = len(set(crowd.conversations))
    if found >= ENOUGH or not any(request.messages or request.rendered for request in requests):
        return None
    known = any(request.session is not None for request in requests)
    advice = "" if known else "a session id in the log tells more apart, "
    told = f"Only {counted(found, 'conversation')} could be told apart in {counted(len(requests), 'request')}"
    return f"{told}, so texts appear as their shapes: {advice}--show-text shows them."


def crowd_of(requests: Sequence[Request]) -> Crowd:
    """Return the conversation and user of each request.

    A conversation is the session id. Requests without one are one conversation if one continues the other or if they
    share a message, a long line of a user's message, or a conversation written down in their instructions, or if both are
    rendered text; instructions and tools alone link nobody. Linking too much hides text, linking too little leaks it; this
    links generously.
    """
    messages = _message_numbers(requests)
    groups = _joined_chains(requests, messages)
    chains = _numbered(requests, groups, {})
    _join_rendered(requests, groups)
    sessions = join_shared_messages(requests, messages, groups)
    users: dict[str, int] = {}
    user_numbers = tuple(None if r.user in (None, UNREADABLE_USER) else users.setdefault(r.user, len(users)) for r in requests)
    has_users = any(request.user is not None for request in requests)
    return Crowd(_numbered(requests, groups, sessions), user_numbers, has_users, chains)


def chains_of(requests: Sequence[Request]) -> tuple[int, ...]:
    """Return the ``chains`` of ``crowd_of`` alone, which take no look at what is said."""
    return _numbered(requests, _joined_chains(requests, _message_numbers(requests)), {})


def _message_numbers(requests: Sequence[Request]) -> MessageNumbers:
    return MessageNumbers(requests if any(request.session is None for request in requests) else ())


def _join_rendered(requests: Sequence[Request], groups: JoinedGroups) -> None:
    """Join the prompts known as rendered text alone: nothing in them tells whose turns they repeat."""
    rendered = [i for i, one in enumerate(requests) if one.session is None and one.rendered is not None and not one.messages]
    for i in rendered[1:]:
        groups.join(i, rendered[0])


def _numbered(requests: Sequence[Request], groups: JoinedGroups, sessions: dict[int, str]) -> tuple[int, ...]:
    """Return a number for each request: that of its session, or of its group and the session this belongs to."""
    of_session: dict[str, int] = {}
    of_group = array("q", [-1]) * len(requests)
    found: list[int] = []
    count = 0
    for i, request in enumerate(requests):
        leader = groups.leader(i)
        session = sessions.get(leader) if request.session is None else request.session
        number = of_group[leader] if session is None else of_session.get(session, -1)
        if number < 0:
            number, count = count, count + 1
            if session is None:
                of_group[leader] = number
            else:
                of_session[session] = number
        # An int takes 32 bytes: where the requests are in order, their indices are the numbers, and are held already.
        index = requests[number].index
        found.append(index if index == number else number)
    return tuple(found)


def _joined_chains(requests: Sequence[Request], messages: MessageNumbers) -> JoinedGroups:
    """Return groups of requests without a session id: equal ones, and those that hold another's newest message."""
    groups = JoinedGroups(len(requests))
    is_instruction = bytes(message.role in INSTRUCTIONS for message in messages.messages)
    # The requests that end with a message are linked from the last one backwards; numbers take less than lists.
    last, before = array("i", [-1]) * len(messages.messages), array("i", [-1]) * len(requests)
    for i, same in zip(_loose(requests), _first_alike(requests, messages), strict=True):
        groups.join(i, same)
        own = messages.of(i)
        if same == i and own and not is_instruction[own[-1]]:
            before[i], last[own[-1]] = last[own[-1]], i
    for i in _loose(requests):
        own = messages.of(i)
        for at in range(len(own) - 2, -1, -1):
            other = newest = last[own[at]]
            while other >= 0:
                groups.join(i, other)
                # They are one chain now; the next history that holds the message needs to meet only one of them.
                before[other], other = -1, before[other]
            if newest >= 0 and messages.of(newest) == own[: at + 1]:
                break  # it goes on from that one, which meets whoever holds what stands in front
    return groups


def _loose(requests: Sequence[Request]) -> Iterator[int]:
    return (i for i, request in enumerate(requests) if request.session is None)


def _first_alike(requests: Sequence[Request], messages: MessageNumbers) -> array[int]:
    """Return, for each request without a session id, the first such that was sent with the same content."""
    import numpy as np

    loose, sent = array("I", _loose(requests)), array("q")
    for i in loose:
        request = requests[i]
        # Of what was sent its hash: many long histories are told apart.
        parts = (request.namespace, request.token_ids, request.block_ids, request.rendered, messages.of(i).tobytes())
        sent.append(hash(parts))
    _, first, place = np.unique(np.frombuffer(sent, np.int64), return_index=True, return_inverse=True)
    return array("I", np.frombuffer(loose, np.uint32)[first[place]].tobytes())

"""Which requests belong to one conversation, so that a private message repeated in a history counts once."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from radixlint.traffic import Message, Request

_INSTRUCTIONS = ("system", "developer")


class Crowd(Struct, frozen=True):
    """Who is behind each request, by position: a conversation number, and a user number or None without user ids.

    ``has_users`` says that the log names users at all.
    """

    conversations: tuple[int, ...]
    users: tuple[int | None, ...]
    has_users: bool


def crowd_of(requests: Sequence[Request]) -> Crowd:
    """Return the conversation and user of each request.

    A conversation is the session id. Without one it is a chain: a request continues another whose newest message
    stands in its history (so also where a window slid or old turns were edited), and equal requests are one
    conversation. Linking too much hides text, linking too little leaks it; this links generously.
    """
    conversations = _chains(requests)
    numbers: dict[tuple[str, str | int], int] = {}
    keys: list[tuple[str, str | int]] = [
        ("session", r.session) if r.session is not None else ("chain", conversations[i]) for i, r in enumerate(requests)
    ]
    users: dict[str, int] = {}
    user_numbers = tuple(None if r.user is None else users.setdefault(r.user, len(users)) for r in requests)
    return Crowd(tuple(numbers.setdefault(key, len(numbers)) for key in keys), user_numbers, bool(users))


def _chains(requests: Sequence[Request]) -> list[int]:
    """Return a chain number for each request (the position of one member)."""
    leaders = list(range(len(requests)))
    loose = [i for i, request in enumerate(requests) if request.session is None]
    newest: dict[Message, list[int]] = {}
    whole: dict[tuple[object, ...], int] = {}
    for i in loose:
        request = requests[i]
        same = whole.setdefault((request.namespace, request.token_ids, request.messages), i)
        _join(leaders, i, same)
        if same == i and request.messages and request.messages[-1].role not in _INSTRUCTIONS:
            newest.setdefault(request.messages[-1], []).append(i)
    for i in loose:
        for message in requests[i].messages[:-1]:
            asked = newest.get(message)
            if asked:
                for other in asked:
                    _join(leaders, i, other)
                # They are one chain now; the next history that holds the message needs to meet only one of them.
                del asked[1:]
    return [_leader(leaders, i) for i in range(len(leaders))]


def _join(leaders: list[int], one: int, other: int) -> None:
    one, other = _leader(leaders, one), _leader(leaders, other)
    leaders[max(one, other)] = min(one, other)


def _leader(leaders: list[int], i: int) -> int:
    while leaders[i] != i:
        leaders[i] = leaders[leaders[i]]
        i = leaders[i]
    return i

"""Histories that only grow: old messages as they were first sent, where the application changed, cut or moved them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from radixlint.rewrites.message_keys import MessageKeys
from radixlint.rewrites.turn_roles import head_length
from radixlint.traffic import Message, Request

_SAME: Final[tuple[Message, ...]] = ()


def append_only(requests: Sequence[Request], chains: Sequence[int]) -> tuple[Request, ...]:
    """Return the requests with the messages that earlier requests of their conversation sent, and behind them their new ones.

    New is what stands behind the last message that was sent before. A request that holds none of the conversation's
    messages, or goes on from one that is not the last, starts its own line. The instructions in front stay. Requests with
    cache marks on messages stay as they are, as do those in which nothing changes.

    Args:
        requests: the log, in the order of sending.
        chains: the conversation number of each request, by position.
    """
    key_of = MessageKeys().of
    lines: dict[int, list[Message]] = {}
    found = []
    for request, chain in zip(requests, chains, strict=True):
        head = head_length(request.messages)
        sent, body = lines.get(chain, []), request.messages[head:]
        places = {key_of(message): at for at, message in enumerate(sent)}
        keys = list(map(key_of, body))
        last = next((at for at in range(len(body) - 1, -1, -1) if keys[at] in places), None)
        whole: Sequence[Message] = body
        if last is not None:
            behind = _new(sent[places[keys[last]] + 1 :], body[last + 1 :])
            whole = body if behind is None else [*sent, *behind] if behind is not _SAME else sent[: places[keys[last]] + 1]
        lines[chain] = list(whole)
        is_kept = tuple(whole) == body or any(mark.message is not None for mark in request.marks)
        found.append(request if is_kept else structs.replace(request, messages=(*request.messages[:head], *whole)))
    return tuple(found)


def _new(sent: Sequence[Message], body: Sequence[Message]) -> Sequence[Message] | None:
    """Return what is new of ``body``, where ``sent`` was sent behind the last message that both have.

    As many messages of the same roles stand for those that were sent, in other words now. None if the request goes on in
    another way, ``_SAME`` if it was sent again as it was.
    """
    if not body:
        return _SAME
    stand_ins = [message.role for message in body[: len(sent)]]
    if len(body) <= len(sent) or stand_ins != [message.role for message in sent]:
        return None
    return body[len(sent) :]

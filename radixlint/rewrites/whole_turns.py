"""Histories that only grow: old messages as they were first sent, where the application changed, cut or moved them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from radixlint.rewrites.turn_roles import head_length
from radixlint.traffic import Message, Request


def append_only(requests: Sequence[Request], chains: Sequence[int]) -> tuple[Request, ...]:
    """Return the requests with the messages that earlier requests of their conversation sent, and behind them their new ones.

    New is what stands behind the last message that was sent before. A request that holds none of the conversation's
    messages, or goes on from one that is not the last, starts its own line. The instructions in front stay. Requests with
    cache marks on messages stay as they are, as do those in which nothing changes.

    Args:
        requests: the log, in the order of sending.
        chains: the conversation number of each request, by position.
    """
    lines: dict[int, list[Message]] = {}
    found = []
    for request, chain in zip(requests, chains, strict=True):
        head = head_length(request.messages)
        sent, body = lines.get(chain, []), request.messages[head:]
        places = {message: at for at, message in enumerate(sent)}
        last = next((at for at in range(len(body) - 1, -1, -1) if body[at] in places), None)
        whole: Sequence[Message] = body
        if last is not None and places[body[last]] >= len(sent) - _open_end(body, last):
            whole = [*sent[: places[body[last]] + 1], *body[last + 1 :]]
        lines[chain] = list(whole)
        is_kept = tuple(whole) == body or any(mark.message is not None for mark in request.marks)
        found.append(request if is_kept else structs.replace(request, messages=(*request.messages[:head], *whole)))
    return tuple(found)


def _open_end(body: Sequence[Message], last: int) -> int:
    """Return how far from the end of what was sent the last known message may be: at the end, or it was sent again as it was."""
    return 1 if last < len(body) - 1 else len(body) + 1

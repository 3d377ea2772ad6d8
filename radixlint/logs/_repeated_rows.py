"""Rows of one call that a logger wrote several times: the same id, time and content; each call counts once."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final

from radixlint.logs._call_tree import merged
from radixlint.traffic import Request

_TOLD: Final = "Repeated rows of one call (same id, time and content) were merged: {:,}."
# No logger writes a call more often; then the id, and perhaps the time, is one for all.
_MOST_ROWS: Final = 16


def merge_repeats(requests: Sequence[Request]) -> tuple[Sequence[Request], tuple[str, ...]]:
    """Return ``requests`` without those that repeat another one, and what there is to say about it.

    An id with different contents at one time is no call's: some loggers give one to all. Without a time there is no telling
    a repeated row from a request that was made again. A row without usage repeats one that has some.
    """
    calls = _rows_by_call(requests)
    repeated = [rows for rows in calls.values() if 1 < len(rows) <= _MOST_ROWS and _is_one([requests[at] for at in rows])]
    if not repeated:
        return requests, ()
    kept: list[Request | None] = list(requests)
    for rows in repeated:
        kept[rows[0]] = functools.reduce(merged, [requests[at] for at in rows])
        for at in rows[1:]:
            kept[at] = None
    calls_once = [request for request in kept if request is not None]
    return calls_once, (_TOLD.format(len(requests) - len(calls_once)),)


def _rows_by_call(requests: Sequence[Request]) -> dict[tuple[str, float], list[int]]:
    """Return the positions of ``requests`` by id and time, as far as their ids repeat: few do in most logs."""
    ids = [request.id for request in requests if request.id is not None]
    if len(set(ids)) == len(ids):
        return {}
    repeated = {id_ for id_, count in Counter(ids).items() if count > 1}
    calls: dict[tuple[str, float], list[int]] = {}
    for position, request in enumerate(requests):
        if request.id in repeated and request.time_s is not None:
            calls.setdefault((request.id, request.time_s), []).append(position)
    return calls


def _is_one(rows: Sequence[Request]) -> bool:
    usages = {row.usage for row in rows if row.usage is not None}
    return len(usages) <= 1 and len(set(map(_content, rows))) == 1


def _content(request: Request) -> Hashable:
    prompt = (request.tools, request.messages, request.rendered, request.token_ids, request.block_ids, request.prompt_tokens)
    return (*prompt, request.session, request.namespace)

"""Rows of one call that a logger wrote several times: the same id, time and content; each call counts once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final

from radixlint.logs._call_tree import merged
from radixlint.traffic import Request, Usage

_TOLD: Final = "Repeated rows of one call (same id, time and content) were merged: {:,}."

_Call = tuple[str, float]


def merge_repeats(requests: Sequence[Request]) -> tuple[Sequence[Request], tuple[str, ...]]:
    """Return ``requests`` without those that repeat another one, and what there is to say about it.

    Ids alone tell nothing, for some loggers give one to all; without a time there is no telling a repeated row from a
    request that was made again. A row without usage repeats one that has some.
    """
    calls = [_call(request) for request in requests]
    counts = Counter(call for call in calls if call is not None)
    if len(counts) == counts.total():
        return requests, ()
    kept: list[Request] = []
    seen: dict[Hashable, dict[Usage | None, int]] = {}
    for call, request in zip(calls, requests, strict=True):
        if call is None or counts[call] == 1:
            kept.append(request)
            continue
        rows = seen.setdefault((call, _content(request)), {})
        position = _same_usage(rows, request.usage)
        if position is None:
            rows[request.usage] = len(kept)
            kept.append(request)
            continue
        kept[position] = merged(kept[position], request)
        rows[kept[position].usage] = position
    repeats = len(requests) - len(kept)
    return kept, (_TOLD.format(repeats),) if repeats else ()


def _call(request: Request) -> _Call | None:
    return None if request.id is None or request.time_s is None else (request.id, request.time_s)


def _content(request: Request) -> Hashable:
    prompt = (request.tools, request.messages, request.rendered, request.token_ids, request.block_ids, request.prompt_tokens)
    return (*prompt, request.session, request.namespace)


def _same_usage(rows: dict[Usage | None, int], usage: Usage | None) -> int | None:
    if usage in rows or not rows:
        return rows.get(usage)
    return next(iter(rows.values())) if usage is None else rows.pop(None, None)

"""The figures of a report for parts of a log."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from radixlint.api.measured_figures import Matches, part
from radixlint.result.groups import ColdStart, Cost, Group, GroupBy, Part, Turns
from radixlint.traffic import Message, Request

_INSTRUCTIONS: Final = ("system", "developer")
_ANSWERS_OF_TOOLS: Final = ("tool", "function")
_VARYING: Final = re.compile(r"[^\s\0]*\d[^\s\0]*")
_CALL_ID: Final = '"tool_call_id"'
_COLD_SHARE: Final = 10
_LEAST_REQUESTS: Final = 2 * _COLD_SHARE
_HASH_BYTES: Final = 4

CostOf = Callable[[Sequence[int]], Cost | None]
Shown = Callable[[str | None], str | None]


def groups(
    requests: Sequence[Request], matches: Matches, by: Sequence[GroupBy], *, shown: Shown, cost: CostOf
) -> tuple[Group, ...]:
    """Return one group a key, for each of ``by`` in turn, the most uncached tokens first.

    ``shown`` makes keys printable, ``cost`` tells what the requests at some positions cost.
    """
    found: list[Group] = []
    for one in dict.fromkeys(by):
        members: dict[str | None, array[int]] = {}
        for position, request in enumerate(requests):
            for key in _keys(request, one):
                members.setdefault(key, array("q")).append(position)
        here = [
            Group(one, shown(key), replace(_part_of(requests, matches, positions), cost=cost(positions)))
            for key, positions in members.items()
        ]
        found += sorted(here, key=lambda group: (-(group.part.uncached_tokens or 0), group.key is None, group.key or ""))
    return tuple(found)


def turns(requests: Sequence[Request], matches: Matches) -> Turns | None:
    """Return the first requests of turns apart from those that go on with the results of tools; None without any of these."""
    first, later = array("q"), array("q")
    for position, request in enumerate(requests):
        if request.messages:
            (first if is_first_of_turn(request) else later).append(position)
    if not later:
        return None
    return Turns(_part_of(requests, matches, first), _part_of(requests, matches, later))


def cold_start(requests: Sequence[Request], matches: Matches) -> ColdStart | None:
    """Return the first tenth of the requests apart from the rest, None for fewer than twenty."""
    if len(requests) < _LEAST_REQUESTS:
        return None
    cut = len(requests) // _COLD_SHARE
    return ColdStart(part(requests[:cut], matches[:cut]), part(requests[cut:], matches[cut:]))


def is_first_of_turn(request: Request) -> bool:
    """Whether the newest message is a person's, not the result of a tool; ``request`` has messages."""
    return not _is_answer_of_tool(request.messages[-1])


def _is_answer_of_tool(message: Message) -> bool:
    # Anthropic and Bedrock put results of tools into a message of the user; the call that it answers is named in it.
    return message.role in _ANSWERS_OF_TOOLS or _CALL_ID in message.extra


def _part_of(requests: Sequence[Request], matches: Matches, positions: Sequence[int]) -> Part:
    return part((requests[i] for i in positions), (matches[i] for i in positions))


def _keys(request: Request, by: GroupBy) -> tuple[str | None, ...]:
    if by is GroupBy.TAG:
        return tuple(dict.fromkeys(request.tags)) or (None,)
    if by is GroupBy.TEMPLATE:
        return (request.template or _head_name(request),)
    return (getattr(request, by.value),)


def _head_name(request: Request) -> str | None:
    """Name a template by its fixed part where the log does not: the tools and the instructions in front.

    Words with a digit (times, ids, counts) are left out, for they differ in requests from one template.
    """
    instructions: list[str] = []
    for message in request.messages:
        if message.role not in _INSTRUCTIONS:
            break
        instructions.append(message.text)
    if not request.tools and not instructions:
        return None
    whole = _VARYING.sub("", "\0".join((*request.tools, "", *instructions))).encode("utf-8", "surrogatepass")
    return f"head {hashlib.blake2b(whole, digest_size=_HASH_BYTES).hexdigest()}"

"""Tools in one order."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Final

from msgspec import structs

from radixlint.traffic import Request

_NAME_HOLDERS: Final = ("function", "custom", "toolSpec")


def sorted_tools(requests: Sequence[Request]) -> tuple[Request, ...]:
    """Return the requests with their tools sorted by name, then by text.

    Cache marks keep their places: one behind the last tool stands behind the last tool again.
    """
    order: dict[tuple[str, ...], tuple[str, ...]] = {}
    name_of = functools.cache(tool_name)
    found = []
    for request in requests:
        tools = order.get(request.tools)
        if tools is None:
            tools = order[request.tools] = tuple(sorted(request.tools, key=lambda tool: (name_of(tool), tool)))
        found.append(request if tools == request.tools else structs.replace(request, tools=tools))
    return tuple(found)


def tool_name(tool: str) -> str:
    """Return the name of a tool given as JSON, empty if it has none."""
    try:
        value = json.loads(tool)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    holder = next((value[key] for key in _NAME_HOLDERS if isinstance(value.get(key), dict)), value)
    return str(holder.get("name", value.get("type", "")))

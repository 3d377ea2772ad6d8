"""One list of tools for all requests of an application, where each request had its own."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from msgspec import structs

from radixlint.rewrites.canonical_tools import tool_name
from radixlint.traffic import Request


def steady_tools(requests: Sequence[Request], clusters: Sequence[int]) -> tuple[Request, ...]:
    """Return the requests with all tools that any request of their cluster has, each as first seen, in that order.

    Tools without a name are told apart by their text. Requests without tools, and those with cache marks behind a tool, stay
    as they are.

    Args:
        requests: the log, in the order of sending.
        clusters: the application of each request, by position.
    """
    name_of = functools.cache(tool_name)
    lists: dict[int, dict[str, str]] = {}
    for request, cluster in zip(requests, clusters, strict=True):
        known = lists.setdefault(cluster, {})
        for tool in request.tools:
            known.setdefault(name_of(tool) or tool, tool)
    steady = {cluster: tuple(known.values()) for cluster, known in lists.items()}
    found = []
    for request, cluster in zip(requests, clusters, strict=True):
        is_kept = not request.tools or request.tools == steady[cluster] or any(mark.tool is not None for mark in request.marks)
        found.append(request if is_kept else structs.replace(request, tools=steady[cluster]))
    return tuple(found)

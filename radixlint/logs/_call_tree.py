"""Calls of a trace, each once: repeated rows are merged, and of a call inside another only the inner one counts.

A tracer often records one call twice, by the framework and by the client below it; the outer one holds a copy of the
prompt and of the usage, or sums over several calls.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.logs._record_settings import joined_settings
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

REPEATED: Final = "Rows that repeat a call were merged with it"
_COPIES: Final = "Calls that contain others hold copies of their usage and were left out"
_MOST_LEVELS: Final = 1000

Node = tuple[str, str]
"""A trace, and a span in it."""


class CallTree:
    """The spans of a run, and the calls among them."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._parents: dict[Node, Node] = {}
        self._calls: dict[Node, Request] = {}
        self._indices: dict[Node, tuple[int, tuple[str, int]]] = {}

    def link(self, node: Node, parent: str | None) -> None:
        """Say where a span, of a call or not, hangs."""
        if parent:
            self._parents[node] = (node[0], parent)

    def reserve(self, node: Node) -> None:
        """Give a call its index, if it has none yet: what there is to say of it may come later."""
        if node not in self._indices:
            self._indices[node] = (self._tally.new_index(), self._tally.place)

    def add(self, node: Node, request: Request) -> None:
        """Keep a call."""
        self.reserve(node)
        known = self._calls.get(node)
        if known is None:
            self._calls[node] = replace(request, index=self._indices[node][0])
            return
        self._tally.note(REPEATED)
        self._calls[node] = merged(known, request)

    def rest(self) -> list[tuple[Node, Request]]:
        """Return the calls that contain no other, with their places in the tree, by index."""
        outer = {above for node in self._calls for above in self._above(node)} & self._calls.keys()
        for node in sorted(outer, key=self._indices.__getitem__):
            self._tally.note(_COPIES, self._indices[node][1])
        inner = [(node, request) for node, request in self._calls.items() if node not in outer]
        return sorted(inner, key=lambda pair: pair[1].index)

    def _above(self, node: Node) -> list[Node]:
        above: list[Node] = []
        while (parent := self._parents.get(node)) is not None and len(above) < _MOST_LEVELS and parent not in above:
            above.append(parent)
            node = parent
        return above


def merged(first: Request, second: Request) -> Request:
    """Return ``first`` with what only ``second`` says of the same call."""
    missing = {
        name: getattr(second, name)
        for name in ("usage", "reply", "model", "namespace", "session", "user", "tenant", "time_s", "host", "template", "tags")
        if not getattr(first, name)
    }
    settings = joined_settings(first.settings, second.settings)
    if settings is not first.settings:
        missing["settings"] = settings
    if not first.has_prompt and second.has_prompt:
        prompt = ("tools", "messages", "marks", "cache_ask", "rendered", "token_ids")
        missing |= {name: getattr(second, name) for name in prompt}
    return replace(first, **missing) if missing else first

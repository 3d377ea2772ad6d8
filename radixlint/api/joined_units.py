"""The texts of one request in wire order, and where two requests part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from radixlint.layout import Layout, WireLayout
from radixlint.prompt import Role
from radixlint.traffic import Message, Request

RENDERED: Final = "rendered"
TOOLS: Final = "tools"
_CALL: Final = "call"
_SPOKEN: Final = {
    Role.SYSTEM: frozenset({"system", "developer"}),
    Role.DEVELOPER: frozenset({"system", "developer"}),
    Role.USER: frozenset({"user"}),
    Role.ASSISTANT: frozenset({"assistant"}),
    Role.TOOL: frozenset({"tool", "function"}),
}


class Unit(NamedTuple):
    """A message, its tool calls, a tool, or a prompt logged as the engine read it; ``message`` is the position of a message."""

    role: str
    text: str
    message: int | None = None

    def may_hold(self, role: Role) -> bool:
        """Whether a template's text of ``role`` may stand here; what has no role stands anywhere but in replies and tools."""
        if self.role == RENDERED:
            return True
        allowed = _SPOKEN.get(role)
        return self.role not in ("assistant", _CALL, TOOLS) if allowed is None else self.role in allowed


class Parting(NamedTuple):
    """Where a request parts from an earlier one: in which unit, behind how many of its characters."""

    unit: int
    offset: int


def units_of(request: Request, layout: Layout) -> list[Unit]:
    """Return the texts of a request; none where it holds ids alone."""
    if request.rendered is not None:
        return [Unit(RENDERED, request.rendered)]
    tools = [Unit(TOOLS, tool) for tool in request.tools]
    each = [list(_said(number, message)) for number, message in enumerate(request.messages)]
    at = 0
    if isinstance(layout, WireLayout):
        if layout.tools_at is None:
            tools = []
        at = layout.tools_at(request.messages) if layout.tools_at is not None and tools else 0
    head, rest = ([unit for units in some for unit in units] for some in (each[:at], each[at:]))
    return [*head, *tools, *rest]


def _said(number: int, message: Message) -> Sequence[Unit]:
    calls = [Unit(_CALL, f"{call.name} {call.arguments}", number) for call in message.tool_calls]
    return (Unit(message.role, message.text, number), *calls)


def parting(own: Sequence[Unit], earlier: Sequence[Unit]) -> Parting:
    """Return where ``own`` stops being the same as ``earlier``; the end of the shorter of the two if they never differ."""
    for number, (one, other) in enumerate(zip(own, earlier, strict=False)):
        if one.role != other.role:
            return Parting(number, 0)
        if one.text != other.text:
            return Parting(number, _shared(one.text, other.text))
    return Parting(min(len(own), len(earlier)), 0)


def _shared(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low

"""The texts of one request in wire order, and where two requests part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def units_of(request: Request, layout: Layout) -> Iterator[Unit]:
    """Yield the texts of a request; none where it holds ids alone. A text is made when it is asked for, for that takes time."""
    if request.rendered is not None:
        yield Unit(RENDERED, request.rendered)
        return
    tools, at = request.tools, 0
    if isinstance(layout, WireLayout):
        tools = () if layout.tools_at is None else tools
        at = layout.tools_at(request.messages) if layout.tools_at is not None and tools else 0
    for number, message in enumerate(request.messages[:at]):
        yield from _said(number, message)
    for tool in tools:
        yield Unit(TOOLS, tool)
    for number, message in enumerate(request.messages[at:], start=at):
        yield from _said(number, message)


def _said(number: int, message: Message) -> Iterator[Unit]:
    yield Unit(message.role, message.text, number)
    for call in message.tool_calls:
        yield Unit(_CALL, f"{call.name} {call.arguments}", number)


def parting(own: Iterable[Unit], earlier: Iterable[Unit]) -> Parting:
    """Return where ``own`` stops being the same as ``earlier``; the end of the shorter of the two if they never differ."""
    number = -1
    for number, (one, other) in enumerate(zip(own, earlier, strict=False)):
        if one.role != other.role:
            return Parting(number, 0)
        if one.text != other.text:
            return Parting(number, _shared(one.text, other.text))
    return Parting(number + 1, 0)


def _shared(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low

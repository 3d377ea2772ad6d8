"""One message of a conversation; its text may be kept in another form."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct, structs


class KeptText(Protocol):
    """A text that is held in another form than as itself."""

    def text(self) -> str:
        """Return the text."""


class ToolCall(Struct, frozen=True, gc=False):
    """A call the assistant made; ``arguments`` is the string exactly as logged."""

    name: str
    arguments: str
    id: str = ""


class Message(Struct, frozen=True, eq=False, gc=False):
    """One message as sent; text parts are joined by a newline, other parts appear as an opaque mark with their hash.

    ``kept`` is its text, or what gives it: read ``text``. ``parts`` are the texts of the content blocks where there are
    several (joined they are the text), else empty. ``extra`` is a compact JSON object of the other fields that a chat
    template may print (``name``, ``tool_call_id``, ``reasoning_content``), empty for none.
    """

    role: str
    kept: str | KeptText
    tool_calls: tuple[ToolCall, ...] = ()
    parts: tuple[str, ...] = ()
    extra: str = ""

    @property
    def text(self) -> str:
        """The text as sent, in whatever form it is kept."""
        kept = self.kept
        return kept if isinstance(kept, str) else kept.text()

    def keep(self, text: KeptText) -> None:
        """Hold the text as ``text`` from now on; it must give the same."""
        structs.force_setattr(self, "kept", text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self is other or (
            (self.role, self.text) == (other.role, other.text)
            and (self.tool_calls, self.parts, self.extra) == (other.tool_calls, other.parts, other.extra)
        )

    def __hash__(self) -> int:
        return hash((self.role, self.text, self.tool_calls, self.extra))

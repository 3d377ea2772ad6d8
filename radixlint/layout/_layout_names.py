"""The layouts known by name, each with the wire order that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.layout._wire_layout import WireLayout
from radixlint.traffic import Message

_INSTRUCTIONS: Final = frozenset(("system", "developer"))


def _first(_: Sequence[Message]) -> int:
    return 0


def _behind_instructions(messages: Sequence[Message]) -> int:
    return next((i for i, message in enumerate(messages) if message.role not in _INSTRUCTIONS), len(messages))


def _before_last_user(messages: Sequence[Message]) -> int:
    return next((i for i in reversed(range(len(messages))) if messages[i].role == "user"), 0)


NAMED: Final = {
    layout.name: layout
    for layout in (
        # Most open chat templates that print tools apart from the system text do so in front of it.
        WireLayout("tools-first", _first),
        # Hidden system text, tools, developer or system, history; breakpoints stand behind content parts.
        WireLayout("openai", _first, cuts_blocks=True),
        # The API's documented tiers: tools, system, messages; breakpoints and look-back count content blocks.
        WireLayout("anthropic", _first, cuts_blocks=True),
        WireLayout("bedrock", _first, cuts_blocks=True),
        # The order is not documented; the request's own order is assumed.
        WireLayout("gemini", _behind_instructions, cuts_blocks=True),
        # Qwen-like templates print the tools at the end of the system turn.
        WireLayout("system-first", _behind_instructions),
        # Mistral-like templates print the tools in front of the last user turn, so they move with each turn.
        WireLayout("tools-before-last-user", _before_last_user),
        # Templates that print no tools.
        WireLayout("messages-only", None),
    )
}

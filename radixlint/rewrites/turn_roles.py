"""Whose a message is: an instruction, a turn of the user, the answer of a tool; and which of these is the newest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.privacy.said_lines import INSTRUCTIONS
from radixlint.traffic import Message

_ANSWERS_OF_TOOLS: Final = frozenset({"tool", "function"})
_SPOKEN_TO: Final = INSTRUCTIONS | {"assistant"}
# Anthropic and Bedrock put results of tools into a message of the user; the call that it answers is named in it.
_CALL_ID: Final = '"tool_call_id"'


def is_spoken(message: Message) -> bool:
    """Whether ``message`` comes from outside: a turn of the user or the answer of a tool."""
    return message.role not in _SPOKEN_TO


def is_user_turn(message: Message) -> bool:
    """Whether a turn of the user begins with ``message``."""
    role = message.role
    return role not in _SPOKEN_TO and role not in _ANSWERS_OF_TOOLS and _CALL_ID not in message.extra


def newest_user_turn(messages: Sequence[Message]) -> int | None:
    """Return the place of the last turn of the user, None if there is none."""
    return next((i for i in range(len(messages) - 1, -1, -1) if is_user_turn(messages[i])), None)


def newest_spoken(messages: Sequence[Message]) -> int | None:
    """Return the place of the last message that comes from outside, None if there is none."""
    return next((i for i in range(len(messages) - 1, -1, -1) if is_spoken(messages[i])), None)


def head_length(messages: Sequence[Message]) -> int:
    """Return how many instructions stand in front."""
    return next((i for i, message in enumerate(messages) if message.role not in INSTRUCTIONS), len(messages))

"""Messages under other names (from and value, human and gpt) to the usual ones."""

from __future__ import annotations

import json
from typing import Final

from msgspec import Raw, Struct

from radixlint.logs._opened_text import elements, opened
from radixlint.logs._record_json import RecordError, decode_value

_ROLE: Final = "role"
_CONTENT: Final = "content"
_USER: Final = "user"
_NO_TEXT: Final = ("", "[", "{", '"')


class MessageShape(Struct, frozen=True):
    """Which keys of a message hold its role and content, which of a part its text, and what roles are called."""

    role_keys: tuple[str, ...] = (_ROLE,)
    content_keys: tuple[str, ...] = (_CONTENT,)
    text_keys: tuple[str, ...] = ()
    roles: dict[str, str] = {}

    @property
    def is_usual(self) -> bool:
        """Whether messages need no change."""
        return self == MessageShape()


def listed_messages(field: Raw) -> Raw:
    """Return the list in ``field``; a plain text is one message of the user.

    A text that begins as JSON does and does not open as a list is no plain one: it is cut, or of another shape.
    """
    field = opened(field)
    text = decode_value(field) if bytes(memoryview(field)[:1]) == b'"' else None
    if not isinstance(text, str) or text.lstrip()[:1] in _NO_TEXT:
        return field
    return Raw(json.dumps([{_ROLE: _USER, _CONTENT: text}]).encode())


def usual_messages(field: Raw, shape: MessageShape) -> Raw:
    """Return the list of messages in ``field`` under the usual names.

    Raises:
        RecordError: ``message not an object``.
    """
    if shape.is_usual:
        return field
    return Raw(json.dumps([_usual(decode_value(one), shape) for one in elements(field)]).encode())


def _usual(message: object, shape: MessageShape) -> dict[str, object]:
    if not isinstance(message, dict):
        raise RecordError("message not an object")
    role_key = next((key for key in shape.role_keys if key in message), _ROLE)
    content_key = next((key for key in shape.content_keys if key in message), _CONTENT)
    role = message.get(role_key)
    content = message.get(content_key)
    if isinstance(content, list) and shape.text_keys:
        content = [_usual_part(part, shape) for part in content]
    rest = {key: value for key, value in message.items() if key not in (role_key, content_key)}
    return {_ROLE: shape.roles.get(role, role) if isinstance(role, str) else role, _CONTENT: content} | rest


def _usual_part(part: object, shape: MessageShape) -> object:
    if not isinstance(part, dict) or isinstance(part.get("text"), str):
        return part
    text = next((part[key] for key in shape.text_keys if isinstance(part.get(key), str)), None)
    return part if text is None else {"type": "text", "text": text}

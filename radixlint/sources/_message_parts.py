"""What a content block of a message holds for the model: text, blocks of its own, its source text, or bytes that are no text."""

from __future__ import annotations

from enum import Enum, auto

from radixlint.prompt import Role
from radixlint.sources._tree import Leaf, Table, Tree

# Blocks whose bytes are no text to the model, by their type and, in Converse and Gemini bodies, by their key.
_OPAQUE_TYPES = frozenset(
    ("image", "image_url", "input_image", "document", "file", "input_file", "input_audio", "audio", "video", "redacted_thinking")
)
_OPAQUE_KEYS = ("image", "document", "video", "audio", "inlineData", "inline_data", "fileData", "file_data")
_RESULT_KEYS = ("toolResult", "functionResponse", "function_response")


class PartKind(Enum):
    """How a block is read."""

    TEXT = auto()
    INNER = auto()
    SOURCE = auto()
    OPAQUE = auto()


def part_of(block: Table, role: Role) -> tuple[PartKind, Tree, Role]:
    """Return how ``block`` of a message of ``role`` is read, what of it, and who speaks there."""
    kind = block.text("type")
    text = block.get("thinking") if kind == "thinking" else block.get("text")
    if isinstance(text, Leaf):
        return PartKind.TEXT, text, role
    if kind == "tool_result":
        return _inner(block.get("content"), block, Role.TOOL)
    for key in _RESULT_KEYS:
        result = block.get(key)
        if isinstance(result, Table):
            content = result.get("content")
            return _inner(content, block, Role.TOOL) if content is not None else (PartKind.SOURCE, result, Role.TOOL)
    for key in ("guardContent", "reasoningContent", "reasoningText", "text", "json"):
        inner = block.get(key)
        if isinstance(inner, Table):
            return (PartKind.SOURCE, inner, role) if key == "json" else part_of(inner, role)
    return _document(block, role, kind)


def _inner(content: Tree | None, block: Table, role: Role) -> tuple[PartKind, Tree, Role]:
    return (PartKind.OPAQUE, block, role) if content is None else (PartKind.INNER, content, role)


def _document(block: Table, role: Role, kind: str | None) -> tuple[PartKind, Tree, Role]:
    """Return the text of a document that is given as text; other files are bytes."""
    held = next((found for key in _OPAQUE_KEYS if isinstance(found := block.get(key), Table)), None)
    source = (held or block).get("source")
    if isinstance(source, Table) and (held is not None or kind == "document"):
        data = source.get("data") if source.text("type") == "text" else source.get("text")
        if isinstance(data, Leaf):
            return PartKind.TEXT, data, role
        content = source.get("content")
        if content is not None:
            return PartKind.INNER, content, role
    is_opaque = held is not None or kind in _OPAQUE_TYPES
    return (PartKind.OPAQUE if is_opaque else PartKind.SOURCE), block, role

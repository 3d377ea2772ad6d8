"""Find request bodies in a document, alone or in the envelopes of batches, and tell which API each is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from radixlint.late_pattern import late_pattern
from radixlint.sources._carried_marks import POINT
from radixlint.sources._conversation import is_message
from radixlint.sources._tree import Leaf, Listing, Table, Tree

_ENVELOPES = ("body", "request", "params")
_LISTS = ("requests", "records")
_MODELS = ("model", "modelId", "model_id")
_CONVERSE = ("toolConfig", "inferenceConfig", "additionalModelRequestFields", "guardrailConfig", "performanceConfig", "modelId")
_RESPONSES = frozenset(
    (
        "instructions",
        "tools",
        "prompt_cache_key",
        "prompt_cache_options",
        "reasoning",
        "max_output_tokens",
        "store",
        "tool_choice",
    )
)
_NOT_ANTHROPIC = frozenset(("response_format", "max_completion_tokens", "frequency_penalty", "functions", "prompt_cache_key"))
# What a file of YAML that is a prompt and no request rarely says.
_SENT = frozenset(
    (
        "max_tokens",
        "max_completion_tokens",
        "reasoning_effort",
        "service_tier",
        "parallel_tool_calls",
        "thinking",
        "tool_choice",
        "response_format",
        "prompt_cache_key",
        "cache_salt",
        "extra_body",
        "user",
    )
)
_CLAUDE = late_pattern(r"claude", re.IGNORECASE)
_DEPTH_MAX = 4
SYSTEM_KEYS = ("systemInstruction", "system_instruction")


class Shape(StrEnum):
    """The API whose form a body has."""

    CHAT = "openai-chat"
    RESPONSES = "openai-responses"
    MESSAGES = "anthropic-messages"
    GEMINI = "gemini"
    CONVERSE = "bedrock-converse"


class Body(Struct, frozen=True):
    """One request body: its mapping, its API, and its model as written there or in the envelope, None if nowhere."""

    tree: Table
    shape: Shape
    model: str | None


def find_bodies(tree: Tree, model: str | None = None, depth: int = 0) -> Iterator[Body]:
    """Yield the bodies of a document in order; none if it is something else."""
    if isinstance(tree, Listing):
        for item in tree.items if depth < _DEPTH_MAX else ():
            yield from find_bodies(item, model, depth + 1)
    if not isinstance(tree, Table):
        return
    named = next((found for key in _MODELS if (found := tree.text(key))), model)
    known = None if named is not None and "{" in named else named
    shape = shape_of(tree, named)
    if shape is not None:
        # A model that is filled in is none that is known.
        yield Body(tree, shape, known)
    elif depth < _DEPTH_MAX:
        held = [tree.get(key) for key in (*_ENVELOPES, *_LISTS)]
        for inner in held:
            if isinstance(inner, Table | Listing):
                yield from find_bodies(inner, named, depth + 1)


def is_sent(body: Body) -> bool:
    """Whether a body is more than a prompt with a model's name: it has cache marks or parameters of a call."""
    return body.shape is not Shape.CHAT or any(key in _SENT or key == "cache_control" for key, _ in body.tree.pairs)


def shape_of(tree: Table, model: str | None) -> Shape | None:
    """Return the API whose form ``tree`` has, None if it is no request body."""
    keys = {key for key, _ in tree.pairs}
    messages = tree.get("messages")
    if messages is None:
        if _is_gemini(tree):
            return Shape.GEMINI
        return Shape.RESPONSES if _is_responses(tree, keys) else None
    if _is_converse(tree, keys):
        return Shape.CONVERSE
    if not isinstance(messages, Listing | Leaf):
        return None
    if model is None and not {"max_tokens", "anthropic_version"} & keys:
        return None
    return Shape.MESSAGES if _is_messages(tree, keys, model) else Shape.CHAT


def _is_gemini(tree: Table) -> bool:
    contents, config = tree.get("contents"), tree.get("config")
    if any(isinstance(item, Table) and item.get("parts") is not None for item in _items(contents)):
        return True
    holders = [tree, *([config] if isinstance(config, Table) else [])]
    has_system = any(holder.get(key) is not None for holder in holders for key in SYSTEM_KEYS)
    return has_system and (contents is not None or tree.get("model") is not None)


def _is_responses(tree: Table, keys: set[str]) -> bool:
    given = tree.get("input")
    if "model" not in keys or not (isinstance(given, Listing) or (isinstance(given, Leaf) and given.is_text)):
        return False
    if isinstance(given, Listing) and given.items:
        # A list of plain strings is a request for embeddings.
        first = given.items[0]
        return isinstance(first, Table) and (first.text("role") is not None or first.text("type") is not None)
    return bool(_RESPONSES & keys)


def _is_converse(tree: Table, keys: set[str]) -> bool:
    if any(key in keys for key in _CONVERSE):
        return True
    system = tree.get("system")
    held = [*_items(system), *(block for message in _items(tree.get("messages")) for block in _blocks(message))]
    return any(isinstance(block, Table) and _is_converse_block(block) for block in held)


def _is_converse_block(block: Table) -> bool:
    """Whether a content block has Converse's form, where the key and no ``type`` says what it is."""
    if block.get("type") is not None:
        return False
    return any(block.get(key) is not None for key in ("text", POINT, "toolUse", "toolResult"))


def _is_messages(tree: Table, keys: set[str], model: str | None) -> bool:
    if "anthropic_version" in keys or ("system" in keys and not keys & _NOT_ANTHROPIC):
        return True
    if not model or not _CLAUDE.search(model) or keys & _NOT_ANTHROPIC:
        return False
    # A gateway takes Claude by a name with a folder, in the form of OpenAI's chat.
    spoken = [message.text("role") for message in _items(tree.get("messages")) if isinstance(message, Table)]
    tools = [tool for tool in _items(tree.get("tools")) if isinstance(tool, Table)]
    is_chat = "system" in spoken or "developer" in spoken or "tool" in spoken or any(t.get("function") is not None for t in tools)
    return not is_chat and "/" not in model


def _items(tree: Tree | None) -> tuple[Tree, ...]:
    return tree.items if isinstance(tree, Listing) else ()


def _blocks(message: Tree) -> tuple[Tree, ...]:
    return _items(message.get("content")) if isinstance(message, Table) and is_message(message) else ()

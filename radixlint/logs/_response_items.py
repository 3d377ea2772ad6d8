"""Items of the Responses API that are no messages: calls, their outputs, reasoning, references."""

from __future__ import annotations

from typing import Final

from radixlint.logs._content_blocks import OPAQUE, Blocks, opaque_mark

_REASONING: Final = "reasoning"
_CALLS: Final = ("function_call", "custom_tool_call", "mcp_call")


def is_item(item: dict[str, object]) -> bool:
    """Whether this is an item with a type in place of a role."""
    type_ = item.get("type")
    return "role" not in item and isinstance(type_, str) and (type_ == _REASONING or "content" not in item)


def add_item(item: dict[str, object], blocks: Blocks) -> str:
    """Read ``item`` into ``blocks`` and return the role that says it.

    Raises:
        RecordError: ``content not text``.
    """
    type_ = item.get("type")
    if type_ in _CALLS:
        blocks.add_call(item)
        return "assistant"
    if type_ == _REASONING:
        _add_reasoning(item, blocks)
        return "assistant"
    if isinstance(type_, str) and type_.endswith("_output") and "output" in item:
        output = item["output"]
        blocks.add_content(output if isinstance(output, str | list) else [output])
        if isinstance(item.get("call_id"), str):
            blocks.fields["tool_call_id"] = item["call_id"]
        return "tool"
    blocks.notes.append(OPAQUE)
    blocks.texts.append(opaque_mark({name: value for name, value in item.items() if name not in ("id", "status")}))
    return "assistant"


def _add_reasoning(item: dict[str, object], blocks: Blocks) -> None:
    told = Blocks()
    for name in ("summary", "content"):
        told.add_content(item.get(name))
    if told.texts:
        blocks.fields[_REASONING] = "\n".join(told.texts)
    elif item.get("encrypted_content") is not None:
        blocks.fields[_REASONING] = opaque_mark(item["encrypted_content"])

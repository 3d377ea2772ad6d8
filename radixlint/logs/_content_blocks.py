"""The content of a message to texts, calls, marks and fields: the blocks of OpenAI, Anthropic and Bedrock alike."""

from __future__ import annotations

import hashlib
from typing import Final

from radixlint.logs._cache_marks import CACHE_POINT, mark_in, mark_ttl_s, without_marks
from radixlint.logs._compact_json import dump_compact
from radixlint.logs._record_json import RecordError
from radixlint.traffic import ToolCall

OPAQUE: Final = "Parts that are not text (images, audio, files) are not tokenized and stand as a mark with their hash"
ODD_CALLS: Final = "Tool calls of an unknown shape were ignored"
# The words of part types, and what people call them.
_KINDS: Final = ("image", "audio", "file", "video", "document", "reference", "reasoning", "thinking", "call")
_CALLS: Final = ("tool_use", "server_tool_use", "mcp_tool_use")
_TEXTS: Final = ("text", "refusal")
_THINKING: Final = "thinking"
_CALL_ID: Final = "tool_call_id"


class Blocks:
    """What the blocks of one message hold; ``marks`` are pairs of a block's position and a time to live.

    Positions count the texts and the calls from 0, in their order; -1 stands for a mark in front of all blocks.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls: list[ToolCall] = []
        self.marks: list[tuple[int, float | None]] = []
        self.fields: dict[str, object] = {}
        self.notes: list[str] = []

    def add_content(self, content: object) -> None:
        """Read a string, one block or a list of blocks.

        Raises:
            RecordError: ``content not text``.
        """
        if content is None:
            return
        if isinstance(content, str):
            self.texts.append(content)
            return
        for block in _listed(content):
            if isinstance(block, dict):
                self._add_block(block)
            elif isinstance(block, str):
                self.texts.append(block)
            else:
                self._add_opaque(block)

    def add_mark(self, holder: dict[str, object]) -> None:
        """Read a mark of ``holder`` as one behind the last block read."""
        mark = mark_in(holder)
        if mark is not None:
            self.marks.append((len(self.texts) + len(self.calls) - 1, mark_ttl_s(mark)))

    def add_call(self, call: object) -> None:
        """Read one call in any of the shapes of the APIs; ``arguments`` stay as logged if they are text."""
        if not isinstance(call, dict):
            self.notes.append(ODD_CALLS)
            return
        function = call.get("function", call.get("custom", call))
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            self.notes.append(ODD_CALLS)
            return
        arguments = function.get("arguments", function.get("input"))
        if not isinstance(arguments, str):
            arguments = "" if arguments is None else dump_compact(arguments)
        id_ = next((call[key] for key in ("call_id", "id", "toolUseId") if isinstance(call.get(key), str)), "")
        self.calls.append(ToolCall(name=function["name"], arguments=arguments, id=id_))

    def _add_block(self, block: dict[str, object]) -> None:
        if CACHE_POINT not in block:
            self._add_part(block)
        self.add_mark(block)

    def _add_part(self, block: dict[str, object]) -> None:
        type_ = block.get("type")
        text = next((block[key] for key in _TEXTS if isinstance(block.get(key), str)), None)
        if text is None and type_ == "text" and isinstance(block.get("value"), str):
            text = block["value"]  # as data sets write it
        if isinstance(text, str):
            self.texts.append(text)
        elif type_ in _CALLS or "toolUse" in block:
            self.add_call(block.get("toolUse", block))
        elif "thinking" in str(type_) or "reasoningContent" in block:
            self._add_thinking(block)
        elif isinstance(inner := block.get("toolResult", block), dict) and isinstance(inner.get("content"), str | list):
            self._add_result(inner)
        elif isinstance(source := block.get("source"), dict) and source.get("type") == "text":
            self.texts.append(str(source.get("data")))
        elif "json" in block:
            self.texts.append(dump_compact(block["json"]))
        else:
            self._add_opaque(block)

    def _add_result(self, result: dict[str, object]) -> None:
        nested = Blocks()
        nested.add_content(result["content"])
        self.texts.append("\n".join(nested.texts))
        self.notes += nested.notes
        self.marks += [(len(self.texts) + len(self.calls) - 1, ttl_s) for _, ttl_s in nested.marks]
        id_ = result.get("tool_use_id", result.get("toolUseId"))
        if isinstance(id_, str):
            before = self.fields.get(_CALL_ID)
            # A template prints one id; a message with several results keeps them all.
            self.fields[_CALL_ID] = id_ if before is None else [*(before if isinstance(before, list) else [before]), id_]

    def _add_thinking(self, block: dict[str, object]) -> None:
        thinking = block.get(_THINKING)
        outer = block.get("reasoningContent")
        inner = outer.get("reasoningText") if isinstance(outer, dict) else None
        if isinstance(inner, dict):
            thinking = inner.get("text")
        text = thinking if isinstance(thinking, str) else opaque_mark(block)
        before = self.fields.get(_THINKING)
        self.fields[_THINKING] = text if before is None else f"{before}\n{text}"

    def _add_opaque(self, block: object) -> None:
        self.notes.append(OPAQUE)
        self.texts.append(opaque_mark(block))


def opaque_mark(block: object) -> str:
    """Return a short text for a block that is no text: its kind and its hash, cache marks left out."""
    is_object = isinstance(block, dict)
    told = f"{block.get('type')} {' '.join(map(str, block))}" if isinstance(block, dict) else ""
    kind = next((kind for kind in _KINDS if kind in told), "part")
    text = without_marks(block) if is_object else dump_compact(block)  # type: ignore[arg-type]  # narrowed by is_object
    return f"<{kind} sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}>"


def _listed(content: object) -> list[object]:
    if isinstance(content, dict):
        return [content]
    if isinstance(content, list):
        return content
    raise RecordError("content not text")

"""Lay out values as a prompt in wire order: texts, content blocks, messages and tools become segments with roles and marks."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.flow.merging_facts import facts_of
from radixlint.flow.sink_table import sink_table
from radixlint.flow.values import (
    Absent,
    Callback,
    Field,
    Instance,
    Listed,
    Mapped,
    Number,
    Part,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import CacheMark, Control, Expression, Role, Segment, Span, Taint

ROLES: Final = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "function": Role.TOOL,
    **{role.value: role for role in Role if role not in (Role.TOOLS, Role.TEXT)},
}
CONTENT_KEYS: Final = ("content", "parts", "text", "output", "input_text")
MARK_KEYS: Final = ("cache_control", "cachePoint", "prompt_cache_breakpoint", "cacheControl", "cache_point")
_OPAQUE: Final = frozenset(
    ("image", "image_url", "input_image", "document", "file", "input_file", "input_audio", "audio", "video")
)
# Of a class of messages, where the text may stand.
_GIVEN: Final = ("content", "0", "template", "text", "prompt", "children")
_DEPTH_MAX: Final = 12
_SEGMENTS_MAX: Final = 5_000

Controls = tuple[Control, ...]


class Layout:
    """Collects segments, marks and the number of content blocks of one prompt."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.marks: list[CacheMark] = []
        self.message = -1
        self.blocks = 0

    def text(self, value: Value, role: Role, controls: Controls = (), depth: int = 0) -> None:
        """Add what a message holds: text, a block, or a list of blocks."""
        if depth > _DEPTH_MAX or len(self.segments) > _SEGMENTS_MAX:
            return
        if isinstance(value, Written):
            for part in value.parts:
                self._add(part, role, controls)
        elif isinstance(value, Unknown):
            self._add(segment_of(value), role, controls)
        elif isinstance(value, Number):
            if value.value is not None:
                self._add(Segment(str(value.value), value.span), role, controls)
        else:
            self._several_texts(value, role, controls, depth)

    def _several_texts(self, value: Value, role: Role, controls: Controls, depth: int) -> None:
        if isinstance(value, Listed):
            self._tainted(value.taints, value.span, role, controls)
            for item in value.parts:
                self.text(item.value, role, controls + item.controls, depth + 1)
        elif isinstance(value, Several):
            for inner, choice in value.choices:
                self.text(choice, role, controls + inner, depth + 1)
        elif isinstance(value, Mapped):
            self._block(value, role, controls, depth)
        elif isinstance(value, Instance):
            self._instance(value, role, controls, depth)

    def messages(self, value: Value, controls: Controls = (), depth: int = 0) -> None:
        """Add a list of messages, one message, or a text, which is a turn of the user."""
        if depth > _DEPTH_MAX:
            return
        if isinstance(value, Listed) and not _is_pair(value):
            self._tainted(value.taints, value.span, Role.TEXT, controls)
            for item in value.parts:
                self.messages(item.value, controls + item.controls, depth + 1)
        elif isinstance(value, Several):
            for inner, choice in value.choices:
                self.messages(choice, controls + inner, depth + 1)
        else:
            self.message += 1
            self._one_message(value, controls, depth)

    def _one_message(self, value: Value, controls: Controls, depth: int) -> None:
        if isinstance(value, Listed):
            speaker, content = value.parts
            word = speaker.value.fixed if isinstance(speaker.value, Written) else None
            self.text(content.value, ROLES.get(word or "", Role.TEXT), controls, depth + 1)
        elif isinstance(value, Mapped):
            start = len(self.segments)
            role = role_in(value)
            held = next((found for key in CONTENT_KEYS if (found := value.get(key)) is not None), None)
            if held is not None:
                self.blocks += not isinstance(held, Listed)
                self.text(held, role, controls, depth + 1)
            for key in ("tool_calls", "function_call", "toolUse", "functionCall"):
                self._leaves(value.get(key), Role.ASSISTANT, controls, depth)
            self._mark(value, start, role)
        else:
            self.text(value, Role.TEXT if isinstance(value, Unknown) else Role.USER, controls, depth + 1)

    def tools(self, value: Value, controls: Controls = (), depth: int = 0) -> None:
        """Add tools, each a message of its own."""
        if depth > _DEPTH_MAX:
            return
        if isinstance(value, Listed):
            self._tainted(value.taints, value.span, Role.TOOLS, controls)
            for item in value.parts:
                self.tools(item.value, controls + item.controls, depth + 1)
        elif isinstance(value, Several):
            for inner, choice in value.choices:
                self.tools(choice, controls + inner, depth + 1)
        else:
            self.message += 1
            self.blocks += 1
            start = len(self.segments)
            self._tainted(getattr(value, "taints", ()), getattr(value, "span", None), Role.TOOLS, controls)
            self._leaves(value, Role.TOOLS, controls, depth)
            if isinstance(value, Mapped):
                self._mark(value, start, Role.TOOLS)

    def _block(self, block: Mapped, role: Role, controls: Controls, depth: int) -> None:
        self.blocks += 1
        start = len(self.segments)
        kind = block.get("type")
        word = kind.fixed if isinstance(kind, Written) else None
        if block.get("role") is not None:
            self.messages(block, controls, depth + 1)
        elif word not in _OPAQUE:
            speaker = Role.TOOL if word in ("tool_result", "function_call_output") else role
            content = next((found for key in (*CONTENT_KEYS, "thinking") if (found := block.get(key)) is not None), None)
            if content is not None:
                self.text(content, speaker, controls, depth + 1)
            else:
                self._leaves(block, speaker, controls, depth)
        self._mark(block, start, role)

    def _instance(self, value: Instance, role: Role, controls: Controls, depth: int) -> None:
        speaker = sink_table().speaker(value.made)
        given = dict(value.given)
        if speaker is Role.TEXT:
            word = given.get("role")
            speaker = ROLES.get((word.fixed or "") if isinstance(word, Written) else "", Role.TEXT)
        name = next((given[key] for key in ("variable_name", "0") if key in given), None)
        if value.made.endswith("MessagesPlaceholder") and isinstance(name, Written) and name.fixed:
            # Messages that are put in under a name.
            self._add(replace(name.parts[0], expression=Expression(name.fixed, (name.fixed,)), offsets=()), role, controls)
            return
        content = next((given[key] for key in (*_GIVEN, "parts") if key in given), None)
        if content is None:
            self._leaves(value, role, controls, depth)
        else:
            self.text(content, speaker if speaker is not None else role, controls, depth + 1)

    def _leaves(self, value: Value | None, role: Role, controls: Controls, depth: int) -> None:
        """Add every text inside of ``value`` in order, keys left out."""
        if value is None or depth > _DEPTH_MAX:
            return
        if isinstance(value, Mapped):
            self._tainted(value.taints, value.span, role, controls)
            for field in value.fields:
                if field.key not in MARK_KEYS:
                    self._leaves(field.value, role, controls + field.controls, depth + 1)
        elif isinstance(value, Listed):
            self._tainted(value.taints, value.span, role, controls)
            for item in value.parts:
                self._leaves(item.value, role, controls + item.controls, depth + 1)
        elif isinstance(value, Instance):
            for _, given in value.given:
                self._leaves(given, role, controls, depth + 1)
        elif not isinstance(value, Callback | Absent):
            self.text(value, role, controls, depth + 1)

    def _add(self, part: Segment, role: Role, controls: Controls) -> None:
        found = (*controls, *part.controls) if controls else part.controls
        self.segments.append(replace(part, role=role, message=max(0, self.message), controls=found))

    def _tainted(self, taints: tuple[Taint, ...], span: Span | None, role: Role, controls: Controls) -> None:
        """Add an empty part that says that the order of what follows is left to chance."""
        if taints:
            place = taints[0].span
            related = (span,) if span is not None and span != place else ()
            self._add(Segment("", place, taints=taints, related=related), role, controls)

    def _mark(self, block: Mapped, start: int, role: Role) -> None:
        field = next((f for f in reversed(block.fields) if f.key in MARK_KEYS), None)
        if field is None or (isinstance(field.value, Number) and field.value.value is None):
            return
        if len(self.segments) == start:
            self.segments.append(Segment("", block.span, role, message=max(0, self.message)))
        ttl = field.value.get("ttl") if isinstance(field.value, Mapped) else None
        word = ttl.fixed if isinstance(ttl, Written) else None
        index = len(self.segments) - 1
        self.marks.append(CacheMark(field.span, index, max(0, self.blocks - 1), word, False, field.key or ""))
        self.segments[index] = replace(self.segments[index], is_breakpoint=True)


def segment_of(value: Unknown) -> Segment:
    """Return an unknown value as a part of a prompt, at its source."""
    facts = value.facts
    related = tuple(place for place in facts.places if place != value.span)
    return Segment(value.text, value.span, expression=facts.of(value.text), related=related, taints=facts.taints)


def role_in(message: Mapped) -> Role:
    """Return who speaks in a message."""
    word = message.get("role") or message.get("type")
    return ROLES.get(word.fixed or "", Role.TEXT) if isinstance(word, Written) else Role.TEXT


def is_message(value: Value) -> bool:
    """Whether a value has the shape of a message."""
    if isinstance(value, Mapped):
        word = value.get("role")
        has_role = word is not None and not (isinstance(word, Written) and word.fixed is not None and word.fixed not in ROLES)
        return has_role and any(value.get(key) is not None for key in (*CONTENT_KEYS, "tool_calls"))
    if isinstance(value, Instance):
        return sink_table().speaker(value.made) is not None
    return isinstance(value, Listed) and _is_pair(value)


def is_messages(value: Value) -> bool:
    """Whether a value is a list with a message in it."""
    return isinstance(value, Listed) and not _is_pair(value) and any(is_message(item.value) for item in value.parts)


def is_tools(value: Value) -> bool:
    """Whether a value is a list with the definition of a tool in it."""
    return isinstance(value, Listed) and any(_is_tool(item) for item in value.parts)


def _is_tool(item: Part) -> bool:
    value = item.value
    if not isinstance(value, Mapped):
        return False
    inner = value.get("function")
    if isinstance(inner, Mapped):
        # A message of the past holds calls of tools, with what they were given.
        return inner.get("name") is not None and inner.get("arguments") is None
    keys = {field.key for field in value.fields if isinstance(field, Field)}
    return "name" in keys and "description" in keys and bool(keys & {"input_schema", "parameters", "inputSchema"})


def _is_pair(value: Listed) -> bool:
    """Whether a list is a role and a text: ``("system", "...")``."""
    if len(value.parts) != 2 or not isinstance(value.parts[0].value, Written):
        return False
    return value.parts[0].value.fixed in ROLES or value.parts[0].value.fixed == "placeholder"


def is_known(value: Value | None) -> bool:
    """Whether a value holds nothing that is not fixed."""
    return value is not None and facts_of(value) == facts_of()

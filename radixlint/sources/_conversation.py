"""Lay out a tree of messages as a prompt in wire order: tools, then system, then messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from radixlint.errors import SourceError
from radixlint.prompt import Role, Segment
from radixlint.sources import Includes
from radixlint.sources._passage import Ground, Passage
from radixlint.sources._placeholders import Style, read_fields
from radixlint.sources._tree import Leaf, Listing, Table, Tree

_ROLES = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "function": Role.TOOL,
    **{role.value: role for role in Role if role not in (Role.TOOLS, Role.TEXT)},
}
# Blocks whose bytes are no text to the model.
_OPAQUE = frozenset(("image", "image_url", "input_image", "document", "file", "input_file", "input_audio", "audio"))
_JINJA = re.compile(r"\{[{%#]")
_BARE = re.compile(r"\{\{.*\}\}", re.DOTALL)


def is_message(tree: Tree) -> bool:
    """Whether ``tree`` looks like a message: a mapping with a role, or a pair of role and text."""
    if isinstance(tree, Table):
        return tree.text("role") is not None
    if isinstance(tree, Listing) and len(tree.items) == 2:
        first = tree.items[0]
        return isinstance(first, Leaf) and first.passage.text in _ROLES
    return False


def is_body(tree: Tree) -> bool:
    """Whether ``tree`` is a request body: messages beside the parameters of a call."""
    return (
        isinstance(tree, Table)
        and isinstance(tree.get("messages"), Listing)
        and (tree.text("model") is not None or tree.get("max_tokens") is not None)
    )


class Conversation:
    """Collects the segments of one prompt."""

    def __init__(self, ground: Ground, includes: Includes, style: Style) -> None:
        self.ground = ground
        self.includes = includes
        self.style = style
        self.segments: list[Segment] = []
        self.notes: list[str] = []
        self.message = -1

    @property
    def has_marks(self) -> bool:
        """Whether any segment ends at an explicit cache mark."""
        return any(segment.is_breakpoint for segment in self.segments)

    def read(self, tree: Tree) -> None:
        """Read a request body, a prompt mapping or a list of messages."""
        if isinstance(tree, Table):
            for key in ("tools", "functions"):
                self._tools(tree.get(key))
            self._system(tree.get("system"))
            self._messages(tree.get("messages"))
            if tree.get("cache_control") is not None and self.segments:
                self._mark(len(self.segments) - 1)
        else:
            self._messages(tree)

    def text(self, passage: Passage, role: Role, style: Style | None = None) -> None:
        """Add text with its placeholders, in the style of the conversation unless another is given."""
        for segment in self._split(passage, style or self.style):
            self.segments.append(replace(segment, role=role, message=max(0, self.message)))

    def _split(self, passage: Passage, style: Style) -> Sequence[Segment]:
        if style is Style.JINJA and _JINJA.search(passage.text):
            from radixlint.sources._jinja_read import read_jinja

            try:
                found = read_jinja(passage, self.includes)
            except SourceError as error:
                self.notes.append(f"line {error.line}: {error.message}; read as text with {{{{name}}}} fields")
                return read_fields(passage, Style.DOUBLE)
            self.notes.extend(note for note in found.notes if note not in self.notes)
            return found.segments
        if style in (Style.NONE, Style.JINJA):
            return [passage.literal(0, len(passage.text))] if passage.text else []
        return read_fields(passage, style)

    def _tools(self, tree: Tree | None) -> None:
        for tool in tree.items if isinstance(tree, Listing) else ():
            self.message += 1
            start = len(self.segments)
            self._source(tool, Role.TOOLS)
            self._mark_if(tool, start, Role.TOOLS)

    def _system(self, tree: Tree | None) -> None:
        if isinstance(tree, Listing):
            for block in tree.items:
                self.message += 1
                self._content(block, Role.SYSTEM)
        elif tree is not None:
            self.message += 1
            self._content(tree, Role.SYSTEM)

    def _messages(self, tree: Tree | None) -> None:
        for message in tree.items if isinstance(tree, Listing) else ():
            self.message += 1
            if isinstance(message, Listing) and is_message(message):
                role, content = message.items
                self._content(content, _role(role))
            elif isinstance(message, Table):
                self._message(message)
            elif isinstance(message, Leaf):
                self._content(message, Role.TEXT)

    def _message(self, message: Table) -> None:
        role = _role(message.get("role"))
        start = len(self.segments)
        content = next((found for key in ("content", "template", "text") if (found := message.get(key)) is not None), None)
        if content is not None:
            self._content(content, role)
        calls = message.get("tool_calls")
        for call in calls.items if isinstance(calls, Listing) else ():
            self._source(call, role)
        self._mark_if(message, start, role)

    def _content(self, tree: Tree, role: Role) -> None:
        if isinstance(tree, Leaf):
            if tree.is_text:
                self.text(tree.passage, role)
        elif isinstance(tree, Listing):
            for block in tree.items:
                self._content(block, role)
        elif _BARE.fullmatch(self.ground.text, tree.start, tree.end):
            # A placeholder that YAML takes for a mapping in braces.
            self.text(Passage(self.ground.text[tree.start : tree.end], self.ground, tree.start), role, Style.JINJA)
        else:
            start = len(self.segments)
            self._part(tree, role)
            self._mark_if(tree, start, role)

    def _part(self, block: Table, role: Role) -> None:
        text, kind = block.get("text"), block.text("type")
        if isinstance(text, Leaf):
            self.text(text.passage, role)
        elif kind == "tool_result":
            content = block.get("content")
            if content is not None:
                self._content(content, Role.TOOL)
        elif kind not in _OPAQUE:
            self._source(block, role)

    def _source(self, tree: Tree, role: Role) -> None:
        """Add the source text of a tool or call; braces in it are syntax, so only ``{{ }}`` placeholders are looked for."""
        passage = Passage(self.ground.text[tree.start : tree.end], self.ground, tree.start)
        is_double = self.style in (Style.JINJA, Style.DOUBLE)
        found = read_fields(passage, Style.DOUBLE) if is_double else (passage.literal(0, len(passage.text)),)
        self.segments.extend(replace(segment, role=role, message=max(0, self.message)) for segment in found)

    def _mark_if(self, block: Tree, start: int, role: Role) -> None:
        """Mark the last segment since ``start`` if ``block`` carries a cache mark."""
        if not isinstance(block, Table) or not isinstance(block.get("cache_control"), Table):
            return
        if len(self.segments) == start:
            span = self.ground.span(block.start, block.end)
            self.segments.append(Segment("", span, role, message=max(0, self.message)))
        self._mark(len(self.segments) - 1)

    def _mark(self, index: int) -> None:
        self.segments[index] = replace(self.segments[index], is_breakpoint=True)


def _role(tree: Tree | None) -> Role:
    return _ROLES.get(tree.passage.text.lower(), Role.TEXT) if isinstance(tree, Leaf) else Role.TEXT

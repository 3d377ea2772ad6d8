"""Lay out a tree of messages as a prompt in wire order: tools, then system, then messages."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, Passage
from radixlint.prompt import CacheMark, Confidence, Role, Segment, Span
from radixlint.sources import Includes
from radixlint.sources._carried_marks import POINT, cut_out, mark_of, mark_start, without_mark
from radixlint.sources._message_parts import PartKind, part_of
from radixlint.sources._placeholders import Style
from radixlint.sources._styled_text import read_styled
from radixlint.sources._tree import Leaf, Listing, Table, Tree

_ROLES = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "function": Role.TOOL,
    **{role.value: role for role in Role if role not in (Role.TOOLS, Role.TEXT)},
}
# A description without these can hold no time, no id and no placeholder.
_TELLING = late_pattern(r"\d|\{")
_IN_SCHEMA = "it stands in the schema of a tool"


def is_message(tree: Tree) -> bool:
    """Whether ``tree`` looks like a message: a mapping with a role, or a pair of role and text."""
    if isinstance(tree, Table):
        return tree.text("role") is not None
    if isinstance(tree, Listing) and len(tree.items) == 2:
        first = tree.items[0]
        return isinstance(first, Leaf) and first.passage.text in _ROLES
    return False


def role_of(tree: Tree | None) -> Role:
    """Return who speaks by the word for a role."""
    return _ROLES.get(tree.passage.text.lower(), Role.TEXT) if isinstance(tree, Leaf) else Role.TEXT


class Conversation:
    """Collects the segments of one prompt, its cache marks, and the number of its content blocks.

    What is no text to the model (images, files) becomes an empty segment, so that its place is known.
    """

    def __init__(self, ground: Ground, includes: Includes, style: Style | str) -> None:
        self.ground = ground
        self.includes = includes
        self.style = style.value if isinstance(style, Style) else style
        self.segments: list[Segment] = []
        self.marks: list[CacheMark] = []
        self.notes: list[str] = []
        self.message = -1
        self.blocks = 0

    @property
    def has_marks(self) -> bool:
        """Whether any segment ends at an explicit cache mark."""
        return bool(self.marks)

    def read(self, tree: Tree) -> None:
        """Read a prompt mapping (tools, system, messages) or a list of messages."""
        if isinstance(tree, Table):
            for key in ("tools", "functions"):
                self.tools(tree.get(key))
            self.system(tree.get("system"))
            self.messages(tree.get("messages"))
            self.automatic_mark(tree)
        else:
            self.messages(tree)

    def text(self, passage: Passage, role: Role) -> None:
        """Add text with its placeholders."""
        for segment in read_styled(passage, self.style, self.includes, self.notes):
            self.segments.append(replace(segment, role=role, message=max(0, self.message)))

    def tools(self, tree: Tree | None) -> None:
        """Add a list of tools, each a message of its own; or what is filled in for it."""
        if isinstance(tree, Leaf) and tree.is_text:
            self.message += 1
            self.text(tree.passage, Role.TOOLS)
        for tool in tree.items if isinstance(tree, Listing) else ():
            if mark_of(tool, (POINT,)):
                self._mark_at(tool, tool)
                continue
            self.message += 1
            self.blocks += 1
            start = len(self.segments)
            self._tool(tool)
            self._mark_if(tool, start, Role.TOOLS)

    def system(self, tree: Tree | None, role: Role = Role.SYSTEM) -> None:
        """Add system text: a string, or blocks, each a message of its own."""
        for block in tree.items if isinstance(tree, Listing) else () if tree is None else (tree,):
            self.message += 1
            self.content(block, role)

    def messages(self, tree: Tree | None) -> None:
        """Add a list of messages; or what is filled in for it."""
        for message in tree.items if isinstance(tree, Listing) else () if tree is None else (tree,):
            self.message += 1
            if isinstance(message, Listing) and is_message(message):
                role, content = message.items
                self.content(content, role_of(role))
            elif isinstance(message, Table):
                self._message(message)
            elif isinstance(message, Leaf):
                self.content(message, Role.TEXT)

    def content(self, tree: Tree, role: Role, *, is_inner: bool = False) -> None:
        """Add what a message holds: a string, a block, or a list of blocks."""
        if isinstance(tree, Leaf):
            if tree.is_text:
                self.blocks += not is_inner
                self.text(tree.passage, role)
        elif isinstance(tree, Listing):
            for block in tree.items:
                self.content(block, role, is_inner=is_inner)
        elif mark_of(tree, (POINT,)):
            self._mark_at(tree, tree)
        else:
            self.blocks += not is_inner
            start = len(self.segments)
            self._part(tree, role)
            self._mark_if(tree, start, role)

    def source(self, tree: Tree, role: Role) -> None:
        """Add the source text of a call; braces in it are syntax, so only ``{{ }}`` placeholders are looked for."""
        self._source(tree.start, tree.end, role, without_mark(self.ground, tree))

    def block(self, tree: Tree, role: Role) -> None:
        """Add a content block that is sent as its source text."""
        self.blocks += 1
        self.source(tree, role)

    def automatic_mark(self, body: Table) -> None:
        """Mark the last block if the body as a whole asks for it."""
        if self.segments and mark_of(body, ("cache_control",)):
            self._mark_at(body, body, is_automatic=True)

    def _message(self, message: Table) -> None:
        role = role_of(message.get("role"))
        start = len(self.segments)
        content = next((found for key in ("content", "template", "text") if (found := message.get(key)) is not None), None)
        if content is not None:
            self.content(content, role)
        calls = message.get("tool_calls")
        for call in calls.items if isinstance(calls, Listing) else ():
            self.block(call, role)
        self._mark_if(message, start, role)

    def _part(self, block: Table, role: Role) -> None:
        kind, tree, speaker = part_of(block, role)
        if kind is PartKind.TEXT and isinstance(tree, Leaf):
            self.text(tree.passage, speaker)
        elif kind is PartKind.INNER:
            self.content(tree, speaker, is_inner=True)
        elif kind is PartKind.SOURCE:
            self.source(tree, speaker)
        else:
            self._empty(self.ground.span(tree.start, tree.end), speaker)

    def _tool(self, tool: Tree) -> None:
        """Add a tool: its descriptions as text, and its schema, where times and ids are examples and defaults."""
        at, cut = tool.start, without_mark(self.ground, tool)
        for leaf in _descriptions(tool):
            start, end = leaf.passage.offset(0), leaf.passage.offset(len(leaf.passage.text))
            # An alias in YAML stands for text at another place.
            if at <= start and end <= tool.end:
                self._source(at, start, Role.TOOLS, cut, _IN_SCHEMA)
                self.text(leaf.passage, Role.TOOLS)
                at = end
        self._source(at, tool.end, Role.TOOLS, cut, _IN_SCHEMA)

    def _source(self, start: int, end: int, role: Role, cut: tuple[int, int], doubt: str = "") -> None:
        """Add source text, without what is to be cut out of it."""
        passage = cut_out(Passage(self.ground.text[start:end], self.ground, start), *cut)
        style = self.style if self.style in ("jinja", "double") else "none"
        found = read_styled(passage, style, self.includes, self.notes) or (passage.literal(0, len(passage.text)),)
        for segment in found:
            is_doubted = bool(doubt) and segment.is_literal
            confidence = Confidence.LOW if is_doubted else segment.confidence
            reason = doubt if is_doubted else ""
            self.segments.append(replace(segment, role=role, message=max(0, self.message), confidence=confidence, reason=reason))

    def _empty(self, span: Span, role: Role) -> None:
        self.segments.append(Segment("", span, role, message=max(0, self.message)))

    def _mark_if(self, block: Tree, start: int, role: Role) -> None:
        """Mark the last segment since ``start`` if ``block`` carries a cache mark."""
        if mark_of(block):
            if len(self.segments) == start:
                self._empty(self.ground.span(block.start, block.end), role)
            self._mark_at(block, block)

    def _mark_at(self, holder: Tree, place: Tree, *, is_automatic: bool = False) -> None:
        """Mark what was read last by the mark that ``holder`` carries."""
        found = mark_of(holder)
        if found is None:
            return
        key, mark = found
        if not self.segments:
            self._empty(self.ground.span(place.start, place.end), Role.TEXT)
        index = len(self.segments) - 1
        span = self.ground.span(mark_start(self.ground, place, key, mark), mark.end)
        ttl = mark.text("ttl") if isinstance(mark, Table) else mark.passage.text
        self.marks.append(CacheMark(span, index, max(0, self.blocks - 1), ttl, is_automatic, key))
        self.segments[index] = replace(self.segments[index], is_breakpoint=True)


def _descriptions(tree: Tree) -> Iterator[Leaf]:
    """Yield every text under a key ``description`` that may hold a value, in the order of the file."""
    if isinstance(tree, Listing):
        for item in tree.items:
            yield from _descriptions(item)
    elif isinstance(tree, Table):
        for key, value in tree.pairs:
            if key == "description" and isinstance(value, Leaf) and value.is_text:
                if _TELLING.search(value.passage.text):
                    yield value
            else:
                yield from _descriptions(value)

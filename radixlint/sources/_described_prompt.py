"""Lay out one prompt of a described format: its parts one after another, each with its role, message and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground
from radixlint.prompt import Cut, Expression, Role, Segment
from radixlint.sources import Includes
from radixlint.sources._described_schema import Book, Format, Part
from radixlint.sources._filed_text import read_filed
from radixlint.sources._placeholders import style_of_leaves
from radixlint.sources._styled_text import read_styled
from radixlint.sources._tree import Leaf, Tree, leaves
from radixlint.sources._tree_paths import found_at, holds, text_at

# A slot named so holds no conversation.
_NO_HISTORY = late_pattern(r"example|shot|demo|document|context", re.IGNORECASE)


class Layout(Struct):
    """What is known while the prompts of one file are laid out."""

    book: Book
    ground: Ground
    includes: Includes
    notes: list[str]

    def segments(self, form: Format, tree: Tree) -> tuple[Segment, ...]:
        """Return the segments of the prompt ``tree`` in wire order."""
        style = self._style(text_at(tree, form.style_at) if form.style_at else None, form.style)
        if style == "auto":
            style = style_of_leaves(leaves(tree)).value
        found: list[Segment] = []
        message, speaker = -1, ""
        for part, item in _in_order(form.parts, tree):
            segments = self._item(part, item, style)
            # Texts without roles of their own make one message.
            message += bool(segments) and (bool(part.role) or part.as_role != speaker)
            speaker = "" if part.role else part.as_role if segments else speaker
            found.extend(replace(segment, message=message + segment.message) for segment in segments)
            message = max([message, *(segment.message for segment in found)])
        return tuple(found)

    def _style(self, word: str | None, default: str) -> str:
        return self.book.styles.get(word, default) if word else default

    def _item(self, part: Part, item: Tree, style: str) -> list[Segment]:
        role = self._role(part, item)
        style = self._style(text_at(item, part.style_at) if part.style_at else None, part.style or style)
        texts = [leaf for path in part.text for leaf in found_at(item, path) if isinstance(leaf, Leaf) and leaf.is_text]
        if part.file:
            found = self._filed(part, item)
        elif texts:
            found = [s for leaf in texts for s in read_styled(leaf.passage, style, self.includes, self.notes)]
        else:
            found = self._slot(part, item)
        return [replace(s, role=role) if s.role is Role.TEXT else s for s in found]

    def _role(self, part: Part, item: Tree) -> Role:
        word = text_at(item, part.role) if part.role else None
        return self.book.roles.get(word, Role(part.as_role)) if word else Role(part.as_role)

    def _slot(self, part: Part, item: Tree) -> list[Segment]:
        name = part.holds or (text_at(item, part.slot) if part.slot else None)
        if not name:
            return []
        text = self.ground.text[item.start : item.end]
        names = (name,) if _NO_HISTORY.search(name) else ("history",)
        filters = (Cut.NEWEST,) if part.is_newest else ()
        return [Segment(text, self.ground.span(item.start, item.end), expression=Expression(name, names, filters=filters))]

    def _filed(self, part: Part, item: Tree) -> list[Segment]:
        name = next((leaf for leaf in found_at(item, part.file) if isinstance(leaf, Leaf)), None)
        return read_filed(name.passage, name.passage.text, self.includes, self.notes) if name else []


def _in_order(parts: list[Part], tree: Tree) -> Iterator[tuple[Part, Tree]]:
    """Yield the items with their parts; items of one list keep its order, whichever part reads them."""
    done: set[str] = set()
    for part in parts:
        if part.each in done:
            continue
        done.add(part.each)
        rivals = [other for other in parts if other.each == part.each]
        for item in found_at(tree, part.each):
            yield from ((rival, item) for rival in rivals if holds(item, rival.only))

"""The tree of a template's tags: text, tags that stand alone, and blocks with their branches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from radixlint.passage import Passage

_DEPTH_MAX = 60


class Verb(Enum):
    """What a tag does to the tree."""

    PRINT = "print"
    RUN = "run"
    OPEN = "open"
    MIDDLE = "middle"
    CLOSE = "close"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Text:
    """Literal text, as a half-open range of the passage."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: its half-open range, its name, and what follows the name; ``trims`` says where it swallows white space."""

    verb: Verb
    start: int
    end: int
    name: str = ""
    content: str = ""
    trims: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class Branch:
    """A part of a block, headed by the opening tag or by one in the middle."""

    tag: Tag
    nodes: list[Node]


@dataclass(frozen=True, slots=True)
class Block:
    """A block with its branches; the first is headed by the opening tag."""

    branches: list[Branch] = field(default_factory=list)

    @property
    def tag(self) -> Tag:
        """The opening tag."""
        return self.branches[0].tag


Node = Text | Tag | Block


def build(passage: Passage, pieces: Iterable[Text | Tag], is_named: bool) -> list[Node]:
    """Return the tree of ``pieces``.

    Args:
        passage: what the pieces were cut from.
        pieces: text and tags in order.
        is_named: whether a closing tag names the block that it closes; else it closes the innermost.

    Raises:
        SourceError: blocks are not closed, closed twice or crossed, or nest more than 60 levels.
    """
    top: list[Node] = []
    stack: list[Block] = []
    into = top
    for piece in pieces:
        if isinstance(piece, Text):
            into.extend((piece,) if piece.start < piece.end else ())
        elif piece.verb is Verb.OPEN:
            if len(stack) >= _DEPTH_MAX:
                raise passage.error("too deeply nested, not checked", piece.start)
            stack.append(Block([Branch(piece, [])]))
            into.append(stack[-1])
            into = stack[-1].branches[-1].nodes
        elif piece.verb is Verb.MIDDLE:
            if not stack:
                raise passage.error(f"'{piece.name}' stands outside of any block", piece.start)
            stack[-1].branches.append(Branch(piece, []))
            into = stack[-1].branches[-1].nodes
        elif piece.verb is Verb.CLOSE:
            _check_close(passage, piece, stack, is_named)
            stack.pop()
            into = stack[-1].branches[-1].nodes if stack else top
        elif piece.verb is not Verb.SKIP:
            into.append(piece)
    if stack:
        raise passage.error(f"'{stack[-1].tag.name}' is opened here and never closed", stack[-1].tag.start)
    return top


def _check_close(passage: Passage, tag: Tag, stack: list[Block], is_named: bool) -> None:
    if not stack:
        raise passage.error(f"'{tag.name}' closes a block that was never opened", tag.start)
    opened = stack[-1].tag
    if is_named and tag.name != opened.name:
        line = passage.place(opened.start)[0]
        raise passage.error(f"'{tag.name}' is closed here, but the open block is '{opened.name}' of line {line}", tag.start)


def pieces_between(text: str, tags: Iterable[Tag], is_line_aware: bool = False) -> list[Text | Tag]:
    """Return the text around ``tags`` and the tags, in order, less the white space that the tags swallow.

    ``is_line_aware`` drops the line of a tag that prints nothing and stands alone on it.
    """
    found: list[Text | Tag] = []
    start = 0
    for tag in tags:
        end, after = tag.start, tag.end
        if is_line_aware and tag.verb is not Verb.PRINT:
            end, after = _alone(text, tag, start)
        if tag.trims[0]:
            end = start + len(text[start:end].rstrip())
        if tag.trims[1]:
            after = _past_space(text, after)
        found.extend((Text(start, max(start, end)), tag))
        start = max(start, after)
    found.append(Text(start, len(text)))
    return found


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _alone(text: str, tag: Tag, start: int) -> tuple[int, int]:
    """Return where text ends before a tag and goes on behind it: at the edges of its line if it is alone there."""
    line = text.rfind("\n", start, tag.start) + 1 or start
    if line == start and start and text[start - 1] != "\n":
        return tag.start, tag.end
    after = tag.end
    while after < len(text) and text[after] in " \t":
        after += 1
    is_alone = not text[line : tag.start].strip(" \t") and (after == len(text) or text[after] == "\n")
    return (line, min(after + 1, len(text))) if is_alone else (tag.start, tag.end)


def checked_end(passage: Passage, end: int, start: int, closer: str) -> int:
    """Return ``end``, where ``closer`` was found.

    Raises:
        SourceError: it was not found (-1): the tag that opens at ``start`` is never closed.
    """
    if end < 0:
        raise passage.error(f"a tag is opened here and never closed: '{closer}' is missing", start)
    return end

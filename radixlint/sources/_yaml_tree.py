"""Parse YAML into a tree that knows the place of every character; no tag is constructed, no alias is followed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

from radixlint.errors import SourceError
from radixlint.sources._passage import Ground
from radixlint.sources._tree import Leaf, Listing, Table, Tree
from radixlint.sources._yaml_scalars import extent, placed

_DEPTH_MAX = 60
LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_TEXT = re.compile(r"(?:~|null|true|false|yes|no|on|off|[-+]?[0-9][0-9_.eE+-]*|)", re.IGNORECASE)


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been met; ``key`` waits for its value."""

    start: int
    is_table: bool
    items: list[Tree] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    pairs: list[tuple[str, Tree]] = field(default_factory=list)
    key: str | None = None


def parse_yaml(ground: Ground) -> tuple[Tree, ...]:
    """Return the documents of a YAML file.

    Raises:
        SourceError: it does not parse, nests more than 60 levels, repeats a key, or uses an alias.
    """
    builder = _Builder(ground)
    try:
        for event in yaml.parse(ground.text, Loader=LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise builder.error(error.problem or error.context or "does not parse", mark.index if mark else 0) from error
    except yaml.YAMLError as error:
        raise builder.error("holds a character that YAML forbids", getattr(error, "position", 0) or 0) from error
    return tuple(builder.documents)


class _Builder:
    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.documents: list[Tree] = []
        self.stack: list[_Open] = []

    def error(self, message: str, at: int) -> SourceError:
        line, column = self.ground.place(min(at, len(self.ground.text)))
        return SourceError(message, line=line, column=column)

    def take(self, event: yaml.Event) -> None:
        start, end = extent(event)
        if isinstance(event, yaml.AliasEvent):
            raise self.error("an alias is used here, which is not followed; write the text out", start)
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(self.stack) >= _DEPTH_MAX:
                raise self.error("too deeply nested, not checked", start)
            self.stack.append(_Open(start, isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, yaml.ScalarEvent):
            passage = placed(self.ground, event)
            is_text = event.style is not None or not _NOT_TEXT.fullmatch(event.value)
            self._add(Leaf(passage, start, end, is_text))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._add(self._closed(self.stack.pop(), end))

    def _closed(self, opened: _Open, end: int) -> Tree:
        # The end of an indented block is met at the next token, so blanks and comments in between are cut off.
        end = opened.start + len(self.ground.text[opened.start : end].rstrip())
        if opened.is_table:
            return Table(tuple(opened.pairs), opened.start, end)
        return Listing(tuple(opened.items), opened.start, end)

    def _add(self, tree: Tree) -> None:
        if not self.stack:
            self.documents.append(tree)
            return
        top = self.stack[-1]
        if not top.is_table:
            top.items.append(tree)
        elif top.key is None:
            top.key = tree.passage.text if isinstance(tree, Leaf) else self.ground.text[tree.start : tree.end]
            if top.key in top.keys:
                first = self.ground.place(top.keys[top.key])[0]
                raise self.error(f"key '{top.key}' is repeated, it stands at line {first} already", tree.start)
            top.keys[top.key] = tree.start
        else:
            top.pairs.append((top.key, tree))
            top.key = None

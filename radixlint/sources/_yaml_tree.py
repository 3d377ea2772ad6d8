"""Parse YAML into a tree that knows the place of every character; no tag is constructed, aliases share what they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

import yaml
from msgspec import Struct, field

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground
from radixlint.sources._tree import Leaf, Listing, Table, Tree, slot_at
from radixlint.sources._yaml_scalars import extent, placed

_DEPTH_MAX = 60
# What all aliases together may repeat, in values: a bomb of nested aliases stands for billions.
_REPEATED_MAX = 100_000
_MERGE = "<<"
LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_TEXT = late_pattern(r"(?:~|null|true|false|yes|no|on|off|[-+]?[0-9][0-9_.eE+-]*|)", re.IGNORECASE)


class _Open(Struct):
    """A list or mapping whose end has not been met; ``key`` waits for its value."""

    start: int
    is_table: bool
    items: list[Tree] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    pairs: list[tuple[str, Tree]] = field(default_factory=list)
    key: str | None = None
    anchor: str | None = None
    size: int = 1
    height: int = 1


class _Anchored(Struct, frozen=True):
    """What an anchor names, the values in it, and how deep they nest."""

    tree: Tree
    size: int
    height: int


def parse_yaml(ground: Ground, *, is_template: bool = False) -> tuple[Tree, ...]:
    """Return the documents of a YAML file; in a template one key may stand in several branches, of which the last counts.

    Raises:
        SourceError: it does not parse, nests more than 60 levels, repeats a key, or its aliases repeat too much.
    """
    builder = _Builder(ground, is_template)
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
    def __init__(self, ground: Ground, is_template: bool) -> None:
        self.ground = ground
        self.is_template = is_template
        self.documents: list[Tree] = []
        self.stack: list[_Open] = []
        self.anchors: dict[str, _Anchored] = {}
        self.left = _REPEATED_MAX

    def error(self, message: str, at: int) -> SourceError:
        line, column = self.ground.place(min(at, len(self.ground.text)))
        return SourceError(message, line=line, column=column)

    def take(self, event: yaml.Event) -> None:
        step = self.steps.get(type(event))
        if step is not None:
            step(self, event)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        passage = placed(self.ground, event)
        # libyaml gives a plain scalar an empty style, the pure parser none.
        is_text = bool(event.style) or not _NOT_TEXT.fullmatch(event.value)
        start, end = extent(event)
        self._keep(event.anchor, Leaf(passage, start, end, is_text), 1, 0)

    def _start(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent) -> None:
        start, _ = extent(event)
        if len(self.stack) >= _DEPTH_MAX:
            raise self.error("too deeply nested, not checked", start)
        self.stack.append(_Open(start, isinstance(event, yaml.MappingStartEvent), anchor=event.anchor))

    def _end(self, event: yaml.Event) -> None:
        opened = self.stack.pop()
        self._keep(opened.anchor, self._closed(opened, extent(event)[1]), opened.size, opened.height)

    def _document(self, _event: yaml.Event) -> None:
        self.anchors.clear()

    def _alias(self, event: yaml.AliasEvent) -> None:
        name, (start, _) = event.anchor or "", extent(event)
        found = self.anchors.get(name)
        if found is None:
            raise self.error(f"alias '{name}' stands for nothing ahead of it", start)
        self.left -= found.size
        if self.left < 0:
            raise self.error("aliases repeat too much here, not checked", start)
        if len(self.stack) + found.height > _DEPTH_MAX:
            raise self.error("too deeply nested by aliases, not checked", start)
        self._add(found.tree, start, found.size, found.height)

    def _keep(self, anchor: str | None, tree: Tree, size: int, height: int) -> None:
        if anchor is not None:
            self.anchors[anchor] = _Anchored(tree, size, height)
        self._add(tree, tree.start, size, height)

    def _closed(self, opened: _Open, end: int) -> Tree:
        # The end of an indented block is met at the next token, so blanks and comments in between are cut off.
        end = opened.start + len(self.ground.text[opened.start : end].rstrip())
        if opened.is_table:
            # A placeholder without quotes is a mapping in braces to YAML.
            slot = slot_at(self.ground, opened.start) if self.stack else None
            if slot is not None and slot.end == end:
                return slot
            return Table(_merged(opened.pairs), opened.start, end)
        return Listing(tuple(opened.items), opened.start, end)

    def _add(self, tree: Tree, start: int, size: int, height: int) -> None:
        if not self.stack:
            self.documents.append(tree)
            return
        top = self.stack[-1]
        top.size += size
        top.height = max(top.height, height + 1)
        if not top.is_table:
            top.items.append(tree)
        elif top.key is None:
            top.key = tree.passage.text if isinstance(tree, Leaf) else self.ground.text[tree.start : tree.end]
            if top.key in top.keys and top.key != _MERGE and not self.is_template:
                first = self.ground.place(top.keys[top.key])[0]
                raise self.error(f"key '{top.key}' is repeated, it stands at line {first} already", start)
            top.keys[top.key] = start
        else:
            top.pairs.append((top.key, tree))
            top.key = None

    steps: ClassVar[dict[type[yaml.Event], Callable[[_Builder, Any], None]]] = {
        yaml.ScalarEvent: _scalar,
        yaml.MappingStartEvent: _start,
        yaml.SequenceStartEvent: _start,
        yaml.MappingEndEvent: _end,
        yaml.SequenceEndEvent: _end,
        yaml.AliasEvent: _alias,
        yaml.DocumentStartEvent: _document,
    }


def _merged(pairs: list[tuple[str, Tree]]) -> tuple[tuple[str, Tree], ...]:
    """Return the pairs of a mapping with those of ``<<`` ahead, where the mapping does not give the key itself."""
    if all(key != _MERGE for key, _ in pairs):
        return tuple(pairs)
    own = dict(pairs)
    given: dict[str, Tree] = {}
    for key, value in pairs:
        for table in value.items if isinstance(value, Listing) else (value,):
            for name, given_value in table.pairs if key == _MERGE and isinstance(table, Table) else ():
                given.setdefault(name, given_value)
    return (*((key, value) for key, value in given.items() if key not in own), *(p for p in pairs if p[0] != _MERGE))

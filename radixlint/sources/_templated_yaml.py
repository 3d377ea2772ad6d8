"""YAML or JSON that holds the tags of a template: tags outside of texts are taken out, and what prints stands for a plain text.

Nothing is rendered: the tree has what the file says under every condition, once an item of every loop. ``with_tags`` says of
each segment afterwards which loops and conditions stand around it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, Passage, whole
from radixlint.prompt import Prompt, Segment, SourceText
from radixlint.sources import Includes
from radixlint.sources._tree import Leaf, Listing, Table, Tree, slot_at

_TAG: Final = late_pattern(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
# Go's actions, as in charts for Kubernetes, are no text for a model.
_GO: Final = late_pattern(r"\{\{-?\s*(?:[.$]|/\*|(?:if|range|with|end|else|define|include|template|toYaml)\b)|\$\{\{")
_ONLY_TAGS: Final = late_pattern(r"[ \t]*(?:\{%[^\n]*?%\}|\{#[^\n]*?#\})(?:[ \t]*(?:\{%[^\n]*?%\}|\{#[^\n]*?#\}))*[ \t]*$")
_BLOCK: Final = late_pattern(r"(?:^|[:\-]\s)[^\n\"']*?[|>][-+0-9]*[ \t]*$")
_STRING_OR_BLOCK: Final = late_pattern(r'(?P<text>"(?:[^"\\\n]|\\.)*+")|\{%[^\n]*?%\}|\{#[^\n]*?#\}')
_STRING_OR_COMMA: Final = late_pattern(r'(?P<text>"(?:[^"\\\n]|\\.)*+")|,(?=\s*,)')
# Within a tag these are no syntax of YAML; characters of private use stand for them while it is parsed.
_SYNTAX: Final = "{}%#:,[]&*!|>'\"`"
_STAND_INS: Final = "".join(chr(0xE800 + at) for at in range(len(_SYNTAX)))
_MASK: Final = str.maketrans(_SYNTAX, _STAND_INS)
_UNMASK: Final = str.maketrans(_STAND_INS, _SYNTAX)


def is_templated(source: SourceText) -> bool:
    """Whether a file that does not parse may be a template: of JSON, whose reader knows placeholders, only one with blocks."""
    text = source.text
    if _is_json(source.path) and "{%" not in text:
        return False
    return ("{%" in text or "{{" in text) and not _GO.search(text) and not any(stand_in in text for stand_in in _STAND_INS)


def parse_templated(ground: Ground) -> tuple[Tree, ...]:
    """Return the documents of a template of YAML, or of JSON, which is YAML but for the last comma that a loop leaves.

    Raises:
        SourceError: it does not parse even so.
    """
    from radixlint.sources._yaml_tree import parse_yaml

    bare = _without_blocks(ground.text) if _is_json(ground.path) else _without_tag_lines(ground.text)
    masked = Ground(SourceText(ground.path, _masked(bare)))
    return tuple(_unmasked(tree, ground) for tree in parse_yaml(masked, is_template=True))


def _is_json(path: str) -> bool:
    return path.lower().endswith(".json")


def _without_blocks(text: str) -> str:
    """Return JSON with blanks for its blocks, and for commas of which only one is printed."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found["text"] else " " * len(found[0])

    return _STRING_OR_COMMA.sub(blank, _STRING_OR_BLOCK.sub(blank, text))


def _without_tag_lines(text: str) -> str:
    """Return ``text`` with blanks for lines of tags alone; within a block of text they are part of it."""
    found: list[str] = []
    depth: int | None = None
    for line in text.split("\n"):
        lead = len(line) - len(line.lstrip(" "))
        if depth is not None and line.strip() and lead <= depth:
            depth = None
        if depth is None:
            line = " " * len(line) if _ONLY_TAGS.match(line) else line
            depth = lead if _BLOCK.search(line) else None
        found.append(line)
    return "\n".join(found)


def _masked(text: str) -> str:
    return _TAG.sub(lambda tag: tag[0].translate(_MASK), text)


def _unmasked(tree: Tree, ground: Ground) -> Tree:
    """Return ``tree`` with the text of ``ground`` in it; no character has moved."""
    if isinstance(tree, Leaf):
        slot = slot_at(ground, tree.start)
        if slot is not None and slot.end == tree.end:
            return slot
        text = tree.passage.text.translate(_UNMASK)
        return replace(tree, passage=Passage(text, ground, tree.passage.base, tree.passage.table))
    if isinstance(tree, Listing):
        return replace(tree, items=tuple(_unmasked(item, ground) for item in tree.items))
    return Table(tuple((key.translate(_UNMASK), _unmasked(value, ground)) for key, value in tree.pairs), tree.start, tree.end)


def with_tags(prompts: tuple[Prompt, ...], source: SourceText, includes: Includes) -> tuple[Prompt, ...]:
    """Return ``prompts`` with the loops and conditions that stand around their segments in the file as a whole."""
    from radixlint.sources._jinja_read import read_jinja

    try:
        read = read_jinja(whole(source), includes)
    except SourceError:
        return prompts
    known = sorted((s for s in read.segments if s.span.path == source.path), key=_start)
    starts = [_start(segment) for segment in known]

    def told(segment: Segment) -> Segment:
        at = bisect_right(starts, _start(segment)) - 1
        if at < 0 or segment.span.path != source.path:
            return segment
        around = known[at]
        if segment.expression is not None and starts[at] == _start(segment) and around.expression is not None:
            return replace(segment, expression=around.expression, controls=around.controls)
        return segment if segment.controls else replace(segment, controls=around.controls)

    return tuple(replace(prompt, segments=tuple(map(told, prompt.segments)), is_rendered=False) for prompt in prompts)


def _start(segment: Segment) -> tuple[int, int]:
    return segment.span.line, segment.span.column

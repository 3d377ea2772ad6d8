"""Cut a Liquid template into text and tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.sources._tag_tree import Node, Tag, Verb, build, checked_end, pieces_between

_OPENING = frozenset(
    ("if", "unless", "case", "for", "tablerow", "capture", "block", "form", "paginate", "ifchanged", "layout_block")
)
_MIDDLE = frozenset(("else", "elsif", "elseif", "when"))
_RUN = frozenset(("assign", "render", "include", "echo", "increment", "decrement", "cycle", "section", "sections"))
_SILENT = frozenset(("break", "continue", "layout", "#", "liquid"))
_WORD = late_pattern(r"\s*(#|[A-Za-z_]\w*)")
_END_WITHIN = {word: late_pattern(rf"\{{%-?\s*end{word}\s*-?%\}}") for word in ("raw", "comment", "doc")}


def parse_liquid(passage: Passage) -> tuple[list[Node], tuple[str, ...]]:
    """Return the tree of a template, and a note on each unknown tag.

    Raises:
        SourceError: a tag or block is not closed, or blocks cross or nest too deeply.
    """
    unknown: dict[str, None] = {}
    tags = pieces_between(passage.text, _tags(passage, unknown))
    notes = tuple(f"unknown tag '{name}', its content is read as if the tag were not there" for name in unknown)
    return build(passage, tags, is_named=True), notes


def _tags(passage: Passage, unknown: dict[str, None]) -> Iterator[Tag]:
    text, at = passage.text, 0
    opener = re.compile(r"\{\{|\{%")
    while (found := opener.search(text, at)) is not None:
        start, shut = found.start(), "}}" if found[0] == "{{" else "%}"
        end = checked_end(passage, text.find(shut, start + 2), start, shut)
        inner = text[start + 2 : end]
        trims = (inner.startswith("-"), inner.endswith("-") and len(inner) > 1)
        inner = inner[trims[0] : len(inner) - trims[1]]
        at = end + 2
        if shut == "}}":
            yield Tag(Verb.PRINT, start, at, "", inner, trims)
            continue
        tag = _statement(start, at, inner, trims, unknown)
        within = _END_WITHIN.get(tag.name)
        if within is None:
            yield tag
            continue
        last = within.search(text, at)
        if last is None:
            raise passage.error(f"'{tag.name}' is opened here and never closed", start)
        is_text = tag.name == "raw"
        yield Tag(Verb.SKIP, start, at if is_text else last.end())
        if is_text:
            yield Tag(Verb.SKIP, last.start(), last.end())
        at = last.end()


def _statement(start: int, end: int, inner: str, trims: tuple[bool, bool], unknown: dict[str, None]) -> Tag:
    word = _WORD.match(inner)
    name = word[1] if word is not None else ""
    content = inner[word.end() :] if word is not None else inner
    if name in _OPENING:
        verb = Verb.OPEN
    elif name in _MIDDLE:
        verb = Verb.MIDDLE
    elif name.startswith("end") and name[3:] in _OPENING:
        verb, name = Verb.CLOSE, name[3:]
    else:
        verb = Verb.RUN if name in _RUN else Verb.SKIP
        if verb is Verb.SKIP and name not in _SILENT and name not in _END_WITHIN and not name.startswith("end"):
            unknown[name] = None
    return Tag(verb, start, end, name, content, trims)

"""Cut a Go template into text and tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.sources._tag_tree import Node, Tag, Verb, build, pieces_between

# Strings may hold the closing braces, so a tag ends at the first ones outside of a string.
_TAG = late_pattern(r"""\{\{(?:[^"'`}]++|"(?:[^"\\\n]|\\.)*+"|`[^`]*+`|'(?:[^'\\\n]|\\.)*+'|\}(?!\}))*+\}\}""")
_COMMENT = late_pattern(r"\{\{(?:-\s)?\s*/\*.*?\*/\s*(?:\s-)?\}\}", re.DOTALL)
_WORD = late_pattern(r"\s*([a-z]+)\b")
_ASSIGNS = late_pattern(r"\s*\$\w*\s*:?=(?!=)")
_OPENING = frozenset(("if", "range", "with", "define", "block"))
_SILENT = frozenset(("break", "continue", "return"))


def parse_go(passage: Passage) -> list[Node]:
    """Return the tree of a template.

    Raises:
        SourceError: a tag or block is not closed, or blocks nest too deeply.
    """
    return build(passage, pieces_between(passage.text, _tags(passage)), is_named=False)


def _tags(passage: Passage) -> Iterator[Tag]:
    text, at = passage.text, 0
    while (start := text.find("{{", at)) >= 0:
        found = _COMMENT.match(text, start) if "/*" in text[start : start + 6] else _TAG.match(text, start)
        if found is None:
            raise passage.error("a tag is opened here and never closed", start)
        at = found.end()
        yield _tag(found, start)


def _tag(found: re.Match[str], start: int) -> Tag:
    inner = found[0][2:-2]
    trims = (bool(re.match(r"-\s", inner)), bool(re.search(r"\s-$", inner)))
    inner = inner[trims[0] : len(inner) - trims[1]]
    verb, name = _told(inner)
    content = re.sub(r"^\s*" + name + r"\b" if name.isalpha() else "", "", inner, count=1) if verb is not Verb.SKIP else ""
    return Tag(verb, start, found.end(), name, content, trims)


def _told(inner: str) -> tuple[Verb, str]:
    if inner.lstrip().startswith("/*"):
        return Verb.SKIP, ""
    if _ASSIGNS.match(inner):
        return Verb.RUN, "="
    match = _WORD.match(inner)
    word = match[1] if match is not None else ""
    if word in _OPENING:
        return Verb.OPEN, word
    if word in _SILENT:
        return Verb.SKIP, ""
    known = {"else": Verb.MIDDLE, "end": Verb.CLOSE, "template": Verb.RUN, "include": Verb.RUN}
    # A pipe behind an include changes what it prints, so it is read as a value there.
    return (known[word], word) if word in known and not (word == "include" and "|" in inner) else (Verb.PRINT, "")

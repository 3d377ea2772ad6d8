"""Cut a Handlebars or Mustache template into text and tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.sources._tag_tree import Node, Tag, Verb, build, checked_end, pieces_between

_NAME = late_pattern(r"\s*([^\s}|()]+)")
_ELSE = late_pattern(r"else\b(?!\s*=)|\^\s*$")
_DELIMITERS = late_pattern(r"=\s*([^\s=]+)\s+([^\s=]+)\s*=")
_RAW = late_pattern(r"\{\{\{\{\s*+([^\s{}/]++)[^}]*+\}\}\}\}")


def parse_handlebars(passage: Passage) -> list[Node]:
    """Return the tree of a template.

    Raises:
        SourceError: a tag or block is not closed, or blocks cross or nest too deeply.
    """
    return build(passage, pieces_between(passage.text, _tags(passage), is_line_aware=True), is_named=True)


def _tags(passage: Passage) -> Iterator[Tag]:
    text, opener, closer, at = passage.text, "{{", "}}", 0
    while (start := text.find(opener, at)) >= 0:
        if opener == "{{" and start and text[start - 1] == "\\" and not text.endswith("\\\\", 0, start):
            yield Tag(Verb.SKIP, start - 1, start)
            at = start + 2
            continue
        raw = _RAW.match(text, start) if opener == "{{" else None
        if raw is not None:
            shut = "{{{{/" + raw[1] + "}}}}"
            end = checked_end(passage, text.find(shut, raw.end()), start, shut)
            yield Tag(Verb.SKIP, start, raw.end())
            yield Tag(Verb.SKIP, end, end + len(shut))
            at = end + len(shut)
            continue
        tag = _tag(passage, start, opener, closer)
        at = tag.end
        given = _DELIMITERS.fullmatch(text, start + len(opener), tag.end - len(closer))
        if given is not None:
            opener, closer = given[1], given[2]
        yield tag


def _tag(passage: Passage, start: int, opener: str, closer: str) -> Tag:
    text, at = passage.text, start + len(opener)
    left = text.startswith("~", at)
    at += left
    sign = text[at : at + 1]
    shut = closer
    if sign == "!" and text.startswith("--", at + 1):
        return _long_comment(passage, start, at + 3, closer, left)
    if sign == "{":
        shut = "}" + closer
    end = checked_end(passage, text.find(shut, at + 1), start, shut)
    inner_end = end - 1 if text[end - 1] == "~" and sign != "!" else end
    verb, name, content = _told(text[at:inner_end])
    return Tag(verb, start, end + len(shut), name, content, (left, inner_end < end))


def _long_comment(passage: Passage, start: int, at: int, closer: str, left: bool) -> Tag:
    """Read a comment that may hold tags."""
    shut = re.compile(f"--(~?){re.escape(closer)}").search(passage.text, at)
    if shut is None:
        raise passage.error(f"a comment is opened here and never closed: '--{closer}' is missing", start)
    return Tag(Verb.SKIP, start, shut.end(), "!", "", (left, bool(shut[1])))


def _told(inner: str) -> tuple[Verb, str, str]:
    """Return what the inside of a tag says: verb, name, and what follows the name."""
    sign, rest = inner[:1], inner[1:]
    if sign in ("!", "="):
        return Verb.SKIP, sign, ""
    if _ELSE.match(inner.strip()):
        return Verb.MIDDLE, "else", inner.strip()[4:].strip()
    if sign in ("#", "^"):
        is_decorated = rest[:1] in ("*", ">")
        prefix, rest = (rest[0], rest[1:]) if is_decorated else ("", rest)
        name = _NAME.match(rest)
        word = name[1] if name is not None else ""
        content = rest[name.end() :] if name is not None else rest
        return Verb.OPEN, word, f"{sign}{prefix}{content}"
    if sign == "/":
        return Verb.CLOSE, rest.strip(), ""
    if sign == ">":
        return Verb.RUN, ">", rest
    return Verb.PRINT, "", rest if sign in ("{", "&") else inner


def is_handlebars(text: str) -> bool:
    """Whether ``text`` holds a block, partial, comment or raw value of Handlebars."""
    return re.search(r"\{\{~?\s*[#/^>!&]|\{\{\{", text) is not None

"""Read a text with placeholders in a named style; what a template engine would refuse is read with plain fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.prompt import Expression, Segment
from radixlint.sources import Includes
from radixlint.sources._placeholders import Style, read_fields

STYLES = frozenset(("auto", "none", "jinja", "single", "double", "dify", "sk", "dollar", "handlebars"))
"""``auto`` is told from the texts of a prompt; ``dify`` is ``{{#node.name#}}``, ``sk`` ``{{$name}}``, ``dollar`` ``${name}``."""

_TAG = late_pattern(r"\{[{%#]")
_ONE_VALUE = late_pattern(r"\{\{\{?[^{}%#/!>]+\}?\}\}")
_NAME = late_pattern(r"[^\W\d][\w.]*")
_DIFY = late_pattern(r"\{\{#(?P<path>[\w.-]+)#\}\}|\{\{(?P<name>[^\W\d]\w*)\}\}")
_DOLLAR = late_pattern(r"(?<!\$)\$\{(?P<name>[^\W\d][\w.]*)\}")


def read_styled(passage: Passage, style: str, includes: Includes, notes: list[str]) -> Sequence[Segment]:
    """Return the segments of ``passage``; what could not be followed is added to ``notes``, once."""
    if style in ("jinja", "handlebars"):
        return _engine(passage, style, includes, notes)
    if style in ("single", "double"):
        return read_fields(passage, Style(style))
    if style == "sk":
        from radixlint.sources._kernel_text import read_kernel

        return read_kernel(passage)
    known = {"dify": (_DIFY, _dify), "dollar": (_DOLLAR, _dollar)}.get(style)
    if known is None:
        return [passage.literal(0, len(passage.text))] if passage.text else []
    return _by_pattern(passage, *known)


def _engine(passage: Passage, style: str, includes: Includes, notes: list[str]) -> Sequence[Segment]:
    if not _TAG.search(passage.text):
        return [passage.literal(0, len(passage.text))] if passage.text else []
    try:
        found, told = _read_engine(passage, style, includes)
    except SourceError as error:
        notes.append(f"line {error.line}: {error.message}; read as text with {{{{name}}}} fields")
        return _whole_value(passage) or read_fields(passage, Style.DOUBLE)
    notes.extend(note for note in told if note not in notes)
    return found


def _whole_value(passage: Passage) -> Sequence[Segment]:
    """Return a text that is one tag and no more as a value of the names in it, whichever engine would read it."""
    if not _ONE_VALUE.fullmatch(passage.text):
        return ()
    names = tuple(dict.fromkeys(_NAME.findall(passage.text)))
    expression = Expression(passage.text.strip("{} \t\n"), names)
    return (Segment(passage.text, passage.span(0, len(passage.text)), expression=expression),)


def _read_engine(passage: Passage, style: str, includes: Includes) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    if style == "handlebars":
        from radixlint.sources._handlebars_read import read_handlebars

        return read_handlebars(passage, includes)
    from radixlint.sources._jinja_read import read_jinja

    read = read_jinja(passage, includes)
    return read.segments, read.notes


def _by_pattern(passage: Passage, pattern: re.Pattern[str], value: Callable[[re.Match[str]], Expression]) -> list[Segment]:
    segments: list[Segment] = []
    at = 0
    for match in pattern.finditer(passage.text):
        if match.start() > at:
            segments.append(passage.literal(at, match.start()))
        segments.append(Segment(match.group(), passage.span(*match.span()), expression=value(match)))
        at = match.end()
    if at < len(passage.text):
        segments.append(passage.literal(at, len(passage.text)))
    return segments


def _dify(match: re.Match[str]) -> Expression:
    path = match["path"] or match["name"]
    # Nodes have numbers for names, which say nothing; what a node gives is named behind it.
    words = [word for word in path.split(".") if not word.isdigit()]
    return Expression(path, (".".join(words) or path,))


def _dollar(match: re.Match[str]) -> Expression:
    return Expression(match["name"], (match["name"],))

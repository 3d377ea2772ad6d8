"""Find placeholders in text: ``{name}`` fields of ``str.format``, ``{{name}}``, and the signs of Jinja."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.prompt import Expression, Segment
from radixlint.sources._tree import Leaf

_PATH = r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[[^\[\]{}\n]{1,40}\])*"
# A format specification of numbers and text, or one of dates, which holds a per cent sign.
_WIDTH = r"(?:\d{1,9}|\{\w+\})"
_SPEC = rf"(?:[^{{}}\n]?[<>=^])?[-+ ]?z?\#?0?{_WIDTH}?[,_]?(?:\.{_WIDTH})?[bcdeEfFgGnosxX%]?|[^{{}}\n]{{0,40}}%[^{{}}\n]{{0,40}}"
_FIELD = late_pattern(rf"\{{(?P<path>{_PATH})(?:![rsa])?(?::(?P<spec>{_SPEC}))?\}}")
_SINGLE = late_pattern(rf"(?P<escape>\{{\{{|\}}\}})|{_FIELD.pattern}")
_DOUBLE = late_pattern(rf"(?<!\{{)\{{\{{[ \t]*(?P<path>{_PATH})[ \t]*\}}\}}(?!\}})")
_JINJA_TAG = late_pattern(r"\{%[-+]?\s*[a-z]+")
_JINJA_VALUE = late_pattern(r"(?<!\{)\{\{[-+]?\s*[^\W\d][^{}\n]*\}\}(?!\})")
_POSITIONAL = late_pattern(r"\{\d*\}")
_STRAY = late_pattern(r"[{}]")
_INDEX = late_pattern(r"\[([^\[\]]*)\]")
_TEX = late_pattern(r"(?:\\[A-Za-z]+\*?(?:\{[^{}\n]*\}|\[[^\[\]\n]*\])*|\^)$")


class Style(Enum):
    """How a text marks its placeholders."""

    NONE = "none"
    JINJA = "jinja"
    SINGLE = "single"
    DOUBLE = "double"


def style_of(texts: Iterable[str]) -> Style:
    """Return the one style of texts that belong together.

    ``{% %}`` or a ``{{ }}`` with more than a name in tight braces is Jinja. ``{{name}}`` beside ``{name}`` is an escape of
    ``str.format``; alone it is a placeholder.
    """
    known = tuple(texts)
    values = [match.group() for text in known for match in _JINJA_VALUE.finditer(text)]
    if any(_JINJA_TAG.search(text) for text in known) or any(not re.fullmatch(r"\{\{\w+\}\}", v) for v in values):
        return Style.JINJA
    if any(_has_field(text) for text in known):
        return Style.SINGLE
    return Style.DOUBLE if values else Style.NONE


def style_of_leaves(known: Iterable[Leaf]) -> Style:
    """Return the one style of the strings of a document; a placeholder without quotes shows that an engine fills them all."""
    found = tuple(known)
    if any(leaf.is_slot for leaf in found):
        return Style.JINJA
    return style_of(leaf.passage.text for leaf in found)


def field_style(text: str) -> Style:
    """Return the style of a text that is no Jinja: ``{name}`` if there is one, else ``{{name}}`` if there is one."""
    if _has_field(text):
        return Style.SINGLE
    return Style.DOUBLE if _DOUBLE.search(text) else Style.NONE


def is_format(text: str) -> bool:
    """Whether ``str.format`` could take ``text``: every brace is part of a field or doubled."""
    return not _STRAY.search(_POSITIONAL.sub("", _SINGLE.sub("", text)))


def _has_field(text: str) -> bool:
    return any(_is_field(match, text) for match in _SINGLE.finditer(text))


def _is_field(match: re.Match[str], text: str) -> bool:
    return match["path"] is not None and not _TEX.search(text, max(0, match.start() - 80), match.start())


def read_fields(passage: Passage, style: Style) -> tuple[Segment, ...]:
    """Return the literal text and the fields of ``passage``.

    ``SINGLE`` takes ``{{`` for ``{``, unless other braces show that the text never goes through ``str.format``.
    """
    pattern = _DOUBLE if style is Style.DOUBLE else _SINGLE
    has_escapes = style is Style.SINGLE and is_format(passage.text)
    segments: list[Segment] = []
    start, escapes = 0, list[int]()
    for match in pattern.finditer(passage.text):
        if style is Style.SINGLE and match["escape"]:
            escapes.extend((match.start(),) if has_escapes else ())
        elif style is Style.DOUBLE or _is_field(match, passage.text):
            segments.extend(_literal(passage, start, match.start(), escapes))
            segments.append(_value(passage, match))
            start, escapes = match.end(), []
    segments.extend(_literal(passage, start, len(passage.text), escapes))
    return tuple(segments)


def _value(passage: Passage, match: re.Match[str]) -> Segment:
    path = match["path"]
    # In str.format an index in brackets that is no number is a key.
    name = _INDEX.sub(lambda index: "" if index[1].isdigit() else "." + index[1], path)
    spec = match.groupdict().get("spec") or ""
    names = dict.fromkeys((name, *re.findall(r"\{(\w+)\}", spec)))
    expression = Expression(match.group().strip("{} \t"), tuple(names), constants=(spec,) if spec else ())
    return Segment(match.group(), passage.span(*match.span()), expression=expression)


def _literal(passage: Passage, start: int, end: int, escapes: list[int]) -> list[Segment]:
    if start == end:
        return []
    if not escapes:
        return [passage.literal(start, end)]
    dropped = {index + 1 for index in escapes}
    kept = [index for index in range(start, end) if index not in dropped]
    table = [*(passage.offset(index) for index in kept), passage.offset(end)]
    text = "".join(passage.text[index] for index in kept)
    return [Passage(text, passage.ground, 0, table).literal(0, len(text))]

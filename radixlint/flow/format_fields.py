"""Read placeholders in fixed text: ``{name}`` as ``str.format`` and LangChain fill them, ``{{name}}`` as replacements do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.flow.text_parts import cut
from radixlint.flow.values import Instance, Listed, Mapped, Part, Several, Value, Written
from radixlint.prompt import Expression, Segment

_SINGLE: Final = re.compile(r"\{\{|\}\}|\{(?P<name>[A-Za-z_]\w*(?:\.\w+|\[\w+\])*)(?P<form>![rsa])?(?P<spec>:[^{}\n]*)?\}")
_DOUBLE: Final = re.compile(
    r"\{\{\s*(?P<name>[A-Za-z_][\w.-]*)\s*\}\}|<<(?P<angled>[A-Za-z_]\w*)>>|\$\{(?P<dollar>[A-Za-z_]\w*)\}"
)
_TEXT_KEYS: Final = ("content", "0", "template", "text", "prompt")

Fill = Callable[[str, Segment], tuple[Segment, ...] | None]


def with_fields(value: Value, fill: Fill | None = None) -> Value:
    """Return text, or the texts of a list of messages, with each ``{name}`` as a part of its own.

    Args:
        value: text, messages, pairs of role and text.
        fill: what stands for a name at its place; None, or nothing returned, leaves it an unknown value of that name.
    """
    if isinstance(value, Written):
        return Written(tuple(piece for part in value.parts for piece in fields_in(part, fill)))
    if isinstance(value, Listed):
        return msgspec.structs.replace(value, parts=tuple(_in_part(part, fill) for part in value.parts))
    if isinstance(value, Mapped):
        fields = tuple(
            msgspec.structs.replace(field, value=with_fields(field.value, fill)) if field.key in _TEXT_KEYS else field
            for field in value.fields
        )
        return msgspec.structs.replace(value, fields=fields)
    if isinstance(value, Instance):
        given = tuple((key, with_fields(inner, fill) if key in _TEXT_KEYS else inner) for key, inner in value.given)
        return msgspec.structs.replace(value, given=given)
    if isinstance(value, Several):
        return Several(tuple((controls, with_fields(choice, fill)) for controls, choice in value.choices))
    return value


def _in_part(part: Part, fill: Fill | None) -> Part:
    return msgspec.structs.replace(part, value=with_fields(part.value, fill))


def fields_in(part: Segment, fill: Fill | None = None, pattern: re.Pattern[str] = _SINGLE) -> list[Segment]:
    """Return a literal cut at its ``{name}`` fields; ``{{`` and ``}}`` are braces. What is no literal stays as it is."""
    if part.expression is not None or "{" not in part.text:
        return [part]
    pieces: list[Segment] = []
    at = 0
    for match in pattern.finditer(part.text):
        if match.start() > at:
            pieces.append(cut(part, at, match.start()))
        name = match.group("name")
        if name is None:
            pieces.append(replace(cut(part, match.start(), match.start() + 1)))
        else:
            pieces.extend(_filled(part, match, name, fill))
        at = match.end()
    if at < len(part.text):
        pieces.append(cut(part, at, len(part.text)) if at else part)
    return pieces


def _filled(part: Segment, match: re.Match[str], name: str, fill: Fill | None) -> tuple[Segment, ...]:
    place = cut(part, match.start(), match.end())
    path = name.replace("[", ".").replace("]", "")
    spec = (match.group("spec") or "")[1:]
    constants = (spec,) if "%" in spec else ()
    field = replace(place, expression=Expression(match.group(), (path,), (), (), constants), offsets=())
    found = fill(path, field) if fill is not None else None
    return (field,) if found is None else found


def double_fields_in(value: Written) -> Written:
    """Return text with each ``{{name}}``, ``<<name>>``, ``${name}`` as a part of its own: a template that is filled elsewhere."""
    parts: list[Segment] = []
    for part in value.parts:
        if part.expression is not None:
            parts.append(part)
            continue
        at = 0
        for match in _DOUBLE.finditer(part.text):
            if match.start() > at:
                parts.append(cut(part, at, match.start()))
            name = match.group("name") or match.group("angled") or match.group("dollar")
            place = cut(part, match.start(), match.end())
            parts.append(replace(place, expression=Expression(match.group(), (name,)), offsets=()))
            at = match.end()
        if at < len(part.text):
            parts.append(cut(part, at, len(part.text)) if at else part)
    return Written(tuple(parts))


def has_double_fields(value: Written) -> bool:
    """Whether a fixed part holds ``{{name}}`` or the like."""
    return any(part.expression is None and _DOUBLE.search(part.text) for part in value.parts)


def has_single_fields(value: Written) -> bool:
    """Whether a fixed part holds a ``{name}``."""
    return any(
        part.expression is None and any(match.group("name") for match in _SINGLE.finditer(part.text)) for part in value.parts
    )

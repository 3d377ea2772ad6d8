"""Read placeholders in fixed text: ``{name}`` as ``str.format`` and LangChain fill them, ``{{name}}`` as replacements do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.jinja_fields import JINJA, JinjaFields
from radixlint.flow.text_parts import refilled
from radixlint.flow.values import Instance, Listed, Mapped, Several, Value, Written
from radixlint.prompt import Expression, Segment
from radixlint.prompt.literal_cut import cut

_SINGLE: Final = re.compile(r"\{\{|\}\}|\{(?P<name>[A-Za-z_]\w*(?:\.\w+|\[\w+\])*)(?P<form>![rsa])?(?P<spec>:[^{}\n]*)?\}")
_DOUBLE: Final = re.compile(
    r"\{\{\s*\$?(?P<name>[A-Za-z_][\w.-]*)\s*\}\}|<<(?P<angled>[A-Za-z_]\w*)>>|\$\{(?P<dollar>[A-Za-z_]\w*)\}"
)
_TEXT_KEYS: Final = ("content", "0", "template", "text", "prompt")

Fill = Callable[[str, Segment], tuple[Segment, ...] | None]
Refill = Callable[[Iterable[Segment]], tuple[Segment, ...]]


def with_fields(value: Value, fill: Fill | None = None) -> Value:
    """Return text, or the texts of a list of messages, with each ``{name}`` as a part of its own.

    Args:
        value: text, messages, pairs of role and text.
        fill: what stands for a name at its place; None, or nothing returned, leaves it an unknown value of that name.
    """
    return _in_texts(value, lambda parts: fields_in(parts, fill))


def _in_texts(value: Value, refill: Refill) -> Value:
    """Return text, or the texts of messages, with their parts refilled."""
    if isinstance(value, Written):
        return Written(refill(value.parts))
    if isinstance(value, Listed):
        return replace(value, parts=tuple(replace(part, value=_in_texts(part.value, refill)) for part in value.parts))
    if isinstance(value, Mapped):
        fields = tuple(
            replace(field, value=_in_texts(field.value, refill)) if field.key in _TEXT_KEYS else field for field in value.fields
        )
        return replace(value, fields=fields)
    if isinstance(value, Instance):
        given = tuple((key, _in_texts(inner, refill) if key in _TEXT_KEYS else inner) for key, inner in value.given)
        return replace(value, given=given)
    if isinstance(value, Several):
        return Several(tuple((controls, _in_texts(choice, refill)) for controls, choice in value.choices))
    return value


def fields_in(parts: Iterable[Segment], fill: Fill | None = None) -> tuple[Segment, ...]:
    """Return text cut at its ``{name}`` fields; ``{{`` and ``}}`` are braces."""

    def field(match: re.Match[str], place: Segment) -> tuple[Segment, ...]:
        name = match["name"]
        if name is None:
            return (cut(place, 0, 1),)
        path = name.replace("[", ".").replace("]", "")
        spec = (match["spec"] or "")[1:]
        unknown = replace(place, expression=Expression(match.group(), (path,), (), (), (spec,) if spec else ()), offsets=())
        found = fill(path, unknown) if fill is not None else None
        return (unknown,) if found is None else found

    return refilled(parts, _SINGLE, field)


def double_fields_in(value: Written) -> Written:
    """Return text with each ``{{name}}``, ``<<name>>``, ``${name}`` as a part of its own: a template that is filled elsewhere."""

    def field(match: re.Match[str], place: Segment) -> tuple[Segment, ...]:
        name = match["name"] or match["angled"] or match["dollar"]
        return (replace(place, expression=Expression(match.group(), (name,)), offsets=()),)

    if any("{%" in part.text for part in value.parts):
        # Who fills the template knows what its mappings are.
        found = refilled(value.parts, JINJA, JinjaFields().field)
        return Written(tuple(part for part in found if part.text or part.expression is not None))
    return Written(refilled(value.parts, _DOUBLE, field))


def jinja_fields_in(value: Value) -> Value:
    """Return text, or the texts of a list of messages, with each ``{{ name }}`` as a part of its own, and without other tags."""
    return _in_texts(value, lambda parts: refilled(parts, JINJA, JinjaFields().field))


def has_double_fields(value: Written) -> bool:
    """Whether a fixed part holds ``{{name}}`` or the like."""
    return any(part.expression is None and _DOUBLE.search(part.text) for part in value.parts)


def has_single_fields(value: Written) -> bool:
    """Whether a fixed part holds a ``{name}``."""
    return any(
        part.expression is None and any(match.group("name") for match in _SINGLE.finditer(part.text)) for part in value.parts
    )

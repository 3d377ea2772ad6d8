"""Read a passage written for Semantic Kernel: ``{{$x}}``, ``{{plugin.function $x}}`` and ``<message role="...">``."""

from __future__ import annotations

import re

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.prompt import Expression, Role, Segment
from radixlint.sources._role_markers import ROLES
from radixlint.sources._tag_tokens import Token, tokens_of

_DAYS = frozenset(("date", "today", "year", "month", "monthnumber", "day", "dayofweek", "daysago", "datematchinglastdayname"))
_PART = late_pattern(
    r"""(?P<tag>\{\{(?:[^"'{}]++|"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')*+\}\})"""
    r"""|(?P<open><message\b[^<>\n]{0,200}?\brole\s*=\s*["'](?P<role>\w+)["'][^<>\n]{0,200}>)|(?P<shut></message>)""",
    re.IGNORECASE,
)


def read_kernel(passage: Passage) -> list[Segment]:
    """Return the segments of ``passage`` with the roles that its message tags give; never fails."""
    found: list[Segment] = []
    role, message, start = Role.TEXT, 0, 0
    for part in _PART.finditer(passage.text):
        found.extend(_literal(passage, start, part.start(), role, message))
        start = part.end()
        if part["tag"] is None:
            role = ROLES.get((part["role"] or "").lower(), Role.TEXT)
            message += 1
            continue
        span = passage.span(part.start(), part.end())
        told = _expression(part["tag"][2:-2].strip("- \t\n"))
        if told.names or told.calls:
            found.append(Segment(part["tag"], span, role, told, message=message))
        elif told.constants:
            places = ((span.line, span.column),) * len(told.constants[0])
            found.append(Segment(told.constants[0], span, role, offsets=places, message=message))
    return [*found, *_literal(passage, start, len(passage.text), role, message)]


def _literal(passage: Passage, start: int, end: int, role: Role, message: int) -> list[Segment]:
    # White space between messages is no message.
    is_between = role is Role.TEXT and message > 0 and not passage.text[start:end].strip()
    return [] if start >= end or is_between else [replace(passage.literal(start, end), role=role, message=message)]


def _expression(inner: str) -> Expression:
    """Return what a tag prints: a variable, a function with its arguments, or a constant alone."""
    tokens = tokens_of(inner)
    names = tuple(dict.fromkeys(token.text.lstrip("$") for token in tokens if _is_variable(token)))
    constants = tuple(token.inner for token in tokens if token.kind == "string")
    calls = () if not tokens or _is_variable(tokens[0]) or tokens[0].kind == "string" else (_called(tokens[0].text),)
    return Expression(inner, names, calls, constants=constants)


def _called(name: str) -> str:
    """Return the name of a function, with the plug-in for time by what it prints: a day, or something finer."""
    plugin, _, function = name.rpartition(".")
    if plugin.lower() not in ("time", "timeplugin", "timeskill") or function.lower().startswith("timezone"):
        return name
    return f"{plugin}.{'today' if function.lower() in _DAYS else 'now'}"


def _is_variable(token: Token) -> bool:
    return token.kind == "path" and token.text.startswith("$")

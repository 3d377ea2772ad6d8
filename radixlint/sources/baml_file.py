"""BAML files: each function's prompt, written in Jinja with ``_.role(...)``; template strings are followed as macros."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage, whole
from radixlint.prompt import Prompt, Role, Segment, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._role_markers import ROLES

if TYPE_CHECKING:
    from radixlint.sources._baml_blocks import Declared

NAME = "baml"
SUFFIXES = frozenset((".baml",))

_CALL = late_pattern(r"\w+(?=\()")
_ROLE_CALLS = frozenset(("_.role", "_.chat"))


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return one prompt a function; None for a file without any.

    Raises:
        SourceError: a raw string is not closed, or a prompt does not parse.
    """
    from radixlint.sources._baml_blocks import declared_in

    declared = declared_in(whole(source))
    functions = [item for item in declared if item.kind == "function"]
    if not functions:
        return None
    from radixlint.sources._jinja_read import read_jinja

    shared = [item for item in declared if item.kind == "template_string"]
    prompts, notes = [], dict[str, None]()
    for function in functions:
        found = read_jinja(_with_macros(function, shared), includes)
        notes.update(dict.fromkeys(found.notes))
        prompts.append(Prompt(source.path, function.name, NAME, _with_roles(found.segments)))
    return SourceRead(NAME, tuple(prompts), tuple(notes))


def _with_macros(function: Declared, shared: Iterable[Declared]) -> Passage:
    """Return a function's prompt behind the template strings it uses, each written as a macro at its place."""
    texts: list[str] = []
    table: list[int] = []
    for item in _used(function, {item.name: item for item in shared}):
        _extend(texts, table, f"{{% macro {item.name}({', '.join(item.parameters)}) %}}", [item.start])
        _extend(texts, table, item.text.text, item.text.table or ())
        _extend(texts, table, "{% endmacro %}", [item.start])
    _extend(texts, table, function.text.text, function.text.table or ())
    table.append((function.text.table or (0,))[-1])
    return Passage("".join(texts), function.text.ground, 0, table)


def _used(function: Declared, shared: dict[str, Declared]) -> list[Declared]:
    """Return the template strings that a function calls, and those that they call."""
    found: dict[str, Declared] = {}
    waiting = [function]
    while waiting:
        for name in _CALL.findall(waiting.pop().text.text):
            if name in shared and name not in found:
                found[name] = shared[name]
                waiting.append(shared[name])
    return list(found.values())


def _extend(texts: list[str], table: list[int], text: str, places: Sequence[int]) -> None:
    texts.append(text)
    table.extend(places[: len(text)] if len(places) > 1 else list(places) * len(text))


def _with_roles(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Return ``segments`` with roles as ``_.role`` says; what stands ahead of the first is the system's."""
    found: list[Segment] = []
    role, message = Role.SYSTEM, 0
    for segment in segments:
        expression = segment.expression
        if expression is not None and _ROLE_CALLS & set(expression.calls):
            given = expression.constants[0].lower() if expression.constants else ""
            role, message = ROLES.get(given, Role.TEXT), message + 1
        elif message or segment.text.strip():
            found.append(replace(segment, role=role, message=message))
    return tuple(found)

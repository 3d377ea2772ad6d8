"""Say what is wrong with the front matter of a SKILL.md, by the published specification of agent skills."""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.late_pattern import late_pattern
from radixlint.plural import counted
from radixlint.prompt import SourceText
from radixlint.sources._tree import Leaf, Table

_NAME = late_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NAME_MAX, _DESCRIPTION_MAX, _COMPATIBILITY_MAX = 64, 1024, 500
_BODY_LINES_MAX = 500
_KEYS = frozenset(("name", "description", "license", "compatibility", "metadata", "allowed-tools"))


def skill_notes(source: SourceText) -> Iterator[str]:
    """Yield one line a fault.

    Raises:
        SourceError: the front matter is not closed, does not parse, or is no mapping.
    """
    if not source.text.startswith("---"):
        yield "a skill needs front matter with `name` and `description`, loaders pass over this file"
        return
    from radixlint.sources._front_matter import split_front_matter

    table, body = split_front_matter(source)
    if table is not None:
        yield from _name(table, source.path)
        yield from _length(table, "description", _DESCRIPTION_MAX, is_needed=True)
        yield from _length(table, "compatibility", _COMPATIBILITY_MAX, is_needed=False)
        yield from _others(table)
    lines = body.text.strip().count("\n") + 1
    if lines > _BODY_LINES_MAX:
        has = counted(lines, "line")
        yield f"the body has {has}; under {_BODY_LINES_MAX} are advised, the rest can go to files that it names"


def _name(table: Table, path: str) -> Iterator[str]:
    name = table.text("name")
    folders = path.replace("\\", "/").split("/")[:-1]
    if not name:
        yield "`name` is missing"
    elif len(name) > _NAME_MAX or not _NAME.fullmatch(name):
        yield f"`name` must be 1 to {_NAME_MAX} characters of a-z, 0-9 and single hyphens between them"
    elif folders and folders[-1] not in (".", "..", name):
        yield f"`name` is '{name}' and the folder '{folders[-1]}': they must be the same"


def _length(table: Table, key: str, most: int, *, is_needed: bool) -> Iterator[str]:
    text = table.text(key)
    if not (text or "").strip():
        if is_needed:
            yield f"`{key}` is missing"
    elif text is not None and len(text) > most:
        yield f"`{key}` has {len(text):,} characters, {most:,} are allowed"


def _others(table: Table) -> Iterator[str]:
    for key, value in table.pairs:
        if key not in _KEYS:
            yield f"`{key}` is no key of a skill; put it under `metadata`, as text"
        elif key == "metadata":
            pairs = value.pairs if isinstance(value, Table) else ()
            for name, given in pairs:
                if not isinstance(given, Leaf) or not given.is_text:
                    yield f"`metadata.{name}` must be text, in quotes if it looks like a number"

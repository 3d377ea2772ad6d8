"""Imports and exports: what a file takes from others, and under which names others find what it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from radixlint.flow.program import Assign, Class, Define, Import, Mapping, Member, Name, Node, Text
from radixlint.flow.script_tree import first, has_word, inner, parts

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from radixlint.flow.script_expressions import Expressions

DEFAULT: Final = "default"


def imported(tree: Tree, around: Expressions, start: int, end: int) -> tuple[Node, ...]:
    """Return what an ``import`` binds; types are nothing when the program runs."""
    if has_word(tree, "type") or has_word(tree, "typeof"):
        return ()
    clause = next((child for child in parts(tree) if child.type in ("import_clause", "import_require_clause")), None)
    if clause is not None and clause.type == "import_require_clause":
        name = _word(first(clause), around)
        return (Import(start, end, _source(inner(clause, "source"), around), alias=name),)
    module = _source(inner(tree, "source"), around)
    alias, names = "", []
    for child in parts(clause) if clause is not None else ():
        if child.type == "identifier":
            names.append((DEFAULT, _word(child, around)))
        elif child.type == "namespace_import":
            alias = _word(first(child), around)
        else:
            names += _pairs(child, around)
    for _, here in (*names, ("", alias)):
        around.targets.scopes.declare(here)
    return (Import(start, end, module, tuple(names), alias),)


def _pairs(tree: Tree, around: Expressions) -> list[tuple[str, str]]:
    found = []
    for child in parts(tree):
        if child.type in ("import_specifier", "export_specifier") and not has_word(child, "type"):
            there = _word(inner(child, "name"), around)
            alias = child.child_by_field_name("alias")
            found.append((there, there if alias is None else _word(alias, around)))
    return found


def exported(tree: Tree, declared: tuple[Node, ...], start: int, end: int) -> tuple[Node, ...]:
    """Return a declaration that is exported, under the name ``default``, too, where it is that."""
    if not has_word(tree, DEFAULT):
        return declared
    node = declared[-1] if declared else None
    name = node.function.name if isinstance(node, Define) else node.name if isinstance(node, Class) else DEFAULT
    if name == DEFAULT:
        return declared
    return (*declared, Assign(start, end, (Name(start, end, DEFAULT),), Name(start, end, name)))


def exported_names(tree: Tree, around: Expressions, start: int, end: int) -> Iterator[Node]:
    """Yield what ``export {...}``, ``export * from`` and ``export default value`` bind in the module."""
    if has_word(tree, "type"):
        return
    source, value = tree.child_by_field_name("source"), tree.child_by_field_name("value")
    clause = next((child for child in parts(tree) if child.type in ("export_clause", "namespace_export")), None)
    if value is not None or has_word(tree, "="):
        code = value if value is not None else first(tree)
        yield from _default(around, code, start, end)
    elif source is not None:
        module = _source(source, around)
        if clause is None:
            yield Import(start, end, module, (("*", "*"),))
        elif clause.type == "namespace_export":
            yield Import(start, end, module, alias=_word(first(clause), around))
        else:
            yield Import(start, end, module, tuple(_pairs(clause, around)))
    elif clause is not None:
        for here, there in _pairs(clause, around):
            if here != there:
                yield Assign(start, end, (Name(start, end, there),), Name(start, end, here))


def _default(around: Expressions, value: Tree, start: int, end: int) -> Iterator[Node]:
    if around.functions.is_function(value):
        yield Define(start, end, around.functions.named(value, DEFAULT))
        return
    lowered = around.lower(value)
    if isinstance(lowered, Name) and lowered.name == DEFAULT:
        return
    yield Assign(start, end, (Name(start, end, DEFAULT),), lowered)


def exports_of(target: Node, value: Node) -> tuple[Node, ...]:
    """Return what ``module.exports = value`` and ``exports.name = value`` bind in the module; nothing for other targets."""
    start, end = target.start, value.end
    if _is_exports(target):
        return (*_each(value), Assign(start, end, (Name(start, end, DEFAULT),), value))
    if isinstance(target, Member) and _is_exports(target.base):
        name = Name(target.start, target.end, target.name)
        is_same = isinstance(value, Name) and value.name == target.name
        return () if is_same else (Assign(start, end, (name,), value),)
    return ()


def _each(value: Node) -> Iterable[Node]:
    for entry in value.entries if isinstance(value, Mapping) else ():
        if isinstance(entry.key, Text):
            name = entry.key.passage.text
            if not (isinstance(entry.value, Name) and entry.value.name == name):
                yield Assign(entry.start, entry.end, (Name(entry.key.start, entry.key.end, name),), entry.value)


def _is_exports(node: Node) -> bool:
    if isinstance(node, Name):
        return node.name == "exports"
    return isinstance(node, Member) and node.name == "exports" and isinstance(node.base, Name) and node.base.name == "module"


def _word(tree: Tree, around: Expressions) -> str:
    start, end = around.range(tree)
    return around.text[start:end].strip("\"'")


def _source(tree: Tree, around: Expressions) -> str:
    start, end = around.range(tree)
    return around.text[start + 1 : end - 1]

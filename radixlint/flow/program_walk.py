"""Go over a program by its form: statements with those around them, and the expressions in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from radixlint.flow.program import (
    Call,
    Class,
    Clause,
    Collection,
    Comprehension,
    Cut,
    Define,
    Evaluate,
    For,
    Function,
    If,
    Item,
    Member,
    Module,
    Name,
    Node,
    Return,
    Try,
    While,
    With,
)
from radixlint.prompt import Span

SOURCE_MAX = 200
Around = tuple[Node, ...]


def statements(body: Iterable[Node]) -> Iterator[tuple[Node, Around]]:
    """Yield all statements in order, each with the loops, conditions, functions and classes around it, outermost first."""
    stack: list[tuple[Node, Around]] = []
    stack.extend((node, ()) for node in reversed(tuple(body)))
    while stack:
        node, around = stack.pop()
        node = _as_loop(node)
        yield node, around
        if type(node) in _WITH_BLOCKS:
            inside = (*around, node)
            stack.extend((inner, inside) for group in reversed(bodies(node)) for inner in reversed(group))


def all_statements(body: Iterable[Node], around: Around = ()) -> Iterator[tuple[Node, Around]]:
    """Yield what ``statements`` does and, as if they were defined there, the statements of functions that expressions hold."""
    for node, outer in statements(body):
        here = (*around, *outer)
        yield node, here
        for function in _functions_in(node):
            yield from all_statements(function.body, (*here, Define(function.start, function.end, function)))


def _functions_in(node: Node) -> Iterator[Function]:
    """Yield the outermost functions in the expressions of a statement."""
    blocks = {id(inner) for group in bodies(node) for inner in group}
    stack = [node]
    while stack:
        found = stack.pop()
        for inner in children(found):
            if isinstance(inner, Function) and not isinstance(found, Define):
                yield inner
            elif id(inner) not in blocks:
                stack.append(inner)


def _as_loop(node: Node) -> Node:
    """Return ``items.forEach((item) => {...})`` as the loop that it is; all else as it is."""
    call = node.value if isinstance(node, Evaluate) else None
    given = _given_items(call, ("forEach",))
    if given is None or not isinstance(call, Call):
        return node
    items, function = given
    return For(node.start, node.end, _item(function), items, function.body)


def _given_items(node: Node | None, methods: tuple[str, ...]) -> tuple[Node, Function] | None:
    """Return what a method goes through and the function that it gives each item to, None for all other nodes."""
    callee = node.callee if isinstance(node, Call) else None
    if not isinstance(node, Call) or not isinstance(callee, Member) or callee.name not in methods or not node.arguments:
        return None
    function = node.arguments[0].value
    return (callee.base, function) if isinstance(function, Function) and function.parameters else None


def _item(function: Function) -> Name:
    first = function.parameters[0]
    return Name(first.start, first.end, first.name)


def as_comprehension(node: Node) -> Node:
    """Return ``items.map((item) => value)`` as a comprehension where the value is all of the function; all else as it is."""
    given = _given_items(node, ("map", "flatMap"))
    last = given[1].body[-1] if given is not None and given[1].body else None
    if given is None or not isinstance(last, Return) or last.value is None or len(given[1].body) != 1:
        return node
    items, function = given
    clause = Clause(items.start, items.end, _item(function), items)
    return Comprehension(last.start, last.end, Collection.LIST, last.value, None, (clause,))


def bodies(node: Node) -> list[tuple[Node, ...]]:
    """Return the blocks of a statement."""
    if type(node) not in _WITH_BLOCKS:
        return []
    if isinstance(node, If):
        return [node.yes, node.no]
    if isinstance(node, For | While | With | Class):
        return [node.body]
    if isinstance(node, Try):
        return [node.body, *node.handlers, node.finally_]
    return [node.function.body] if isinstance(node, Define) else []


_WITH_BLOCKS: Final = frozenset((If, For, While, With, Class, Try, Define))


def expressions(node: Node) -> Iterator[Node]:
    """Yield the expressions in a statement or expression, itself included; what stands in its blocks is left out."""
    blocks = {id(inner) for group in bodies(node) for inner in group}
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        inside = children(found)
        if inside:
            stack += [inner for inner in reversed(inside) if id(inner) not in blocks] if blocks else reversed(inside)


def children(node: Node) -> list[Node]:
    """Return the nodes directly inside of ``node``."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(name for name in node.__struct_fields__[2:] if name not in _PLAIN)
    found: list[Node] = []
    for name in names:
        value = getattr(node, name)
        if type(value) is tuple:
            for item in value:
                if isinstance(item, Node):
                    found.append(item)
                elif type(item) is tuple:
                    found.extend(inner for inner in item if isinstance(inner, Node))
        elif isinstance(value, Node):
            found.append(value)
    return found


_FIELDS: Final[dict[type[Node], tuple[str, ...]]] = {}
# Fields that hold no nodes.
_PLAIN: Final = frozenset(
    {"name", "names", "passage", "kind", "operator", "annotation", "decorators", "returns", "bases", "word"}
)


def root_of(node: Node) -> Node:
    """Return what items, attributes and cuts are taken of: ``messages`` in ``messages[0]["content"]``."""
    while isinstance(node, Item | Cut | Member):
        node = node.base
    return node


def name_of(node: Node) -> str:
    """Return the last word of a name or attribute, empty for anything else."""
    return node.name if isinstance(node, Name | Member) else ""


def source_of(node: Node, module: Module) -> str:
    """Return how a node is written, the first 200 code points."""
    return module.passage.text[node.start : min(node.end, node.start + SOURCE_MAX)]


def span_of(node: Node, module: Module) -> Span:
    """Return the place of a node."""
    return module.passage.span(node.start, node.end)

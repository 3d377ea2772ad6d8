"""Go over a program by its form: statements with those around them, and the expressions in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from radixlint.flow.program import Class, Cut, Define, For, If, Item, Member, Module, Name, Node, Try, While, With
from radixlint.prompt import Span

SOURCE_MAX = 200
Around = tuple[Node, ...]


def statements(body: Iterable[Node]) -> Iterator[tuple[Node, Around]]:
    """Yield all statements in order, each with the loops, conditions, functions and classes around it, outermost first."""
    stack: list[tuple[Node, Around]] = []
    stack.extend((node, ()) for node in reversed(tuple(body)))
    while stack:
        node, around = stack.pop()
        yield node, around
        if type(node) in _WITH_BLOCKS:
            inside = (*around, node)
            stack.extend((inner, inside) for group in reversed(bodies(node)) for inner in reversed(group))


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

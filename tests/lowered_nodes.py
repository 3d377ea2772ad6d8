"""Programs lowered from short sources, and the nodes in them."""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.flow.program import Module, Node
from radixlint.flow.python_lowering import lower_python
from radixlint.passage import whole
from radixlint.prompt import SourceText


def lowered(code: str) -> Module:
    """Return the program of a file."""
    return lower_python(whole(SourceText("app.py", code)), "app.py")


def nodes_in(value: object) -> Iterator[Node]:
    """Yield every node in a tree of nodes."""
    if isinstance(value, Node):
        yield value
        for name in value.__struct_fields__:
            yield from nodes_in(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from nodes_in(item)


def one(code: str, kind: type[Node]) -> Node:
    """Return the only node of a kind."""
    (found,) = [node for node in nodes_in(lowered(code).body) if type(node) is kind]
    return found

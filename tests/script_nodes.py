"""Programs lowered from short sources of TypeScript, and what they read as."""

from __future__ import annotations

import pytest
from lowered_nodes import nodes_in

from radixlint.flow.program import Module, Node
from radixlint.flow.script_lowering import read_script
from radixlint.passage import whole
from radixlint.prompt import SourceText

pytest.importorskip("tree_sitter_typescript")


def lowered(code: str, path: str = "app.tsx") -> Module:
    """Return the program of a file."""
    return read_script(whole(SourceText(path, code)), path).module


def sketch(value: object) -> str:
    """Return a node as its class and what it holds, in brackets; places are left out."""
    if isinstance(value, Node):
        if hasattr(value, "passage"):
            return repr(value.passage.text)
        held = [getattr(value, name) for name in value.__struct_fields__ if name not in ("start", "end")]
        return f"{type(value).__name__}({' '.join(sketch(each) for each in held if each not in ('', (), None, False))})"
    if isinstance(value, tuple):
        return f"[{', '.join(map(sketch, value))}]"
    return str(value)


def body(code: str) -> str:
    """Return all statements of a file as sketches, one a line."""
    return "\n".join(map(sketch, lowered(code).body))


__all__ = ["body", "lowered", "nodes_in", "sketch"]

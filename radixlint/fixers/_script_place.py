"""An expression of TypeScript or JavaScript where it stands in its file, with the tree around it, and edits beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from radixlint.passage import Ground
from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Edit

if TYPE_CHECKING:
    from tree_sitter import Node as Tree


@dataclass(frozen=True, slots=True)
class ScriptPlace:
    """``tree`` is the expression; ``ground`` the file, ``data`` its bytes in UTF-8, in which the tree counts."""

    tree: Tree
    ground: Ground
    data: bytes

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return the edit that writes ``text`` in the place of the bytes ``start:end``."""
        first, last = (len(self.data[:at].decode("utf-8", "surrogatepass")) for at in (start, end))
        return Edit(self.ground.span(first, last), text)

    def source(self, tree: Tree) -> str:
        """Return how a part of the file is written."""
        return self.data[tree.start_byte : tree.end_byte].decode("utf-8", "surrogatepass")


def script_place(prompt: Prompt, span: Span) -> ScriptPlace | None:
    """Return what stands at ``span``; None if it is of another file or no expression by itself, or the file does not parse."""
    if span.path != prompt.path or prompt.source is None or prompt.dialect != "script":
        return None
    from radixlint.flow.script_lowering import expression_at

    ground, text = Ground(prompt.source), prompt.source.text
    start, end = ground.offset(span.line, span.column), ground.offset(span.end_line, span.end_column)
    tree = expression_at(text, prompt.path, start, end)
    return None if tree is None else ScriptPlace(tree, ground, text.encode("utf-8", "surrogatepass"))


def member_call(tree: Tree) -> tuple[Tree, Tree] | None:
    """Return the property and the call where a method of ``tree`` is called: ``tree.property(...)``; None otherwise."""
    member = tree.parent
    if member is None or member.type != "member_expression" or member.child_by_field_name("object") != tree:
        return None
    word, call = member.child_by_field_name("property"), member.parent
    is_called = call is not None and call.type == "call_expression" and call.child_by_field_name("function") == member
    return (word, call) if word is not None and call is not None and is_called else None


def given(call: Tree) -> list[Tree]:
    """Return the arguments of a call."""
    found = call.child_by_field_name("arguments")
    return [] if found is None else [child for child in found.named_children if child.type != "comment"]

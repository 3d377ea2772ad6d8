"""Sort what a program writes out in an order left to chance, where it is taken: ``sorted(names)``.

Text and numbers of one kind sort by themselves; all else sorts by its text, which raises for nothing.
"""

from __future__ import annotations

import ast
import re
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._code_place import CodePlace, code_place
from radixlint.fixers._listing_in_script import sorted_in_script
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit

_TAKES: Final = frozenset(("list", "tuple", "enumerate"))
_PATHS: Final = frozenset(("listdir", "glob", "iglob", "rglob", "iterdir"))
# Where an iterable may stand: behind ``in``, as an argument or a spread, on the right of ``=``, behind ``return``.
_AHEAD: Final = re.compile(r"(?:\bin|\breturn|(?<![=!<>:])=|(?<![\w*])\*|[(,\[])\s*\Z")
# One item is taken, or the iterable itself is meant.
_NOT_AHEAD: Final = re.compile(
    r"\b(?:async\s+for\b.*\bin|with|await|yield\s+from|next\(|len\(|iter\(|set\(|frozenset\(|isinstance\()\s*\Z"
)
_BEHIND: Final = re.compile(r"\s*(?:[)\],:#}]|\bif\b|\bfor\b|\Z|\\n|\")")
# They pair or cut what they take, and sorting comes too late; what a chain takes may have a place of its own.
_PAIRING: Final = frozenset(
    (
        "zip", "zip_longest", "islice", "chain", "from_iterable", "pairwise", "batched", "groupby", "accumulate", "cycle",
        "product", "permutations", "combinations", "takewhile", "dropwhile", "iter", "next", "reversed",
    )
)  # fmt: skip
_REBOUND: Final = re.compile(r"\bsorted\s*=(?!=)|\b(?:def|class|as)\s+(?:sorted|str)\b|\bimport\b.*\b(?:sorted|str)\b")
_TARGET: Final = re.compile(r"\bfor\s+(\w+)\s+in\s*\Z")
_BY_TEXT: Final = ", key=str"
_BY_TOOL_NAME: Final = ', key=lambda tool: tool["function"]["name"]'
_TOOL_FORM: Final = re.compile(r"\[\\?[\"']function\\?[\"']\]\[\\?[\"']name\\?[\"']\]")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``of`` says what is sorted: a ``set``, a ``listing`` of files, or ``tools``."""

    of: str


def edits(prompt: Prompt, hit: Hit, params: Params) -> tuple[Edit, ...] | None:
    """Return the edits that put ``sorted(...)`` around the iterable; None where it may not stand, or how to sort is not known."""
    if prompt.dialect == "script":
        return sorted_in_script(prompt, hit) if params.of == "listing" else None
    place = code_place(prompt, hit.span)
    source = prompt.source.text if prompt.source is not None else ""
    if place is None or _REBOUND.search(source):
        return None
    inner = _taken(place) if params.of == "set" else None
    if inner is not None:
        return _around(place, inner, _key(inner, prompt, hit)) if _called_of(inner) not in _PAIRING else None
    if (
        _called_of(place.tree) in _PAIRING
        or not _AHEAD.search(place.before)
        or _NOT_AHEAD.search(place.before)
        or not _BEHIND.match(place.after)
    ):
        return None
    key = _key_for(params.of, place, prompt, hit)
    if key is None or (key == _BY_TEXT and _are_objects(place, source)):
        return None
    return place.insertion("sorted("), place.insertion(f"{key})", at_end=True)


def _key_for(of: str, place: CodePlace, prompt: Prompt, hit: Hit) -> str | None:
    if of == "set":
        return _key(place.tree, prompt, hit)
    if of == "tools":
        source = prompt.source.text if prompt.source is not None else ""
        is_list = isinstance(place.tree, ast.Call) and _called(place.tree) in ("list", "values", "tuple")
        return _BY_TOOL_NAME if is_list and _TOOL_FORM.search(source) else None
    if isinstance(place.tree, ast.Call) and _called(place.tree) in _PATHS:
        return ""
    return None


def _are_objects(place: CodePlace, source: str) -> bool:
    """Whether attributes of the items are read: the text of an object may tell its address, which sorts nothing."""
    target = _TARGET.search(place.before)
    return target is not None and re.search(rf"\b{target[1]}\.\w+\b(?!\s*\()", source) is not None


def _taken(place: CodePlace) -> ast.expr | None:
    """Return the set that ``list(names)`` or ``", ".join(names)`` takes, None if the place is the set itself."""
    tree = place.tree
    if not isinstance(tree, ast.Call) or len(tree.args) != 1 or tree.keywords or isinstance(tree.args[0], ast.Starred):
        return None
    return tree.args[0] if _called(tree) in (*_TAKES, "join") else None


def _around(place: CodePlace, inner: ast.expr, key: str) -> tuple[Edit, ...] | None:
    """Return edits around a part of a place."""
    if isinstance(inner, ast.GeneratorExp):
        return None
    start = _offset(place.text, inner.lineno, inner.col_offset)
    end = _offset(place.text, inner.end_lineno or inner.lineno, inner.end_col_offset or 0)
    return place.insertion("sorted(", at_end=True, back=len(place.text) - start), place.insertion(
        f"{key})", at_end=True, back=len(place.text) - end
    )


def _offset(text: str, line: int, column: int) -> int:
    """Return the offset in ``text`` of a place in its tree, which has a bracket ahead of it and counts bytes of a line."""
    lines = f"({text}".split("\n")
    return sum(len(each) + 1 for each in lines[: line - 1]) + len(lines[line - 1].encode()[:column].decode()) - 1


def _key(tree: ast.expr, prompt: Prompt, hit: Hit) -> str:
    """Return how the items of a set sort: by themselves if all are text."""
    return "" if _are_texts(tree) or _is_annotated(tree, prompt) else _BY_TEXT


def _are_texts(tree: ast.expr) -> bool:
    if isinstance(tree, ast.Set):
        kinds = {type(item.value) for item in tree.elts if isinstance(item, ast.Constant)}
        return len(kinds) == 1 and kinds <= {str, int} and all(isinstance(item, ast.Constant) for item in tree.elts)
    return isinstance(tree, ast.SetComp) and isinstance(tree.elt, ast.JoinedStr)


def _is_annotated(tree: ast.expr, prompt: Prompt) -> bool:
    """Whether the file says once what the name holds: ``names: set[str]``, or a set of words written out."""
    if not isinstance(tree, ast.Name) or prompt.source is None:
        return False
    text = prompt.source.text
    written = re.findall(rf"\b{re.escape(tree.id)}\s*(?::\s*([^=,)\n]+))?(?:=(?!=)|[,)])", text)
    kinds = {kind.strip() for kind in written if kind.strip()}
    if kinds:
        return all(
            re.fullmatch(
                r"(?:typing\.|t\.)?(?:frozen)?[sS]et\[(?:str|int)\]|(?:typing\.|t\.)?(?:FrozenSet|AbstractSet)\[str\]", k
            )
            for k in kinds
        )
    bound = re.findall(rf"^\s*{re.escape(tree.id)}\s*=\s*(.*)$", text, re.MULTILINE)
    return len(bound) == 1 and _is_set_of_texts(bound[0])


def _is_set_of_texts(code: str) -> bool:
    try:
        return _are_texts(ast.parse(code.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _called_of(tree: ast.expr) -> str:
    return _called(tree) if isinstance(tree, ast.Call) else ""


def _called(call: ast.Call) -> str:
    callee = call.func
    return callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""

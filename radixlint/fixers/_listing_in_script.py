"""Sort the names of a folder where a script lists it: ``readdirSync("docs").sort()``.

The list is new, so that sorting it in place changes nothing that others hold.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from radixlint.detectors import Hit
from radixlint.fixers._script_place import ScriptPlace, given, script_place
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_NOW: Final = ("readdirSync", "globSync")
_LATER: Final = ("readdir",)
_TEXTS: Final = re.compile(r"""["'`]utf-?8["'`]""", re.IGNORECASE)
# With these the items are no texts, or it is not seen what is asked for.
_NOT_TEXTS: Final = re.compile(r"withFileTypes|encoding|buffer|\.\.\.", re.IGNORECASE)


def sorted_in_script(prompt: Prompt, hit: Hit) -> tuple[Edit, ...] | None:
    """Return the edits that sort the list; None where items are not known to be texts, or the list is not there yet."""
    place = script_place(prompt, hit.span)
    if place is None or place.tree.type != "call_expression" or not _gives_texts(place):
        return None
    call, last = place.tree, _last_word(place)
    if last in _NOW:
        return (place.edit(call.end_byte, call.end_byte, ".sort()"),)
    waited = call.parent
    if last not in _LATER or waited is None or waited.type != "await_expression":
        return None
    around = waited.parent
    if around is not None and around.type == "parenthesized_expression":
        return (place.edit(around.end_byte, around.end_byte, ".sort()"),)
    if around is None or around.type == "expression_statement":
        return None
    return place.edit(waited.start_byte, waited.start_byte, "("), place.edit(waited.end_byte, waited.end_byte, ").sort()")


def _last_word(place: ScriptPlace) -> str:
    callee = place.tree.child_by_field_name("function")
    return "" if callee is None else place.source(callee).rpartition(".")[2]


def _gives_texts(place: ScriptPlace) -> bool:
    """Whether the call asks for names alone: a folder, and at most how to read it."""
    arguments = given(place.tree)
    if not 1 <= len(arguments) <= 2:
        return False
    return len(arguments) == 1 or _is_plain(arguments[1], place)


def _is_plain(option: Tree, place: ScriptPlace) -> bool:
    if option.type == "object":
        are_pairs = all(child.type == "pair" for child in option.named_children)
        return are_pairs and not _NOT_TEXTS.search(place.source(option))
    return bool(_TEXTS.fullmatch(place.source(option)))

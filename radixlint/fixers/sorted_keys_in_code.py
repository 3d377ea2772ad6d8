"""Sort the keys that ``json.dumps`` writes: ``sort_keys=True``. What a model wrote itself stays in its own order."""

from __future__ import annotations

import ast
import re
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._code_place import code_place
from radixlint.prompt import Prompt, Role
from radixlint.result.finding import Edit

_DUMPS: Final = re.compile(r"(?:json|simplejson|ujson)\.dumps\Z|dumps\Z")
# Under the same name stands a function that may not know ``sort_keys``.
_OTHERS: Final = re.compile(
    r"^\s*(?:import\s+(?!simplejson\b|ujson\b)[\w.]+\s+as\s+json\b|class\s+json\b|def\s+dumps\b|"
    r"from\s+(?!(?:json|simplejson|ujson|flask)\b)[\w.]+\s+import\b.*\b(?:json|dumps)\b)",
    re.MULTILINE,
)
_MODELS_OWN: Final = re.compile(r"arguments|tool_call|\bloads\(")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edit; None for arguments of a call that a model made, whose order is no accident, and for other functions."""
    place = code_place(prompt, hit.span)
    if place is None or hit.segment.role is Role.ASSISTANT or _MODELS_OWN.search(place.text):
        return None
    if prompt.source is not None and _OTHERS.search(prompt.source.text):
        return None
    call = place.tree
    if _has_mixed_keys(call):
        return None
    if not isinstance(call, ast.Call) or not _DUMPS.fullmatch(ast.unparse(call.func)) or not place.text.endswith(")"):
        return None
    if any(given.arg in (None, "sort_keys") for given in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    head = place.text[:-1].rstrip()
    behind = len(place.text) - len(head)
    if "\n" in place.text[len(head) :] or "#" in place.text.rsplit("\n", 1)[-1]:
        return None
    return (place.insertion(" sort_keys=True" if head.endswith(",") else ", sort_keys=True", at_end=True, back=behind),)


def _has_mixed_keys(tree: ast.expr) -> bool:
    """Whether keys of several kinds stand in one mapping: they cannot be compared."""
    mappings = (node.keys for node in ast.walk(tree) if isinstance(node, ast.Dict))
    return any(len({type(key.value) for key in keys if isinstance(key, ast.Constant)}) > 1 for keys in mappings)

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
_MODELS_OWN: Final = re.compile(r"arguments|tool_call|\bloads\(")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edit; None for arguments of a call that a model made, whose order is no accident, and for other functions."""
    place = code_place(prompt, hit.span)
    if place is None or hit.segment.role is Role.ASSISTANT or _MODELS_OWN.search(place.text):
        return None
    call = place.tree
    if not isinstance(call, ast.Call) or not _DUMPS.fullmatch(ast.unparse(call.func)) or not place.text.endswith(")"):
        return None
    if any(given.arg in (None, "sort_keys") for given in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    head = place.text[:-1].rstrip()
    behind = len(place.text) - len(head)
    if "\n" in place.text[len(head) :] or "#" in place.text.rsplit("\n", 1)[-1]:
        return None
    return (place.insertion(" sort_keys=True" if head.endswith(",") else ", sort_keys=True", at_end=True, back=behind),)

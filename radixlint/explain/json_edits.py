"""What differs between two JSON texts: the order of keys, the way values are written, or a value and where."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from typing import Final

from msgspec import Struct

from radixlint.explain.text_forms import is_text_form
from radixlint.result.cause import Cause, Confidence

_MOST_CHARACTERS: Final = 1 << 20
_MOST_DEPTH: Final = 64
_MOST_NAME: Final = 40
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HIDDEN: Final = "*"
_WORD: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"{}\[\]:,]+|[{}\[\]:,]')


class JsonEdit(Struct, frozen=True):
    """How two JSON texts differ.

    Attributes:
        cause: key order or text form; None if a value differs, for what that means depends on what the JSON is.
        detail: ``key-order``, ``blanks``, ``escapes``, ``number-form``, a text form, or ``value``.
        confidence: how sure the cause is.
        what: what changed, in a phrase for people.
        path: the first object with another order of keys, or the first value that differs, as ``parameters.items[2].name``;
            empty for the whole. A name that is no plain identifier of at most 40 characters is shown as ``*``.
        changed: how many values differ, added and removed ones included.
        equal: how many are equal.
    """

    cause: Cause | None
    detail: str
    confidence: Confidence
    what: str
    path: str
    changed: int
    equal: int


def json_edit(before: str, after: str) -> JsonEdit | None:
    """Return how two JSON objects or arrays differ; None if they do not, or one is no JSON, or they have little in common.

    Objects count as one changed if at least half of their values are equal, or differ in text form alone; arrays must be
    equal as values. Texts of over a million code points or nested over 64 deep are not looked at.
    """
    if before == after:
        return None
    one, other = read_json(before), read_json(after)
    if not isinstance(one, dict | list) or type(one) is not type(other):
        return None
    walk = _Walk()
    try:
        walk.compare(one, other, "", 0)
    except RecursionError:
        return None
    if not walk.changed:
        return _same_value(before, after, walk)
    if walk.are_forms:
        return _edit(
            walk, Cause.TEXT_FORM, "-".join(walk.form.split()), f"the same words in another form ({walk.form})", walk.path
        )
    if not isinstance(one, dict) or walk.equal < walk.changed:
        return None
    return _edit(
        walk, None, "value", "one value of a JSON object changed" if walk.changed == 1 else "JSON values changed", walk.path
    )


def read_json(text: str) -> object:
    """Return the value of a JSON text, numbers as decimals; None if it is none, or too large or too deep to read."""
    if len(text) > _MOST_CHARACTERS:
        return None
    try:
        return json.loads(text, parse_int=Decimal, parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, ArithmeticError, RecursionError):
        return None


def _refuse(word: str) -> object:
    raise ValueError(word)


def _edit(walk: _Walk, cause: Cause | None, detail: str, what: str, path: str | None) -> JsonEdit:
    return JsonEdit(cause, detail, Confidence.HIGH, what, path or "", walk.changed, walk.equal)


def _same_value(before: str, after: str, walk: _Walk) -> JsonEdit:
    if walk.order_path is not None:
        also = "" if Counter(before) == Counter(after) else ", and written in another form"
        return _edit(walk, Cause.KEY_ORDER, "key-order", f"equal JSON with keys in another order{also}", walk.order_path)
    pairs = zip(_WORD.findall(before), _WORD.findall(after), strict=False)
    first = next((one for one, other in pairs if one != other), "")
    if not first:
        return _edit(walk, Cause.TEXT_FORM, "blanks", "equal JSON with other white space", "")
    if first.startswith('"'):
        return _edit(walk, Cause.TEXT_FORM, "escapes", "equal JSON with other escapes", "")
    return _edit(walk, Cause.TEXT_FORM, "number-form", "equal JSON with numbers written in another form", "")


class _Walk:
    """Two values side by side: counts of equal and changed leaves, and the first places that matter."""

    def __init__(self) -> None:
        self.equal = self.changed = 0
        self.path: str | None = None
        self.order_path: str | None = None
        self.form = ""
        self.are_forms = True

    def compare(self, one: object, other: object, path: str, depth: int) -> None:
        """Count below two values at ``path``.

        Raises:
            RecursionError: they are nested too deep.
        """
        if depth > _MOST_DEPTH:
            raise RecursionError
        if isinstance(one, dict) and isinstance(other, dict) and (one or other):
            self._compare_objects(one, other, path, depth)
        elif isinstance(one, list) and isinstance(other, list) and (one or other):
            for at, (a, b) in enumerate(zip(one, other, strict=False)):
                self.compare(a, b, f"{path}[{at}]", depth + 1)
            shared = min(len(one), len(other))
            for at in range(shared, max(len(one), len(other))):
                self._count_change(f"{path}[{at}]")
        elif type(one) is type(other) and one == other:
            self.equal += 1
        else:
            form = is_text_form(one, other) if isinstance(one, str) and isinstance(other, str) else None
            self._count_change(path, form)

    def _compare_objects(self, one: dict[str, object], other: dict[str, object], path: str, depth: int) -> None:
        shared = [key for key in one if key in other]
        if self.order_path is None and shared != [key for key in other if key in one]:
            self.order_path = path
        places = {key: at for at, key in enumerate(one)}
        for at, key in enumerate(other):
            places[key] = min(at, places.get(key, at))
        for key in sorted(places, key=places.__getitem__):
            below = _below(path, key)
            if key in one and key in other:
                self.compare(one[key], other[key], below, depth + 1)
            else:
                self._count_change(below)

    def _count_change(self, path: str, form: str | None = None) -> None:
        self.changed += 1
        self.are_forms = self.are_forms and form is not None
        if self.path is None:
            self.path, self.form = path, form or ""


def _below(path: str, key: str) -> str:
    shown = key if len(key) <= _MOST_NAME and _PLAIN_NAME.fullmatch(key) else _HIDDEN
    return f"{path}.{shown}" if path else shown

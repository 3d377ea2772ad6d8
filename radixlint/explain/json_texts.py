"""JSON that stands in a text, on one line or over several: whether it is only written otherwise in another version."""

from __future__ import annotations

from msgspec import Struct

from radixlint.explain.json_edits import JsonEdit, json_edit
from radixlint.explain.laid_out_texts import common_length
from radixlint.json_spans import json_spans
from radixlint.pieces import one_form


class WrittenJson(Struct, frozen=True):
    """JSON of equal value in two texts, the first in which they differ; it ends at ``end`` of the later one, in code points."""

    edit: JsonEdit
    end: int


def written_json(before: str, after: str) -> WrittenJson | None:
    """Return how the JSON around the first difference of two texts is written otherwise.

    None if they differ outside of JSON first, or the JSON has other values.
    """
    at = common_length(before, after)
    one, other = _span(before, at), _span(after, at)
    if one is None or other is None or one[0] != other[0]:
        return None
    edit = json_edit(before[slice(*one)], after[slice(*other)])
    return None if edit is None or edit.cause is None else WrittenJson(edit, other[1])


def written_texts(before: str, after: str) -> JsonEdit | None:
    """Return how two texts differ that are equal but for how JSON in them is written, None if more differs."""
    found = written_json(before, after)
    return None if found is None or _values(before) != _values(after) else found.edit


def _span(text: str, at: int) -> tuple[int, int] | None:
    """Return the JSON that the code point at ``at`` is in."""
    for start, end in json_spans(text):
        if start > at:
            return None
        if at < end:
            return start, end
    return None


def _values(text: str) -> str:
    """Return ``text`` with its JSON in one form."""
    parts, at = [], 0
    for start, end in json_spans(text):
        parts += [text[at:start], one_form(text[start:end])]
        at = end
    return "".join((*parts, text[at:]))

"""Take out the cache marks that a hit points to."""

from __future__ import annotations

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._body_tree import body_tree
from radixlint.fixers._mark_cuts import without_mark
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edits that take out the marks among the related places; None if there are none, or one cannot go alone."""
    spans = {related.span for related in hit.related}
    marks = [mark for mark in prompt.request.marks if mark.span in spans] if prompt.request is not None else []
    body = body_tree(prompt) if marks else None
    return body.edits([without_mark(body, mark) for mark in marks]) if body is not None else None

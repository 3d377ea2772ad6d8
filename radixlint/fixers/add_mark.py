"""Mark the last block that stays the same, so that the provider caches what stands up to its end."""

from __future__ import annotations

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._body_tree import body_tree
from radixlint.fixers._mark_places import last_place, mark_key, marked
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edits that add the mark; None if no block ends where the hit says that one may, or it can carry none."""
    facts = prompt.request
    if facts is None or facts.limits is None or hit.markable is None:
        return None
    body, key = body_tree(prompt), mark_key(facts, facts.limits)
    place = last_place(prompt, body, hit.markable) if body is not None and key is not None else None
    if body is None or key is None or place is None:
        return None
    return body.edits(marked(body, place, key) or [])

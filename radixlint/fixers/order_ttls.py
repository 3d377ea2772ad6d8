"""Give the times to live of a body's cache marks to the same marks in falling order, so that the longer ones stand first."""

from __future__ import annotations

import msgspec

from radixlint.detectors import Hit
from radixlint.detectors._body_marks import read_marks, ttl_s
from radixlint.fixers._body_tree import BodyTree, Change, body_tree
from radixlint.fixers._pair_changes import with_pair, without_pair
from radixlint.fixers._written_values import manner_at
from radixlint.prompt import CacheMark, Prompt
from radixlint.result.finding import Edit


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, _hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edits of the marks whose time changes; None if one of the times is not known."""
    facts = prompt.request
    marks = read_marks(facts, facts.limits) if facts is not None and facts.limits is not None else []
    times = [ttl_s(mark) for mark in marks]
    body = body_tree(prompt)
    if body is None or any(time is None for time in times):
        return None
    given = sorted(marks, key=lambda mark: -(ttl_s(mark) or 0))
    changed = [(mark, source) for mark, source in zip(marks, given, strict=True) if ttl_s(mark) != ttl_s(source)]
    return body.edits([_with_ttl(body, mark, source.ttl) for mark, source in changed])


def _with_ttl(body: BodyTree, mark: CacheMark, ttl: str | None) -> Change | None:
    """Return what makes a mark live for ``ttl``, None for the time that a mark has which does not say."""
    from radixlint.sources._tree import Leaf, Table

    carrier = body.carrier(mark)
    table = carrier.table.get(mark.key) if carrier is not None else None
    if not isinstance(table, Table):
        return None
    held = table.get("ttl")
    if ttl is None:
        return without_pair(body, table, "ttl")
    if held is None:
        return with_pair(body, table, "ttl", ttl, manner_at(body.text, table, body.path.lower().endswith(".json")))
    if not isinstance(held, Leaf):
        return None
    quote = body.text[held.start] if body.text[held.start] in "\"'" else ""
    return Change(held.start, held.end, f"{quote}{ttl}{quote}")

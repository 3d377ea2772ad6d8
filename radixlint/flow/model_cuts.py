"""Cuts of text that is not known: which part is taken decides how long it stays the same (the day of an ISO time)."""

from __future__ import annotations

import msgspec

from radixlint.flow.calls import Outcome, Site
from radixlint.flow.values import Number, Unknown, Written

_DAY_CHARS = 10


def cut_of_unknown(site: Site, last: str) -> Outcome | None:
    """Return the first ten characters of a text, or what stands ahead of its ``T``, told as such; None for other cuts."""
    receiver = site.receiver
    if not isinstance(receiver, Unknown):
        return None
    numbers = [value.value for value in site.positional if isinstance(value, Number)]
    first = site.positional[0] if site.positional else None
    is_day = last in ("slice", "substring", "substr") and numbers == [0, _DAY_CHARS]
    is_split = last in ("split", "partition") and isinstance(first, Written) and first.fixed == "T"
    # Luxon's form of a moment without its time.
    is_date = last in ("toISODate", "toSQLDate")
    if not is_day and not is_split and not is_date:
        return None
    facts = msgspec.structs.replace(receiver.facts, filters=(*receiver.facts.filters, "[:10]"))
    return Outcome(msgspec.structs.replace(receiver, facts=facts))

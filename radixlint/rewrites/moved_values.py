"""A value that changes moves behind what does not: to the newest turn, or by half only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from radixlint.rewrites.carried_values import Placement, carried
from radixlint.rewrites.message_edits import Edit, MessageEdits, Span
from radixlint.rewrites.repeated_edits import with_edits
from radixlint.traffic import Request


class Target(StrEnum):
    """Where a value goes; all but the first are half fixes."""

    NEWEST_END = "newest-end"
    """Behind the newest turn of the user, with which it stays."""
    NEWEST_START = "newest-start"
    """In front of the newest turn of the user, with which it stays."""
    SYSTEM_END = "system-end"
    """Behind the text in which it stands."""
    DROPPED_FROM_OLDER = "dropped-from-older"
    """Behind the newest turn of the user; older turns are sent without it."""


def moved(
    requests: Sequence[Request], spans: Mapping[int, Span], chains: Sequence[int], target: Target, label: str = ""
) -> tuple[Request, ...]:
    """Return the requests with each span's text moved to ``target``, on a line of its own.

    A span of whole lines takes their line end with it. ``label`` is put in front of each value: the fixed words of its line,
    where only the value moves. Requests without a span carry the values of earlier turns where these stay, else they are
    the same objects.

    Args:
        requests: the log, in the order of sending.
        spans: the span of a request, by the request's position.
        chains: the conversation number of each request, by position.
        target: where to.
        label: what a value needs in front of it to be understood.
    """
    if target is Target.SYSTEM_END:
        return with_edits(requests, _to_text_ends(requests, spans, label))
    placement = Placement(is_in_front=target is Target.NEWEST_START, label=label, stays=target is not Target.DROPPED_FROM_OLDER)
    return carried(requests, spans, chains, placement)


def _to_text_ends(requests: Sequence[Request], spans: Mapping[int, Span], label: str) -> dict[int, tuple[int, Edit]]:
    edits = MessageEdits()
    found: dict[int, tuple[int, Edit]] = {}
    for position, span in spans.items():
        message = requests[position].messages[span.message]
        value, rest = edits.taken(message, span.start, span.end)
        if value:
            changed = edits.with_end(rest.message, label + value)
            found[position] = span.message, rest._replace(message=message if changed == message else changed)
    return found

"""A value replaced by one that changes less often, such as a time by its date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from radixlint.rewrites.message_edits import MessageEdits, Span
from radixlint.rewrites.repeated_edits import with_edits
from radixlint.traffic import Request


def replaced(requests: Sequence[Request], spans: Mapping[int, Span], texts: Mapping[int, str]) -> tuple[Request, ...]:
    """Return the requests with ``texts`` in place of what the spans hold; both by the request's position.

    Spans without a text are left alone. A turn that was changed stays changed in later requests that repeat it.
    """
    edits = MessageEdits()
    return with_edits(
        requests,
        {
            position: (span.message, edits.spliced(requests[position].messages[span.message], span.start, span.end, text))
            for position, text in texts.items()
            if (span := spans.get(position)) is not None
        },
    )

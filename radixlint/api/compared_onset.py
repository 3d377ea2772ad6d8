"""Since when a cause stands at a place: the first request from which on it began or grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from radixlint.api.compared_part import MeasuredPart
from radixlint.privacy import INSTRUCTIONS
from radixlint.result.cause import Cause
from radixlint.traffic import Request

# Each request holds its own value: the one that it is compared with holds one as well.
_IN_EACH: Final = frozenset(
    one.value for one in (Cause.CLOCK, Cause.ID, Cause.COUNTER, Cause.LIVE_STATE, Cause.TENANT_BEFORE_SHARED)
)

# What differs stands in tools or instructions, as it does in a first request that differs from all before.
_IN_HEAD: Final = frozenset(
    one.value for one in (Cause.TOOL_ORDER, Cause.TOOL_SET, Cause.KEY_ORDER, Cause.TEXT_FORM, Cause.SECTION_ORDER)
)


class Onset(Struct, frozen=True):
    """One request, named as reports name it, and when it was sent; None where the log has no times."""

    time_s: float | None
    request: str


class Losses(Struct, frozen=True):
    """What one break lost in one part: tokens by position of the measured request."""

    part: MeasuredPart
    cause: str
    tokens: Mapping[int, int]

    def origin(self, position: int) -> int:
        """Return the first request with the cause, if the one at ``position`` is the first that broke.

        It is the one that this is compared with where that holds a value too, and could not break since it was compared
        with nothing itself.
        """
        explanation = self.part.explained.explanation
        partner = explanation.partners[position] if explanation else -1
        if explanation and self.cause in _IN_EACH and partner >= 0 and explanation.partners[partner] < 0:
            return partner
        return position


def first_onset(losses: Losses, before: MeasuredPart | None = None) -> Onset:
    """Return the first request with the cause.

    That is also one that the first that broke is compared with, where it had nothing itself to break against in its part,
    but has tools or instructions that no request of the part ``before`` has.
    """
    part, position = losses.part, losses.origin(min(losses.tokens))
    explanation = part.explained.explanation
    partner = explanation.partners[position] if explanation else -1
    if before is not None and explanation and losses.cause in _IN_HEAD and partner >= 0 and explanation.partners[partner] < 0:
        known = {_head(request) for request in before.tokens.measured}
        position = position if _head(part.tokens.measured[partner]) in known else partner
    return _onset(part, position)


def _head(request: Request) -> tuple[object, ...]:
    """Return the tools and instructions of a request."""
    said = (message.text for message in request.messages if message.role in INSTRUCTIONS)
    return (request.namespace, *request.tools, *said)


def growth_onset(before: Losses, after: Losses) -> Onset:
    """Return the first request that broke from where on more was lost than before.

    That is where the losses so far are furthest below the mean of both parts (the foot of the cumulative sum).
    """
    rows = [(one, position) for one in (before, after) for position in range(len(one.part.tokens.measured))]
    lost = [one.tokens.get(position, 0) for one, position in rows]
    sizes = [one.part.replayed.matches[position].prompt_tokens for one, position in rows]
    start = _foot(lost, sizes)
    part, position = rows[next((i for i in range(start, len(rows)) if lost[i]), start)]
    return _onset(part.part, part.origin(position))


def _foot(lost: Sequence[int], sizes: Sequence[int]) -> int:
    whole_lost, whole_size = sum(lost), max(sum(sizes), 1)
    lowest, so_far, so_large, start = 0.0, 0, 0, 0
    for i, (tokens, size) in enumerate(zip(lost, sizes, strict=True)):
        so_far += tokens
        so_large += size
        height = so_far - whole_lost * so_large / whole_size
        if height < lowest:
            lowest, start = height, i + 1
    return start


def _onset(part: MeasuredPart, position: int) -> Onset:
    request = part.tokens.measured[position]
    return Onset(request.time_s, part.names.of(request, position))

"""A retrieved or injected block goes in front of the question it was fetched for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from radixlint.rewrites.carried_values import Placement, carried
from radixlint.rewrites.message_edits import Span
from radixlint.traffic import Request

_GAP: Final = "\n\n"


def kept(requests: Sequence[Request], spans: Mapping[int, Span], chains: Sequence[int]) -> tuple[Request, ...]:
    """Return the requests with each block in front of its question, a blank line between, where later requests leave it.

    Args:
        requests: the log, in the order of sending.
        spans: the block of a request, by the request's position.
        chains: the conversation number of each request, by position.
    """
    return carried(requests, spans, chains, Placement(is_in_front=True, gap=_GAP))


def kept_in_newest(requests: Sequence[Request], spans: Mapping[int, Span], chains: Sequence[int]) -> tuple[Request, ...]:
    """Return the requests with each block in front of its question, left out of older turns: the half fix beside ``kept``."""
    return carried(requests, spans, chains, Placement(is_in_front=True, gap=_GAP, stays=False))

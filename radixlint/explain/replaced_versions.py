"""One version of a text or of a list of tools that took the place of another for good, as a deploy does it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import groupby
from typing import Final

_MOST_VERSIONS: Final = 3
_LEAST_CHAINS: Final = 2


def are_replaced(versions: Sequence[Hashable], chains: Sequence[int]) -> bool:
    """Return whether each version is replaced by the next for good, in several conversations each.

    Args:
        versions: what each request has, in the order of sending.
        chains: the conversation number of each.
    """
    stretches = [{chain for _, chain in run} for _, run in groupby(zip(versions, chains, strict=True), key=lambda one: one[0])]
    if not 1 < len(stretches) <= _MOST_VERSIONS or len(stretches) != len(set(versions)):
        return False
    # What one conversation alone was given, or took up, may be its own state.
    return all(len(held) >= _LEAST_CHAINS for held in stretches)

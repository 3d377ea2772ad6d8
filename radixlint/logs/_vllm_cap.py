"""Whether ``--max-log-len`` cut the prompts of a vLLM log: both the characters and the ids, at one length and silently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

_LEAST_CHARACTERS: Final = 16
_LEAST_PROMPTS: Final = 3
_ROUND: Final = (50, 64)


class Extent(Struct, frozen=True):
    """How much of one prompt is logged: ``characters`` and ``ids``, None for what is not.

    ``content`` is a hash of what is logged, ``ending`` its last characters.
    """

    characters: int | None
    ids: int | None
    content: bytes
    ending: str = ""


def find_cap(extents: Sequence[Extent]) -> int | None:
    """Return the length at which all longer prompts were cut, None if nothing says so.

    No prompt exceeds a cap, so it can only be the largest length there is. It is one if

    - text and ids of one prompt both have that length, and it is round or two prompts do; but not if shorter prompts
      too have as many ids as characters, as with a vocabulary of bytes;
    - or, with text alone, it is round, at least three different texts have it, and they do not all end alike: what a
      chat template puts at the end shows that a prompt is complete;
    - or, with ids alone, it is round, at least three different prompts have it, and others are shorter: prompts all of
      one length are most likely made so.
    """
    longest = max((max(e.characters or 0, e.ids or 0) for e in extents), default=0)
    if longest < _LEAST_CHARACTERS:
        return None
    both = [e for e in extents if e.characters is not None and e.ids is not None]
    texts = [e for e in extents if e.ids is None]
    ids = [e for e in extents if e.characters is None]
    is_cut = _is_cut_in_both(both, longest) or _is_cut_in_text(texts, longest) or _is_cut_in_ids(ids, longest)
    return longest if is_cut else None


def is_one_length(extents: Sequence[Extent]) -> bool:
    """Whether several prompts are there as ids alone and all have one round length: a cap, or made so; nobody can tell."""
    lengths = {extent.ids for extent in extents if extent.characters is None and extent.ids is not None}
    return len(lengths) == 1 and len(extents) >= _LEAST_PROMPTS and _is_round(lengths.pop())


def _is_cut_in_both(extents: Sequence[Extent], longest: int) -> bool:
    equal = [e.characters for e in extents if e.characters == e.ids]
    at_cap = equal.count(longest)
    is_bytes = any(n is not None and _LEAST_CHARACTERS <= n < longest for n in equal)
    return not is_bytes and (at_cap > 1 or (at_cap == 1 and _is_round(longest)))


def _is_cut_in_text(extents: Sequence[Extent], longest: int) -> bool:
    at_cap = {e.content: e.ending for e in extents if e.characters == longest}
    return _is_round(longest) and len(at_cap) >= _LEAST_PROMPTS and len(set(at_cap.values())) > 1


def _is_cut_in_ids(extents: Sequence[Extent], longest: int) -> bool:
    at_cap = {e.content for e in extents if e.ids == longest}
    is_mixed = any(e.ids != longest for e in extents)
    return _is_round(longest) and len(at_cap) >= _LEAST_PROMPTS and is_mixed


def _is_round(length: int) -> bool:
    return any(length % step == 0 for step in _ROUND)

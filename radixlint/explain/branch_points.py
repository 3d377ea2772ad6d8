"""The branch points that lose most: where requests part, what they compute behind it, and how much of that is repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.explain.laid_out_texts import LaidOutTexts, value_start
from radixlint.explain.partings import Parting, PartingPlace, parting_places, shared_end
from radixlint.explain.repeats import RUN_TOKENS, repeated_tokens, run_hashes, without_closing
from radixlint.privacy import Disclosure, Shown
from radixlint.replay import Replayed
from radixlint.result.breaks import Break
from radixlint.traffic import TOKEN_BYTES, TokenRequest

CANDIDATES: Final = 32
_COMPARED_TOKENS: Final = 2_000_000
_SHOWN_CHARACTERS: Final = 80
_SHARED_CHARACTERS: Final = 60
_VALUE_CHARACTERS: Final = 200
_EXAMPLES: Final = 3
_NEAR: Final = 32


class BranchPoints(Struct, frozen=True):
    """``breaks``, worst first, and full sentences on what was left out."""

    breaks: tuple[Break, ...]
    notes: tuple[str, ...]


def branch_points(
    tokenized: Sequence[TokenRequest],
    replayed: Replayed,
    conversations: Sequence[int],
    texts: LaidOutTexts,
    disclosure: Disclosure,
    top: int,
) -> BranchPoints:
    """Return the ``top`` branch points by repeated, then by lost tokens.

    Repeated tokens are worked out for the 32 places that lose most, so a place outside of these cannot rank.
    """
    places = parting_places(tokenized, replayed, conversations, texts)
    candidates = places[:CANDIDATES]
    notes: list[str] = []
    if len(places) > CANDIDATES:
        notes.append(
            f"Branch points: repeated tokens were worked out for the {CANDIDATES} of {len(places)} places that lose most."
        )
    steps = _steps(candidates)
    repeats = [_repeats(place, step, tokenized) for place, step in zip(candidates, steps, strict=True)]
    sampled = sum(step > 1 for step in steps)
    if sampled:
        notes.append(
            f"Branch points: repeated tokens of the {sampled} largest are estimates from an even sample of their requests."
        )
    ranked = sorted(zip(candidates, repeats, strict=True), key=lambda pair: (-pair[1], -pair[0].lost_tokens))[:top]
    breaks = tuple(_describe(place, repeated, texts, disclosure, tokenized) for place, repeated in ranked)
    return BranchPoints(breaks, tuple(notes))


def _steps(places: Sequence[PartingPlace]) -> list[int]:
    """Return of how many partings of each place one is compared: all of them unless that is too much work."""
    # A comparison reads both remainders, which are about equally long.
    if 2 * sum(place.lost_tokens for place in places) <= _COMPARED_TOKENS:
        return [1] * len(places)
    share = _COMPARED_TOKENS // CANDIDATES
    return [max(1, min(len(place.partings), -(-2 * place.lost_tokens // share))) for place in places]


def _repeats(place: PartingPlace, step: int, tokenized: Sequence[TokenRequest]) -> int:
    """Return the repeated tokens of a place, from every ``step``-th of its partings, scaled by the tokens lost."""
    import numpy as np

    repeated = lost_tokens = 0
    known: tuple[int, int] | None = None
    for parting in place.partings[::step]:
        partner = tokenized[parting.partner]
        start = shared_end(partner, parting.shared_tokens)
        if known != (parting.partner, parting.shared_tokens):
            known = parting.partner, parting.shared_tokens
            earlier = np.sort(run_hashes(_sequence(partner)[start:]))
        later = run_hashes(without_closing(tokenized[parting.position].tokens[start:], partner.tokens))
        repeated += repeated_tokens(later, earlier)
        lost_tokens += parting.lost_tokens
    return repeated * place.lost_tokens // lost_tokens


def _describe(
    place: PartingPlace, repeated: int, texts: LaidOutTexts, disclosure: Disclosure, tokenized: Sequence[TokenRequest]
) -> Break:
    first = min(place.partings, key=lambda p: (p.offset, p.shared_tokens, p.position))
    sides = [position for p in place.partings for position in (p.position, p.partner)]
    text = texts.text(first.position)
    start = value_start(text, first.offset)
    values = _count_values(sides, first, start, texts, tokenized)
    near = list(dict.fromkeys(sides))[:_NEAR]

    def shown(side: str, begin: int, end: int, *beside: Shown) -> Shown:
        return disclosure.shown(side, begin, min(end, len(side)), near=near, size=_SHOWN_CHARACTERS, beside=beside)

    before = shown(texts.text(first.partner), start, start + _SHOWN_CHARACTERS)
    after = shown(text, start, start + _SHOWN_CHARACTERS)
    # The values matter most; the words in front of them are shown as far as they are common together with them.
    shared = shown(text, _word_start(text, start - _SHARED_CHARACTERS, start), start, before, after)
    return Break(
        cause="unknown",
        where=place.where,
        token_index=min(p.shared_tokens for p in place.partings),
        requests=len(place.partings),
        computed_tokens=place.lost_tokens,
        lost_tokens=repeated,
        values=values,
        shared=shared.text,
        before=before.text,
        after=after.text,
        examples=tuple(f"record {p.position}" for p in place.partings[:_EXAMPLES]),
    )


def _count_values(sides: list[int], first: Parting, start: int, texts: LaidOutTexts, tokenized: Sequence[TokenRequest]) -> int:
    """Count the different continuations: the rest of the line, or the next eight tokens where there is no text."""
    if texts.text(first.position):
        return len({texts.text(s)[start : start + _VALUE_CHARACTERS].split("\n", 1)[0] for s in dict.fromkeys(sides)})
    found = (tokenized[s] for s in dict.fromkeys(sides))
    starts = ((_sequence(r), shared_end(r, first.shared_tokens)) for r in found)
    return len({sequence[at : at + RUN_TOKENS * TOKEN_BYTES] for sequence, at in starts})


def _sequence(request: TokenRequest) -> bytes:
    return request.tokens + request.output


def _word_start(text: str, start: int, end: int) -> int:
    """Return the first place from ``start`` (at least 0) that does not cut a word, or ``end``."""
    start = max(0, start)
    while 0 < start < end and not text[start - 1].isspace():
        start += 1
    return start

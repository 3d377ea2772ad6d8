"""The branch points that lose most: where requests part, what they compute behind it, and how much of that is repeated."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
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
    """``breaks``, worst first, full sentences on what was left out, and what each request lost at one of them.

    ``examples`` are the first requests of each break, by position.
    """

    breaks: tuple[Break, ...]
    notes: tuple[str, ...]
    lost_tokens: Sequence[int]
    examples: tuple[tuple[int, ...], ...]


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
            f"Prompts of ids part at {len(places):,} places; the {CANDIDATES} with most tokens behind them were searched for "
            "what had been sent before."
        )
    steps = _steps(candidates)
    lost_tokens = array("I", bytes(4 * len(tokenized)))
    for place, step in zip(candidates, steps, strict=True):
        for parting, lost in zip(place.partings, _repeats(place, step, tokenized), strict=True):
            lost_tokens[parting.position] = lost
    repeats = [sum(lost_tokens[parting.position] for parting in place.partings) for place in candidates]
    sampled = sum(step > 1 for step in steps)
    if sampled:
        notes.append(
            f"What had been sent before at the {sampled} largest places where ids part is an estimate from an even sample of "
            "their requests."
        )
    ranked = sorted(zip(candidates, repeats, strict=True), key=lambda pair: (-pair[1], -pair[0].lost_tokens))[:top]
    breaks = tuple(_describe(place, repeated, texts, disclosure, tokenized) for place, repeated in ranked)
    return BranchPoints(breaks, tuple(notes), lost_tokens, tuple(_examples(place) for place, _ in ranked))


def branch_at(
    position: int,
    tokenized: Sequence[TokenRequest],
    replayed: Replayed,
    conversations: Sequence[int],
    texts: LaidOutTexts,
    disclosure: Disclosure,
) -> tuple[int, Break | None]:
    """Return whom one request parted from, and the branch point with what this one lost there; -1 and None for nothing."""
    for place in parting_places(tokenized, replayed, conversations, texts):
        parting = next((one for one in place.partings if one.position == position), None)
        if parting is not None:
            repeated = _counted_repeats([parting], tokenized)[0]
            found = _describe(place, repeated, texts, disclosure, tokenized) if repeated else None
            return parting.partner, found
    return -1, None


def _steps(places: Sequence[PartingPlace]) -> list[int]:
    """Return of how many partings of each place one is compared: all of them unless that is too much work."""
    # A comparison reads both remainders, which are about equally long.
    if 2 * sum(place.lost_tokens for place in places) <= _COMPARED_TOKENS:
        return [1] * len(places)
    share = _COMPARED_TOKENS // CANDIDATES
    return [max(1, min(len(place.partings), -(-2 * place.lost_tokens // share))) for place in places]


def _repeats(place: PartingPlace, step: int, tokenized: Sequence[TokenRequest]) -> list[int]:
    """Return the repeated tokens of each parting of a place: counted in every ``step``-th, the rest in proportion to these."""
    counted = _counted_repeats(place.partings[::step], tokenized)
    if step == 1:
        return counted
    share = sum(counted) / max(1, sum(parting.lost_tokens for parting in place.partings[::step]))
    return [int(share * parting.lost_tokens) for parting in place.partings]


def _counted_repeats(partings: Iterable[Parting], tokenized: Sequence[TokenRequest]) -> list[int]:
    import numpy as np

    found: list[int] = []
    known: tuple[int, int] | None = None
    for parting in partings:
        partner = tokenized[parting.partner]
        start = shared_end(partner, parting.shared_tokens)
        if known != (parting.partner, parting.shared_tokens):
            known = parting.partner, parting.shared_tokens
            earlier = np.sort(run_hashes(_sequence(partner)[start:]))
        later = run_hashes(without_closing(tokenized[parting.position].tokens[start:], partner.tokens))
        found.append(repeated_tokens(later, earlier))
    return found


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
        examples=tuple(f"request {position}" for position in _examples(place)),
    )


def _examples(place: PartingPlace) -> tuple[int, ...]:
    return tuple(parting.position for parting in place.partings[:_EXAMPLES])


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

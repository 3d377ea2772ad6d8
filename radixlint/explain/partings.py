"""Where each request left what was cached: with whom it parted, after how many tokens, and at which place of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, structs

from radixlint.explain.laid_out_texts import LaidOutTexts, common_length
from radixlint.replay import NumberColumns, Replayed
from radixlint.traffic import TOKEN_BYTES, TokenRequest

_LONG_LINE_CHARACTERS: Final = 200


class Parting(Struct, frozen=True, gc=False):
    """Request ``position`` went on as ``partner`` did for ``shared_tokens`` tokens, and otherwise behind them.

    ``offset`` is where their texts differ, in code points; 0 without texts.
    """

    position: int
    partner: int
    shared_tokens: int
    lost_tokens: int
    offset: int


class PartingPlace(Struct):
    """All partings at one place: the same prefix up to the start of the line (or the same tokens, without texts)."""

    where: str
    partings: NumberColumns[Parting]
    lost_tokens: int = 0


def parting_places(
    tokenized: Sequence[TokenRequest], replayed: Replayed, conversations: Sequence[int], texts: LaidOutTexts
) -> list[PartingPlace]:
    """Group the requests that computed something by the place where they parted, most lost tokens first.

    A request that goes on where a cached one ends has not parted from it: its new tokens are just new.
    """
    places: dict[tuple[str, str, int], PartingPlace] = {}
    for parting, request in _partings(tokenized, replayed, conversations, texts):
        key = _place_key(parting, request, texts)
        place = places.setdefault(key, PartingPlace(key[1], NumberColumns.empty(Parting, 5)))
        place.partings.append(*structs.astuple(parting))
        place.lost_tokens += parting.lost_tokens
    return sorted(places.values(), key=lambda p: (-p.lost_tokens, p.partings[0].position))


def shared_end(request: TokenRequest, shared_tokens: int) -> int:
    """Return the length in bytes of the ids that stand for the first ``shared_tokens`` of ``request``."""
    return -(-shared_tokens // request.id_tokens) * TOKEN_BYTES


def _partings(
    tokenized: Sequence[TokenRequest], replayed: Replayed, conversations: Sequence[int], texts: LaidOutTexts
) -> Iterator[tuple[Parting, TokenRequest]]:
    latest: dict[int, int] = {}
    latest_of: dict[str, int] = {}
    for position, (match, nearest) in enumerate(zip(replayed.matches, replayed.partners, strict=True)):
        previous = latest.get(conversations[position])
        latest[conversations[position]] = position
        namespace = tokenized[position].namespace
        if nearest is None and not match.shareable_tokens:
            # What differs from the first token on parted from no one: the request before it is as good as any.
            nearest = latest_of.get(namespace)
        latest_of[namespace] = position
        lost_tokens = match.prompt_tokens - match.shareable_tokens
        if not lost_tokens or nearest is None:
            continue
        partner = nearest
        if previous not in (None, nearest) and _shares(tokenized, replayed, previous, position):
            partner = previous  # if it shares as much as any, it is whom this one should have matched
        if replayed.stored_tokens[partner] <= match.shareable_tokens:
            continue
        before, request = texts.text(partner), tokenized[position]
        offset = common_length(texts.text(position), before)
        if before and offset == len(before) and not tokenized[partner].output:
            # The same text throughout, though its last token differs: "\n" goes on as "\n\n".
            continue
        yield Parting(position, partner, match.shareable_tokens, lost_tokens, offset), request


def _shares(tokenized: Sequence[TokenRequest], replayed: Replayed, previous: int, position: int) -> bool:
    """Whether request ``previous`` holds all that request ``position`` shares with any."""
    shared_tokens = replayed.matches[position].shareable_tokens
    if replayed.stored_tokens[previous] < shared_tokens:
        return False
    before, request = tokenized[previous], tokenized[position]
    shared = request.tokens[: shared_end(request, shared_tokens)]
    return before.namespace == request.namespace and (before.tokens + before.output).startswith(shared)


def _place_key(parting: Parting, request: TokenRequest, texts: LaidOutTexts) -> tuple[str, str, int]:
    # Of the prefix its hash, for many long ones may be told apart; nothing that is shown depends on the value.
    text = texts.text(parting.position)
    if not text:
        prefix = request.tokens[: shared_end(request, parting.shared_tokens)]
        return request.namespace, "token ids", hash(prefix)
    place = texts.place(parting.position, parting.offset)
    # A very long line is many places: a question at its end is not the clock at its start.
    start = parting.offset - (parting.offset - place.line_start) % _LONG_LINE_CHARACTERS
    return request.namespace, place.where, hash(text[:start])

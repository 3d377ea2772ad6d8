"""Where each request left what was cached: with whom it parted, after how many tokens, and at which place of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from radixlint.explain.laid_out_texts import LaidOutTexts, common_length
from radixlint.replay import Replayed
from radixlint.traffic import TOKEN_BYTES, TokenRequest

_LONG_LINE_CHARACTERS: Final = 200


class Parting(Struct, frozen=True):
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
    partings: list[Parting]
    lost_tokens: int = 0


def parting_places(
    tokenized: Sequence[TokenRequest], replayed: Replayed, conversations: Sequence[int], texts: LaidOutTexts
) -> list[PartingPlace]:
    """Group the requests that computed something by the place where they parted, most lost tokens first.

    A request that goes on where a cached one ends has not parted from it: its new tokens are just new.
    """
    places: dict[tuple[str, str, bytes], PartingPlace] = {}
    for parting, request in _partings(tokenized, replayed, conversations, texts):
        key = _place_key(parting, request, texts)
        place = places.setdefault(key, PartingPlace(key[1], []))
        place.partings.append(parting)
        place.lost_tokens += parting.lost_tokens
    return sorted(places.values(), key=lambda p: (-p.lost_tokens, p.partings[0].position))


def shared_end(request: TokenRequest, shared_tokens: int) -> int:
    """Return the length in bytes of the ids that stand for the first ``shared_tokens`` of ``request``."""
    return -(-shared_tokens // request.id_tokens) * TOKEN_BYTES


def _partings(
    tokenized: Sequence[TokenRequest], replayed: Replayed, conversations: Sequence[int], texts: LaidOutTexts
) -> Iterator[tuple[Parting, TokenRequest]]:
    latest: dict[int, int] = {}
    for position, (request, match) in enumerate(zip(tokenized, replayed.matches, strict=True)):
        previous = latest.get(conversations[position])
        latest[conversations[position]] = position
        lost_tokens = request.prompt_tokens - match.shareable_tokens
        if not lost_tokens:
            continue
        partner = _partner(tokenized, request, match.shareable_tokens, previous, replayed.partners[position])
        if partner is None or _length_tokens(partner[1]) <= match.shareable_tokens:
            continue
        before = texts.text(partner[0])
        offset = common_length(texts.text(position), before)
        if before and offset == len(before) and not partner[1].output:
            # The same text throughout, though its last token differs: "\n" goes on as "\n\n".
            continue
        yield Parting(position, partner[0], match.shareable_tokens, lost_tokens, offset), request


def _partner(
    tokenized: Sequence[TokenRequest], request: TokenRequest, shared_tokens: int, previous: int | None, nearest: int | None
) -> tuple[int, TokenRequest] | None:
    """Prefer the conversation's previous request if it shares as much as any: it is whom this one should have matched."""
    if nearest is None:
        return None
    if previous is not None and previous != nearest:
        before = tokenized[previous]
        shared = request.tokens[: shared_end(request, shared_tokens)]
        if before.namespace == request.namespace and (before.tokens + before.output).startswith(shared):
            return previous, before
    return nearest, tokenized[nearest]


def _length_tokens(request: TokenRequest) -> int:
    return request.prompt_tokens + len(request.output) // TOKEN_BYTES * request.id_tokens


def _place_key(parting: Parting, request: TokenRequest, texts: LaidOutTexts) -> tuple[str, str, bytes]:
    text = texts.text(parting.position)
    if not text:
        prefix = request.tokens[: shared_end(request, parting.shared_tokens)]
        return request.namespace, "token ids", blake2b(prefix, digest_size=16).digest()
    place = texts.place(parting.position, parting.offset)
    # A very long line is many places: a question at its end is not the clock at its start.
    start = parting.offset - (parting.offset - place.line_start) % _LONG_LINE_CHARACTERS
    prefix = text[:start].encode("utf-8", "surrogatepass")
    return request.namespace, place.where, blake2b(prefix, digest_size=16).digest()

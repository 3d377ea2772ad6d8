"""What a body asks the provider to cache is shorter than the shortest prefix that the provider caches for the model."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._body_marks import as_of, has_history, known_tokens, limited, plain, read_marks, talk_start
from radixlint.prompt import CacheLimits, Confidence, Prompt, Span
from radixlint.stake import CountTokens
from radixlint.stake.cached_resource import sign_of_object
from radixlint.stake.provider_words import provider_words


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets.

    The tokens are an estimate: with ``margin_rate`` more of them the prefix must still be too short, and with
    ``sure_margin_rate`` more for the finding to be sure. ``asking`` are parameters by which a body asks for caching where the
    provider caches by itself.
    """

    margin_rate: float
    sure_margin_rate: float
    asking: frozenset[str]


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield at most one hit: at the mark with the longest prefix, or at the parameter that asks to cache or makes an object."""
    known = limited(prompt)
    if known is None:
        return
    facts, limits = known
    marks = read_marks(facts, limits)
    start = talk_start(prompt)
    made = sign_of_object(facts)
    if made is not None:
        limits, end, place = _of_objects(limits), len(prompt.segments), made.span
        what, grows = "the object to be cached", False
    elif marks:
        last = marks[-1]
        end, place = last.segment + 1, last.span
        what, grows = "the marked prefix", last.segment >= start
    else:
        asked = next((p for p in facts.parameters if p.name in params.asking), None)
        if asked is None or limits.is_explicit_only:
            return
        end = len(prompt.segments) if has_history(prompt) else start
        place, what, grows = asked.span, "the part that requests share", True
    tokens = known_tokens(prompt.segments[:end], count) if limits.min_tokens else None
    if tokens is None or tokens * (1 + params.margin_rate) >= (limits.min_tokens or 0):
        return
    doubt = "its sources differ" if made is not None else _doubt(tokens, grows, limits, params)
    yield _hit(prompt, max(0, end - 1), place, what, doubt, tokens, limits)


def _of_objects(limits: CacheLimits) -> CacheLimits:
    """Return the limits of objects that are made to be cached, where a provider has such."""
    title = f"{limits.title.partition(',')[0]}, explicit"
    minimum, source = limits.object_min_tokens, limits.object_min_tokens_source
    return replace(limits, title=title, min_tokens=minimum, min_tokens_source=source)


def _doubt(tokens: int, grows: bool, limits: CacheLimits, params: Params) -> str:
    """Return why the finding is no more than a word, empty if it is sure."""
    if grows:
        return "it grows with the conversation"
    if limits.min_tokens_source.startswith("assumed"):
        return "the minimum of this model is not known"
    if tokens * (1 + params.sure_margin_rate) >= (limits.min_tokens or 0):
        return "the tokens are an estimate"
    return ""


def _hit(prompt: Prompt, index: int, place: Span, what: str, doubt: str, tokens: int, limits: CacheLimits) -> Hit:
    at = plain(prompt.segments[index], Confidence.LOW if doubt else Confidence.HIGH, doubt)
    fields = {
        "what": what,
        "tokens": f"{tokens:,}",
        "minimum": f"{limits.min_tokens:,}",
        "provider": provider_words(limits),
        "source": as_of(limits.min_tokens_source),
    }
    return Hit(index, at, place, 0, fields, is_value=False, has_break=False)

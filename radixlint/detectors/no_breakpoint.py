"""A body has a fixed part long enough to cache, for a provider that caches marked prefixes only, and no mark at its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.detectors._body_marks import as_of, has_history, limited, markable, plain
from radixlint.prompt import CacheLimits, Confidence, Lifetime, Origin, Prompt, RequestFacts, Role, Segment
from radixlint.stake import CountTokens
from radixlint.stake.provider_words import provider_words

_AT_THE_END: Final = "sets its own mark behind the newest message, which differs, so that no other request reads it"


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: nothing; the provider says how long a prefix must be."""


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield at most one hit, at the first text of the body."""
    known = limited(prompt)
    if known is None or not known[1].mark_keys or any(not mark.is_automatic for mark in known[0].marks):
        return
    facts, limits = known
    is_automatic = bool(facts.marks) or not (limits.is_explicit_only or _is_explicit(facts))
    end = next((i for i, segment in enumerate(prompt.segments) if not _is_shared(segment)), len(prompt.segments))
    # In a conversation the next turn reads up to the mark of this one.
    if not end or (is_automatic and (end == len(prompt.segments) or has_history(prompt))):
        return
    tokens = sum(count(segment.text) for segment in prompt.segments[:end] if segment.is_literal)
    minimum = limits.min_tokens or 0
    if tokens < max(1, minimum):
        return
    at = plain(prompt.segments[end - 1], *_sureness(prompt, limits, is_automatic))
    fields = {
        "tokens": f"{tokens:,}",
        "provider": provider_words(limits),
        "keeps": _AT_THE_END if is_automatic else "caches only what is",
        "minimum": f"{minimum:,}",
        "source": as_of(limits.min_tokens_source),
    }
    place = markable(prompt, 0, end - 1, limits, count)
    yield Hit(end - 1, at, facts.span, tokens, fields, is_value=False, has_break=False, markable=place)


def _sureness(prompt: Prompt, limits: CacheLimits, is_automatic: bool) -> tuple[Confidence, str]:
    """Return how sure it is that the request will have no mark that another reads, and why it is no surer."""
    if is_automatic and prompt.is_rendered:
        return Confidence.LOW, "if the conversation goes on, its own next turn does"
    if prompt.evidence is None and any(
        segment.role is Role.TEXT and segment.origin is Origin.HISTORY and not segment.is_literal for segment in prompt.segments
    ):
        return Confidence.LOW, "the messages that are filled in may bring one"
    is_doubted = is_automatic or limits.min_tokens_source.startswith("assumed")
    return (Confidence.MEDIUM if is_doubted else Confidence.HIGH), ""


def _is_explicit(facts: RequestFacts) -> bool:
    """Whether the body turns off the mark that the provider sets by itself."""
    return any(p.name == "prompt_cache_options.mode" and p.text == "explicit" for p in facts.parameters)


def _is_shared(segment: Segment) -> bool:
    """Whether a later request repeats the segment in its place: fixed text, and turns that are over."""
    return segment.lifetime >= Lifetime.RELEASE or (segment.is_literal and segment.origin is Origin.HISTORY)

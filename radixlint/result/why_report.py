"""Why one request was served as it was."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.breaks import Break, Cleared, OneTimeChange
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import EngineUsed, WaterfallEntry


@dataclass(frozen=True, slots=True)
class Partner:
    """The earlier request that this one should have shared its prefix with; ``gap_s`` is the time between the two."""

    name: str
    shared_tokens: int
    is_same_conversation: bool
    gap_s: float | None


@dataclass(frozen=True, slots=True)
class WhyReport:
    """One request of a log, in tokens: what it had in common with earlier ones, what was hit, what was lost and by what.

    ``name`` is its id, or its record. ``parts`` add up to ``prompt_tokens``. ``partner`` is None for a request that shares
    nothing. ``broken`` is the place where it stops matching its partner, None where it does not; ``cleared`` says why it was
    reported uncached though its prefix was intact. ``conclusion`` is a sentence, ``is_prompt`` whether the prompt is to blame:
    None where nothing can be concluded. ``hit_from`` is the request that it shares most with, where that is not the ``partner``;
    ``once`` is what changed against the partner where that is no fault, for it came once or seldom.
    """

    name: str
    prompt_tokens: int
    shareable_tokens: int
    engine_tokens: int
    reported_tokens: int | None
    parts: tuple[WaterfallEntry, ...]
    partner: Partner | None
    broken: Break | None
    cleared: Cleared | None
    conclusion: str
    is_prompt: bool | None
    engine: EngineUsed
    layout: str
    tokenizer: str
    tokenizer_evidence: Evidence
    notes: tuple[str, ...] = ()
    hit_from: Partner | None = None
    once: OneTimeChange | None = None

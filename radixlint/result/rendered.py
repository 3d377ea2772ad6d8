"""A prompt laid flat: its segments in wire order with their tokens, and where its prefix ends for which other requests."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.prompt import Lifetime, Segment
from radixlint.result.finding import PromptStrip


@dataclass(frozen=True, slots=True)
class RenderedPart:
    """One segment: ``tokens`` of a literal, None for a value; ``running_tokens`` are those of literals up to its end.

    Of a condition the running sum goes on with the longest branch.
    """

    segment: Segment
    tokens: int | None
    running_tokens: int


@dataclass(frozen=True, slots=True)
class PrefixEnd:
    """From part ``part`` (counted from 0) on, a prompt stays the same for ``lifetime`` only; ``tokens`` stand in front."""

    lifetime: Lifetime
    part: int
    tokens: int


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """One prompt of a file; ``ends`` by part, each of a shorter life than the one before.

    ``strip`` is None where the file is not laid out as a prompt is (a chat template); its break is the first of the ends.
    """

    name: str
    dialect: str
    kind: str
    parts: tuple[RenderedPart, ...]
    ends: tuple[PrefixEnd, ...]
    strip: PromptStrip | None
    total_tokens: int


@dataclass(frozen=True, slots=True)
class RenderReport:
    """All prompts of one file; ``notes`` are full sentences."""

    path: str
    prompts: tuple[RenderedPrompt, ...]
    tokenizer: str
    notes: tuple[str, ...] = ()

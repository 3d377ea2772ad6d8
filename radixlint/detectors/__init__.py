"""A detector is a parameterised test that rules are made of.

A detector module holds ``Params``, a frozen msgspec Struct that says what a rule may set, and
``find(prompt, params, count)``, which looks at one classified prompt and returns hits. It knows no rule. It may hold
``notes(prompt)``, which says in one line each what it could not judge, and ``concerns(params, traits)``, which says by the
traits of a prompt whether there is anything to look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from radixlint.prompt import Confidence, Origin, Prompt, Segment, Span
from radixlint.result.finding import Related
from radixlint.stake import CountTokens


class Hit(Struct, frozen=True):
    """One cause at one place.

    ``index`` is the segment of the prompt at which the prefix ends, ``segment`` that segment, or what decides about it
    (its lifetime and confidence become the finding's), ``span`` the place to report, ``lost_tokens`` the literal tokens
    of longer life behind it, ``fields`` the words for the rule's message. ``is_value`` says that the place shows what
    varies; if not, the finding has no lifetime of its own. ``cause`` is the place of the value that a place behind it
    is reported for: a finding there says the same already. ``scope`` is the finding's, where neither the rule nor the
    lifetime says it. ``has_break`` says that the prefix ends at ``index`` for other requests, which a prompt strip shows.
    ``markable`` are the first and last segment that a cache mark may end, where a repair puts one: from where on the prefix
    is long enough, up to where it stays the same. ``is_minor`` says that little is lost, so that the finding is a remark.
    """

    index: int
    segment: Segment
    span: Span
    lost_tokens: int
    fields: Mapping[str, str]
    related: tuple[Related, ...] = ()
    is_value: bool = True
    cause: Span | None = None
    scope: str = ""
    has_break: bool = True
    markable: tuple[int, int] | None = None
    is_minor: bool = False


class FolderHit(Struct, frozen=True):
    """A hit of a detector that compares prompts: ``prompt`` is the index of the one it stands in."""

    prompt: int
    hit: Hit


class FolderDetector(Protocol):
    """The shape of a detector module that compares the prompts of all files checked."""

    Params: type[msgspec.Struct]

    def find_across(self, prompts: Sequence[Prompt], params: msgspec.Struct, count: CountTokens) -> Iterable[FolderHit]:
        """Return the hits by prompt and place; the order of ``prompts`` (by path) decides nothing else."""


class Detector(Protocol):
    """The shape of a detector module."""

    Params: type[msgspec.Struct]

    def find(self, prompt: Prompt, params: msgspec.Struct, count: CountTokens) -> Iterable[Hit]:
        """Return the hits in wire order."""


def with_one_guess(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits; of those that nothing is known about only the first, with the number of the others, and last."""
    first: Hit | None = None
    others = 0
    for hit in hits:
        if hit.segment.origin is not Origin.UNKNOWN or hit.segment.confidence is not Confidence.LOW:
            yield hit
        elif first is None:
            first = hit
        else:
            others += 1
    if first is not None and others:
        reason = f"{first.segment.reason}, nor about {others:,} more behind it"
        first = replace(first, segment=msgspec.structs.replace(first.segment, reason=reason))
    if first is not None:
        yield first

"""A detector is a parameterised test that rules are made of.

A detector module holds ``Params``, a frozen msgspec Struct that says what a rule may set, and
``find(prompt, params, count)``, which looks at one classified prompt and returns hits. It knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import msgspec

from radixlint.prompt import Prompt, Segment, Span
from radixlint.result.finding import Related
from radixlint.stake import CountTokens


@dataclass(frozen=True, slots=True)
class Hit:
    """One cause at one place.

    ``index`` is the segment of the prompt at which the prefix ends, ``segment`` that segment, or what decides about it
    (its lifetime and confidence become the finding's), ``span`` the place to report, ``lost_tokens`` the literal tokens
    of longer life behind it, ``fields`` the words for the rule's message. ``is_value`` says that the place shows what
    varies; if not, the finding has no lifetime of its own. ``cause`` is the place of the value that a place behind it
    is reported for: a finding there says the same already.
    """

    index: int
    segment: Segment
    span: Span
    lost_tokens: int
    fields: Mapping[str, str]
    related: tuple[Related, ...] = ()
    is_value: bool = True
    cause: Span | None = None


class Detector(Protocol):
    """The shape of a detector module."""

    Params: type[msgspec.Struct]

    def find(self, prompt: Prompt, params: msgspec.Struct, count: CountTokens) -> Iterable[Hit]:
        """Return the hits in wire order."""

"""A detector is a parameterised test that rules are made of.

A detector module holds ``Params``, a frozen msgspec Struct that says what a rule may set, and
``find(prompt, params, count)``, which looks at one classified prompt and returns hits. It knows no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import msgspec

from radixlint.prompt import Prompt, Segment, Span
from radixlint.result.finding import Related

CountTokens = Callable[[str], int]
"""Text to number of tokens."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One cause at one place.

    ``segment`` is what breaks the prefix (its lifetime and confidence become the finding's), ``span`` the place to
    report, ``lost_tokens`` the literal tokens of longer life behind it, ``fields`` the words for the rule's message.
    ``is_value`` says that the place shows what varies; if not, the finding has no lifetime of its own.
    """

    segment: Segment
    span: Span
    lost_tokens: int
    fields: Mapping[str, str]
    related: tuple[Related, ...] = ()
    is_value: bool = True


class Detector(Protocol):
    """The shape of a detector module."""

    Params: type[msgspec.Struct]

    def find(self, prompt: Prompt, params: msgspec.Struct, count: CountTokens) -> Iterable[Hit]:
        """Return the hits in wire order."""

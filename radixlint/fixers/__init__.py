"""A fixer is a parameterised way to make the edits that repair a hit; rules name one with its params.

A fixer module holds ``Params``, a frozen msgspec Struct, and ``edits(prompt, hit, params)``. Edits touch literal source text
of the file itself only (``prompt.source``), never what an include, a loop or a macro brought in, and are None where no edit
is sure to do what the rule says.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit


class Fixer(Protocol):
    """The shape of a fixer module."""

    Params: type[msgspec.Struct]

    def edits(self, prompt: Prompt, hit: Hit, params: msgspec.Struct) -> tuple[Edit, ...] | None:
        """Return the edits that repair ``hit``, none of which overlap; None if only a person can."""

"""One basis for what was shared and what was served: a cache that works serves whole steps, from a least length on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from radixlint.traffic import CachePolicy

_USUAL_MIN_TOKENS: Final = 1_024
"""The least length of a prefix that most hosted caches keep."""
_USUAL_STEP_TOKENS: Final = 128
_LEAST_COUNTS: Final = 3
# Ours scaled to the server's: texts differ in how many tokens of theirs one of ours is.
_SLACK_RATE: Final = 0.02
# What larger counts have in common is no block but one length of prompt.
_MOST_STEP_TOKENS: Final = 2_048


class Loss(Struct, frozen=True):
    """What one request computed of what could have been served: for a break in front of it, and though it was shareable."""

    lost_tokens: float
    short_tokens: float


class Basis(Struct, frozen=True):
    """How a cache counts what it serves.

    Attributes:
        step_tokens: it serves multiples of this.
        min_tokens: it serves no fewer.
        tail_tokens: the last tokens of a prompt that it always computes.
        slack_rate: how far shareable tokens may be off beyond a step, as a share of the prompt, for they are ours and not
            the server's; None where both are ours.
    """

    step_tokens: int
    min_tokens: int
    tail_tokens: int = 0
    slack_rate: float | None = None

    def loss(self, prompt_tokens: int, cached_tokens: int, shareable: float, lost: float) -> Loss:
        """Return what a request of so many tokens, so many of them cached, lost; what steps cut off is no loss of either kind.

        ``shareable`` tokens had been sent before as its prefix; ``lost`` would have been as well without a break. All in
        the tokens of whoever counted ``cached_tokens``.
        """
        due = self._served(prompt_tokens, shareable)
        whole = self._served(prompt_tokens, shareable + lost)
        broken = min(whole - due, prompt_tokens - cached_tokens)
        slack = 0.0 if self.slack_rate is None else self.step_tokens + self.slack_rate * prompt_tokens
        is_as_due = self._served(prompt_tokens, shareable - slack) <= cached_tokens
        return Loss(float(broken), 0.0 if is_as_due else float(due - cached_tokens))

    def _served(self, prompt_tokens: int, tokens: float) -> int:
        found = int(min(tokens, prompt_tokens - self.tail_tokens))
        found -= found % self.step_tokens
        return found if found >= max(self.min_tokens, 1) else 0


def simulated_basis(policy: CachePolicy) -> Basis:
    """Return how the replay under ``policy`` counts."""
    return Basis(policy.block_tokens, policy.min_tokens, policy.computed_tail_tokens)


def measured_basis(policy: CachePolicy, cached_tokens: Iterable[int]) -> Basis:
    """Return how the server counts that reported ``cached_tokens``: in steps that all counts are multiples of.

    Too few different counts tell no steps: then they are those of ``policy``. A server that nobody named may be a hosted
    one, with a least length; what it served of less speaks against that.
    """
    counts = {count for count in cached_tokens if count}
    common = math.gcd(*counts)
    if len(counts) < _LEAST_COUNTS:
        common = math.gcd(common, _USUAL_STEP_TOKENS) if policy.is_assumed else 0
    step = common if 0 < common <= _MOST_STEP_TOKENS else policy.block_tokens
    least = max(policy.min_tokens, _USUAL_MIN_TOKENS) if policy.is_assumed else policy.min_tokens
    return Basis(step, min(counts | {least}), slack_rate=_SLACK_RATE)

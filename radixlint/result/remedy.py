"""What a fix would have brought, by replaying the log as if it had been there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Totals:
    """A log under one policy, in tokens: what was sent, was shareable, and the engine hits; ``cost`` is in input tokens
    at full price, ``prefill_s`` estimated seconds; None where prices, or model and GPU, are unknown.
    """

    prompt_tokens: int
    shareable_tokens: int
    engine_tokens: int
    cost: float | None = None
    prefill_s: float | None = None

    @property
    def shareable_rate(self) -> float | None:
        """Shareable tokens / prompt tokens."""
        return self.shareable_tokens / self.prompt_tokens if self.prompt_tokens else None

    @property
    def engine_rate(self) -> float | None:
        """Engine tokens / prompt tokens."""
        return self.engine_tokens / self.prompt_tokens if self.prompt_tokens else None

    @property
    def uncached_tokens(self) -> int:
        """Prompt tokens the engine computes."""
        return self.prompt_tokens - self.engine_tokens


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to mend one break, simulated: the requests as logged, changed in this one way, through the same cache.

    ``id`` is a kebab name, ``title`` an imperative sentence without a full stop, ``freshness`` what the model knows less
    or later than before, or what stays lost (empty for nothing), ``requests`` how many were changed. ``is_half`` says that
    ``freshness`` is for its owner to weigh, however much it brings.
    """

    id: str
    title: str
    before: Totals
    after: Totals
    requests: int
    freshness: str = ""
    is_half: bool = False

    @property
    def regained_tokens(self) -> int:
        """Tokens shareable after and not before; negative for a fix that loses."""
        return self.after.shareable_tokens - self.before.shareable_tokens

    @property
    def saved_tokens(self) -> int:
        """Tokens not computed any more by the engine; negative for a fix that costs."""
        return self.before.uncached_tokens - self.after.uncached_tokens

"""Sentences about the demo's figures; each chooses its words, or keeps silent, by what the run gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Final

from radixlint.result.estimate import PrefixMemory
from radixlint.result.simulation import DemoColumn
from radixlint.serving.workloads import RagShape

ORDERED: Final = "rag"
SCRAMBLED: Final = "rag-scrambled"
CACHE_AWARE: Final = ("lpm", "dfs-weight")
SAME: Final = 0.0005
"""Rates closer than this (0.05 points) print alike and are called equal."""

# What the lesson this demo retells prints for its ordered load with cache-aware scheduling, and what it concludes.
LESSON_CACHED_TOKENS: Final = 158_000
LESSON_PROMPT_TOKENS: Final = 228_800
LESSON_BUDGET_TOKENS: Final = 2_560
LESSON_CLAIMED_RATE: Final = 0.80


@dataclass(frozen=True, slots=True)
class DemoFigures:
    """The run the sentences are about; ``sizes`` and all figures per size rise from too small to ample."""

    shape: RagShape
    sizes: tuple[int, ...]
    unfit: tuple[int, ...]
    columns: tuple[DemoColumn, ...]
    memory: PrefixMemory

    def rates(self, workload: str, policies: Sequence[str]) -> list[float]:
        """Return the best hit rate of ``policies`` at each size, rounded as it is shown."""
        columns = [c.hit_rates for c in self.columns if c.workload == workload and c.policy in policies]
        return [round(max(rates), 3) for rates in zip(*columns, strict=True)]


def findings(figures: DemoFigures) -> tuple[str, ...]:
    """Return what the figures show, in the order of the story."""
    tellers: tuple[Callable[[DemoFigures], str | None], ...] = (
        _too_small,
        _policy_on_ordered,
        _policy_on_scrambled,
        _scrambled_with_room,
        _order_against_policy,
        _lesson_claim,
        _not_throughput,
    )
    return tuple(sentence for tell in tellers if (sentence := tell(figures)))


def _too_small(figures: DemoFigures) -> str | None:
    small = [size for size, unfit in zip(figures.sizes, figures.unfit, strict=True) if unfit == figures.shape.requests]
    if not small:
        return None
    return (
        f"A request longer than the cache is never reused, in any order: each needs {figures.shape.prompt_tokens:,} tokens, "
        f"so at {_listed(small)} tokens the engine serves none."
    )


def _policy_on_ordered(figures: DemoFigures) -> str:
    return _policy_gain(figures, ORDERED, "Ordered load")


def _policy_on_scrambled(figures: DemoFigures) -> str:
    return _policy_gain(figures, SCRAMBLED, "Scrambled load")


def _policy_gain(figures: DemoFigures, workload: str, label: str) -> str:
    gains = [
        (size, aware - plain)
        for size, aware, plain, unfit in zip(
            figures.sizes, figures.rates(workload, CACHE_AWARE), figures.rates(workload, ["fcfs"]), figures.unfit, strict=True
        )
        if unfit < figures.shape.requests
    ]
    other = [f"{gain * 100:+.1f} points at {size:,} tokens" for size, gain in gains if abs(gain) >= SAME]
    same = [size for size, gain in gains if abs(gain) < SAME]
    parts = ([", ".join(other)] if other else []) + ([f"nothing at {_listed(same)} tokens"] if same else [])
    return f"{label}: cache-aware scheduling changes the hit rate by {' and '.join(parts)} (best of {_listed(CACHE_AWARE)})."


def _scrambled_with_room(figures: DemoFigures) -> str:
    rate, ordered = figures.rates(SCRAMBLED, ["fcfs"])[-1], figures.rates(ORDERED, ["fcfs"])[-1]
    room = f"With room for everything ({figures.sizes[-1]:,} tokens) the scrambled load reaches {rate:.1%}"
    if rate < SAME:
        return f"{room}: no order repeats."
    orders = factorial(len(figures.shape.parts) - 1) * figures.shape.documents
    return (
        f"{room}, not 0 %: only {orders} different beginnings exist, so they repeat. It stays {(ordered - rate) * 100:.1f} "
        f"points behind the ordered load's {ordered:.1%}; what it loses beyond that in a smaller cache is eviction."
    )


def _order_against_policy(figures: DemoFigures) -> str | None:
    """Compare what repairing the order gains under fcfs with what a policy gains on the scrambled load, where they fit."""
    plain, aware = figures.rates(SCRAMBLED, ["fcfs"]), figures.rates(SCRAMBLED, CACHE_AWARE)
    repaired = figures.rates(ORDERED, ["fcfs"])
    cases = [i for i, unfit in enumerate(figures.unfit) if unfit < figures.shape.requests]
    better = [figures.sizes[i] for i in cases if repaired[i] - aware[i] >= SAME]
    worse = [figures.sizes[i] for i in cases if aware[i] - repaired[i] >= SAME]
    if not better and not worse:
        return None
    first = cases[0]
    start = (
        f"Repairing the order under fcfs gives {repaired[first]:.1%} at {figures.sizes[first]:,} tokens, "
        f"cache-aware scheduling of the scrambled load {aware[first]:.1%} (fcfs: {plain[first]:.1%}); "
    )
    if not worse:
        return f"{start}order wins at {_listed(better)} tokens."
    return f"{start}order wins at {_listed(better) or 'no size'}, scheduling at {_listed(worse)} tokens."


def _lesson_claim(figures: DemoFigures) -> str:
    printed = LESSON_CACHED_TOKENS / LESSON_PROMPT_TOKENS
    verdict = "does not follow from" if printed < LESSON_CLAIMED_RATE else "agrees with"
    rates = figures.rates(ORDERED, CACHE_AWARE)
    reaching = [size for size, rate in zip(figures.sizes, rates, strict=True) if rate > LESSON_CLAIMED_RATE]
    here = f"here that takes {reaching[0]:,} tokens" if reaching else "here no size reaches it"
    tight = ", less than one request," if figures.shape.prompt_tokens > LESSON_BUDGET_TOKENS else ""
    return (
        'This load comes from the RadixAttention lesson of "AI engineering from scratch". Its printed claim '
        f'"fixed ordering + cache-aware clears {LESSON_CLAIMED_RATE:.0%} on RAG" {verdict} its own '
        f"run: that prints {printed:.1%} at {LESSON_BUDGET_TOKENS:,} tokens{tight} in either schedule; {here}."
    )


def _not_throughput(figures: DemoFigures) -> str:
    return (
        "These are hit rates of prompt tokens. They are no throughput: that also needs output lengths, concurrency and "
        f"hardware. Nor are they a forecast: {figures.shape.requests} requests waiting at once is this demo's load, not yours."
    )


def _listed(items: Sequence[int | str]) -> str:
    words = [f"{item:,}" if isinstance(item, int) else item for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)

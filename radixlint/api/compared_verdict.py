"""From a change taken apart to one word: prompt, engine or provider, traffic mix, nothing changed, too little is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.result.comparison import Blame, BreakChange, ClearedChange, ComparedPart, Effects, MixGroup, Turn

_LEAST_REQUESTS: Final = 20
# From here on a break that was not there before is one that began.
_LEAST_FOR_BREAK: Final = 5
_MOST_MARGIN_RATE: Final = 0.1
# A part that is longer has seen more: what is new in it is less, with the same traffic.
_ALIKE: Final = 1.5
_WORSE: Final = (Turn.BEGAN, Turn.GREW)


class Verdict(Struct, frozen=True):
    """What is to blame, whether the later part is worse, when that began and what began, a phrase."""

    blame: Blame
    is_worse: bool
    when_s: float | None
    what: str


class Evidences(Struct, frozen=True):
    """What a verdict rests on; ``margin_rate`` is chance in the whole rate, ``within_rate`` in that of each kind."""

    before: ComparedPart
    after: ComparedPart
    effects: Effects
    margin_rate: float
    within_rate: float
    tolerance_rate: float
    breaks: Sequence[BreakChange]
    cleared: Sequence[ClearedChange]
    groups: Sequence[MixGroup]
    has_prompts: bool

    @property
    def is_uncertain(self) -> bool:
        """Whether the requests differ so much that a change cannot be told from chance."""
        return self.margin_rate > _MOST_MARGIN_RATE

    @property
    def has_began(self) -> bool:
        """Whether there is a break that was not there before."""
        return any(one.turn is Turn.BEGAN for one in self.breaks)

    @property
    def is_same(self) -> bool:
        """Whether there is no difference at all."""
        effects = self.effects
        rates = effects.mix_rate, effects.content_rate, effects.prompt_rate, effects.engine_rate
        moved = {one.turn for one in self.breaks} | {one.turn for one in self.cleared}
        return max(map(abs, rates)) < 1e-12 and moved <= {Turn.STAYED} and self.before.counted_requests > 0

    def changes(self) -> dict[Blame, float]:
        """Return what each is to blame for, as a fall of the hit rate; nothing for what is within chance."""
        effects = self.effects
        prompt, mix = effects.prompt_rate, effects.mix_rate
        lengths = self.before.counted_requests, self.after.counted_requests
        if self.has_began and effects.content_rate > 0:
            # Text behind a place that varies is shared by fewer requests, also where none of them is broken itself.
            prompt += effects.content_rate
        elif effects.content_rate > 0 and max(lengths) <= _ALIKE * min(lengths):
            # Less new text is what a cache that has warmed up makes of the same traffic.
            mix += effects.content_rate
        within = max(self.tolerance_rate, self.within_rate)
        found = {
            Blame.PROMPT: (prompt, within),
            Blame.ENGINE: (effects.engine_rate, within),
            Blame.MIX: (mix, max(self.tolerance_rate, self.margin_rate)),
        }
        return {blame: rate for blame, (rate, limit) in found.items() if abs(rate) > limit}


def verdict_of(evidence: Evidences) -> Verdict:
    """Return the verdict.

    The largest of the changes for the worse decides; without any a new break, then the largest for the better.
    """
    start_s = evidence.after.first_s
    if evidence.is_same:
        return Verdict(Blame.NOTHING, False, None, "nothing")
    began = evidence.has_began
    changes = evidence.changes() if evidence.has_prompts else {}
    worse = {blame: rate for blame, rate in changes.items() if rate > 0}
    fell = evidence.effects.lost_rate > max(evidence.tolerance_rate, evidence.margin_rate)
    counted = min(evidence.before.counted_requests, evidence.after.counted_requests)
    if counted < _LEAST_REQUESTS or (evidence.is_uncertain and not (began and Blame.PROMPT in worse)):
        return Verdict(Blame.UNKNOWN, began and counted >= _LEAST_FOR_BREAK, None, _too_little(evidence))
    if not evidence.has_prompts and abs(evidence.effects.lost_rate) > max(evidence.tolerance_rate, evidence.margin_rate):
        if abs(evidence.effects.mix_rate) <= abs(evidence.effects.content_rate):
            what = "the rate of the same kinds of requests; without prompts in the log nobody can say why"
            return Verdict(Blame.UNKNOWN, fell, start_s, what)
        changes = {Blame.MIX: evidence.effects.mix_rate}
        worse = {blame: rate for blame, rate in changes.items() if rate > 0}
    if began and not worse:
        worse = {Blame.PROMPT: 0.0}
    if not (worse or changes):
        return Verdict(Blame.NOTHING, False, None, "nothing beyond what chance does")
    pool = worse or changes
    blame = max(pool, key=lambda one: abs(pool[one]))
    when_s, what = _named(blame, evidence, is_worse=bool(worse))
    return Verdict(blame, fell or began, start_s if when_s is None else when_s, what)


def _too_little(evidence: Evidences) -> str:
    counted = min(evidence.before.counted_requests, evidence.after.counted_requests)
    if counted < _LEAST_REQUESTS:
        return f"nothing can be concluded: one part has {counted} counted requests, {_LEAST_REQUESTS} are the least"
    return f"nothing for certain: rates of such parts differ by {evidence.margin_rate:.0%} by chance"


def _named(blame: Blame, evidence: Evidences, *, is_worse: bool) -> tuple[float | None, str]:
    """Return when what is to blame began, None for with the later part, and what it is."""
    if blame is Blame.PROMPT:
        turns = _WORSE if is_worse else (Turn.SHRANK, Turn.ENDED)
        moved = [one for one in evidence.breaks if one.turn in turns]
        if not moved:
            return None, "what is shared of the prompts; no single break stands out"
        top = moved[0] if is_worse else moved[-1]
        return (top.first_seen_s if top.turn is Turn.BEGAN else None), f"{top.where} ({top.cause}, {top.turn.value}): {top.what}"
    if blame is Blame.ENGINE:
        moved_causes = [one for one in evidence.cleared if one.turn in _WORSE]
        if is_worse and moved_causes:
            return None, f"{moved_causes[0].cause}: {moved_causes[0].what}"
        served = "less" if is_worse else "more"
        return None, f"{served} of what the prompts share was served from the cache"
    effects = evidence.effects
    if effects.content_rate > abs(effects.mix_rate):
        return None, "more text that no earlier request had"
    top_group = max(evidence.groups, key=lambda one: abs(one.mix_rate))
    named = [f"{field} {value}" for field in ("model", "template", "tenant") if (value := getattr(top_group, field)) is not None]
    if top_group.depth is not None:
        named.append(f"after {top_group.depth} answers")
    share = f"{top_group.share_before_rate:.0%} -> {top_group.share_after_rate:.0%} of the tokens"
    return None, f"requests of {', '.join(named) or 'one kind'}: {share}"

"""From a change taken apart to one word: prompt, engine or provider, traffic mix, nothing changed, too little is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, structs

from radixlint.plural import counted
from radixlint.result.comparison import Blame, BreakChange, ClearedChange, ComparedPart, Effects, MixGroup, Turn

LEAST_REQUESTS: Final = 20
"""Counted requests of each part from which on a verdict is more than a hint."""
# With so many, a new break, or a fall of the rate beyond chance and 10 points, makes a small part worse.
_LEAST_FOR_HINT: Final = 5
# With fewer there is nothing in which a break that began could have been missing by more than chance.
_LEAST_FOR_CAUSE: Final = 3
_MOST_MARGIN_RATE: Final = 0.1
# A part that is longer has seen more: what is new in it is less, with the same traffic.
_ALIKE: Final = 1.5
_LEAST_ENDED: Final = 2
_UNTOLD: Final = {
    False: "the rate of the same kinds of requests; without prompts in the log nobody can say why",
    True: "what requests share with earlier ones; of prompts known by ids alone nobody can say why",
}
_WORSE: Final = (Turn.BEGAN, Turn.GREW)
_NEW: Final = (Turn.BEGAN, Turn.GREW, Turn.ONCE)


class Verdict(Struct, frozen=True):
    """What is to blame, whether the later part is worse, and what began, a phrase; since when, and with which request.

    ``cause`` is the id of what began, None where no single one stands out. ``is_better`` tells a change for the better, and
    ``against`` whose faults grew meanwhile, the greatest first.
    """

    blame: Blame
    is_worse: bool
    what: str
    when_s: float | None = None
    when_request: str | None = None
    cause: str | None = None
    is_better: bool = False
    against: tuple[Blame, ...] = ()


class Evidences(Struct, frozen=True):
    """What a verdict rests on; ``margin_rate`` is chance in the whole rate, ``within_rate`` in that of each kind.
    ``names_note`` says how to have the names that ``groups`` lack.
    """

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
    has_texts: bool = True
    names_note: str | None = None

    @property
    def fewest_requests(self) -> int:
        """How many requests count in the part that has fewer."""
        return min(self.before.counted_requests, self.after.counted_requests)

    @property
    def is_small(self) -> bool:
        """Whether one part has too few requests for more than a hint."""
        return self.fewest_requests < LEAST_REQUESTS

    @property
    def is_uncertain(self) -> bool:
        """Whether the requests differ so much that a change cannot be told from chance."""
        return self.margin_rate > _MOST_MARGIN_RATE

    @property
    def has_began(self) -> bool:
        """Whether there is a break that was not there before."""
        return any(one.turn is Turn.BEGAN for one in self.breaks)

    @property
    def has_ended(self) -> bool:
        """Whether a break of several requests is there no more."""
        return any(one.turn is Turn.ENDED and one.requests_before >= _LEAST_ENDED for one in self.breaks)

    @property
    def tells_causes(self) -> bool:
        """Whether a rate that moved for want of what was sent before can be told from other text: texts alone tell that."""
        if not self.has_prompts:
            return False
        return self.has_texts or abs(self.effects.content_rate) <= max(self.tolerance_rate, abs(self.effects.engine_rate))

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

    Where the hit rate rose and one change for the better outweighs each for the worse, it decides. Else the largest of those
    for the worse does; without any a new break, then the largest for the better.
    """
    if evidence.is_same:
        return Verdict(Blame.NOTHING, False, "nothing")
    began = evidence.has_began
    changes = evidence.changes() if evidence.has_prompts else {}
    worse = {blame: rate for blame, rate in changes.items() if rate > 0}
    fall = evidence.effects.lost_rate
    limit = max(evidence.tolerance_rate, evidence.margin_rate)
    is_plain = _is_plain(changes, evidence)
    if not is_plain and (evidence.is_small or evidence.is_uncertain):
        is_worse = evidence.fewest_requests >= _LEAST_FOR_HINT and (began or fall > max(limit, _MOST_MARGIN_RATE))
        return _unknown(evidence, is_worse=is_worse)
    if not evidence.tells_causes and abs(fall) > limit:
        if abs(evidence.effects.mix_rate) <= abs(evidence.effects.content_rate):
            return Verdict(Blame.UNKNOWN, fall > limit, _UNTOLD[evidence.has_prompts], evidence.after.first_s)
        changes = {Blame.MIX: evidence.effects.mix_rate} if not evidence.has_prompts else changes
        worse = {blame: rate for blame, rate in changes.items() if rate > 0}
    better = {blame: rate for blame, rate in changes.items() if rate < 0}
    if _is_better(worse, better, began=began, is_up=fall < -limit):
        against = sorted(worse.keys() - {Blame.MIX}, key=lambda one: -worse[one])
        found = _named(_largest(better), evidence, is_worse=began, has_worse=False)
        return structs.replace(found, is_better=True, against=(*against,))
    if began and not worse:
        worse = {Blame.PROMPT: 0.0}
    if not (worse or changes):
        return Verdict(Blame.NOTHING, False, "nothing beyond what chance does")
    blame = Blame.PROMPT if is_plain and evidence.is_small else _largest(worse or changes)
    found = _named(blame, evidence, is_worse=fall > limit or began, has_worse=bool(worse))
    return structs.replace(found, is_better=not worse)


def _largest(changes: Mapping[Blame, float]) -> Blame:
    return max(changes, key=lambda one: abs(changes[one]))


def _is_plain(changes: Mapping[Blame, float], evidence: Evidences) -> bool:
    """Whether a break that began cost something, or one that ended gained something, in however few requests."""
    rate = changes.get(Blame.PROMPT, 0.0)
    is_one = (rate > 0 and evidence.has_began) or (rate < 0 and evidence.has_ended)
    return is_one and evidence.fewest_requests >= _LEAST_FOR_CAUSE


def _is_better(worse: Mapping[Blame, float], better: Mapping[Blame, float], *, began: bool, is_up: bool) -> bool:
    """Whether what got better outweighs all that got worse; a break that began, only what the prompts gained."""
    if not (is_up and better and (worse or began)):
        return False
    gained = abs(better.get(Blame.PROMPT, 0.0)) if began else max(map(abs, better.values()))
    return gained > max(worse.values(), default=0.0)


def _unknown(evidence: Evidences, *, is_worse: bool) -> Verdict:
    """Return that nothing can be concluded, behind the break that changed most as a hint."""
    if evidence.is_small:
        few = counted(evidence.fewest_requests, "counted request")
        why = f"nothing can be concluded: one part has {few}, {LEAST_REQUESTS} are the least"
    else:
        why = f"nothing for certain: rates of such parts differ by {evidence.margin_rate:.0%} by chance"
    top = next((one for one in evidence.breaks if one.turn in _NEW), None)
    if top is None:
        return Verdict(Blame.UNKNOWN, is_worse, why)
    if top.turn is Turn.GREW:
        # What may be chance has no beginning.
        return Verdict(Blame.UNKNOWN, is_worse, f"{_told(top)}; {why}", cause=top.cause)
    return Verdict(Blame.UNKNOWN, is_worse, f"{_told(top)}; {why}", top.since_s, top.since_request, top.cause)


def _told(one: BreakChange) -> str:
    return f"{one.where} ({one.cause}, {one.turn.value}): {one.what}"


def _named(blame: Blame, evidence: Evidences, *, is_worse: bool, has_worse: bool) -> Verdict:
    """Return the verdict with what is to blame; ``has_worse`` tells a change for the worse from one for the better."""
    start_s = evidence.after.first_s
    if blame is Blame.PROMPT:
        turns = _WORSE if has_worse else (Turn.SHRANK, Turn.ENDED)
        moved = [one for one in evidence.breaks if one.turn in turns]
        if not moved:
            return Verdict(blame, is_worse, "what is shared of the prompts; no single break stands out", start_s)
        top = moved[0] if has_worse else moved[-1]
        if top.since_request is None:
            return Verdict(blame, is_worse, _told(top), start_s, cause=top.cause)
        return Verdict(blame, is_worse, _told(top), top.since_s, top.since_request, top.cause)
    if blame is Blame.ENGINE:
        moved_causes = [one for one in evidence.cleared if one.turn in _WORSE]
        if has_worse and moved_causes:
            cause = moved_causes[0].cause
            return Verdict(blame, is_worse, f"{cause}: {moved_causes[0].what}", start_s, cause=cause)
        served = "less" if has_worse else "more"
        return Verdict(blame, is_worse, f"{served} of what the prompts share was served from the cache", start_s)
    return Verdict(blame, is_worse, _mix(evidence), start_s)


def _mix(evidence: Evidences) -> str:
    effects = evidence.effects
    if effects.content_rate > abs(effects.mix_rate):
        return "more text that no earlier request had"
    top_group = max(evidence.groups, key=lambda one: abs(one.mix_rate))
    named = [
        value if value.startswith(f"{field} ") else f"{field} {value}"
        for field, value in (("model", top_group.model), ("application", top_group.template), ("tenant", top_group.tenant))
        if value is not None
    ]
    kind = f" of {', '.join(named)}" if named else ""
    if top_group.depth is not None:
        kind += f" after {counted(top_group.depth, 'answer')}"
    share = f"{top_group.share_before_rate:.0%} -> {top_group.share_after_rate:.0%} of the tokens"
    return f"requests{kind or ' of one kind'}: {share}"

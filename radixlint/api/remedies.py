"""What each fix would have brought: the log rewritten, tokenized and replayed under the same rules."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from radixlint.api.explaining import Explanation, explain
from radixlint.api.log_tokens import LogTokens
from radixlint.api.replay_worth import ReplayWorth
from radixlint.api.token_sequence import TokenSequence
from radixlint.errors import LayoutError
from radixlint.plural import counted
from radixlint.remedy import Plan, Subject, plans_for
from radixlint.replay import Replayed, replay
from radixlint.result.breaks import Break
from radixlint.result.cause import Cause
from radixlint.result.remedy import Remedy, Totals
from radixlint.rewrites import rendered_again
from radixlint.traffic import CachePolicy, Request

_MOST_STEPS: Final = 5
# A smaller break is not worth a fix of its own.
_LEAST_RATE: Final = 0.01
# One form or one order takes nothing, and brings more than is told as lost: what was fetched anew is shared more often, too.
_LEAST_FREE_RATE: Final = 0.001
_FREE: Final = frozenset({Cause.SECTION_ORDER, Cause.TOOL_ORDER, Cause.KEY_ORDER, Cause.TEXT_FORM})
# From this share of the prompts on, what a fix sends less is context that the model loses.
_CLOSE_RATE: Final = 0.02


@dataclass(frozen=True, slots=True)
class Mended:
    """``remedies`` of each case, best first; ``together`` is the best of each, one after another, None for less than two."""

    remedies: Sequence[tuple[Remedy, ...]]
    together: Remedy | None


class RemedySearch:
    """Replays fixes.

    Args:
        tokens: the log as tokenized.
        policy: the rules of the cache, which stay.
        replayed: the log as it is under them.
        worth: what a replay costs.
    """

    def __init__(self, tokens: LogTokens, policy: CachePolicy, replayed: Replayed, worth: ReplayWorth) -> None:
        self._tokens, self._policy, self._worth = tokens, policy, worth
        self._before = self._totals(tokens.measured, replayed)
        self._is_unmarked = False

    def mend(self, explanation: Explanation, cases: int, first: Plan | None = None) -> Mended:
        """Return the remedies of the first (largest) ``cases``, and what the best of them bring together, behind ``first``.

        Without ``first`` (cache marks, where these are missing) the others bring nothing yet: they are then ranked by what
        they make shareable.
        """
        self._is_unmarked = first is not None
        found = [self.of_case(explanation, number) for number in range(cases)]
        is_helping = any(some and self._helps(some[0]) for some in found)
        together = self._together(explanation, found, first) if is_helping else None
        return Mended(found, together)

    def _helps(self, remedy: Remedy) -> bool:
        before, after = remedy.before, remedy.after
        if self._is_unmarked:
            return after.prompt_tokens - after.shareable_tokens < before.prompt_tokens - before.shareable_tokens
        return remedy.saved_tokens > 0

    def of_case(self, explanation: Explanation, number: int) -> tuple[Remedy, ...]:
        """Return the remedies of one case, best first."""
        plans = plans_for(self._subject(self._tokens.measured, explanation, number))
        remedies = [remedy for plan in plans if (remedy := self.tried(plan)) is not None]
        helping = [remedy for remedy in remedies if self._helps(remedy)]
        return tuple(sorted(helping, key=self._rank))

    def _rank(self, remedy: Remedy) -> tuple[bool, int, bool, int]:
        """Whole fixes first, then the fewest tokens to compute; of equals what takes nothing from the model and sends less."""
        after = remedy.after
        computed = after.prompt_tokens - after.shareable_tokens if self._is_unmarked else after.uncached_tokens
        return remedy.is_half, computed, bool(remedy.freshness), after.prompt_tokens

    def tried(self, plan: Plan) -> Remedy | None:
        """Return what ``plan`` brings, None if it changes nothing or what it makes cannot be laid out."""
        changed = plan.rewrite()
        count = sum(one is not other for one, other in zip(changed, self._tokens.measured, strict=True))
        replayed = self._replayed(changed) if count else None
        if replayed is None:
            return None
        after = self._totals(changed, replayed)
        # What sends clearly less than before takes context from the model: that is for its owner to weigh, not a whole fix.
        is_shorter = after.prompt_tokens < (1 - _CLOSE_RATE) * self._before.prompt_tokens
        left_out = f"the model is sent {counted(self._before.prompt_tokens - after.prompt_tokens, 'token')} less than now"
        freshness = "; ".join(filter(None, (left_out if is_shorter else "", plan.freshness)))
        return Remedy(plan.id, plan.title, self._before, after, count, freshness, plan.is_half or is_shorter)

    def _together(self, explanation: Explanation, found: Sequence[tuple[Remedy, ...]], first: Plan | None) -> Remedy | None:
        """Apply one plan after another, each to the largest break that the ones before it left: one may hide another."""
        best = {explanation.cases[n].verdict.cause: some[0].id for n, some in enumerate(found) if some and self._helps(some[0])}
        requests: Sequence[Request] = self._tokens.measured
        names: list[str] = []
        last: Replayed | None = None
        if first is not None:
            requests = first.rewrite()
            last = self._replayed(requests)
            names.append(first.title)
        explained, shareable = explanation, self._before.shareable_tokens
        for _ in range(_MOST_STEPS):
            place, plan = self._next_plan(requests, explained, best)
            changed = requests if plan is None else plan.rewrite()
            replayed = None if plan is None else self._replayed(changed)
            if plan is None or replayed is None:
                break
            found_tokens = self._totals(changed, replayed).shareable_tokens
            if found_tokens <= shareable:
                break
            requests, last, shareable = changed, replayed, found_tokens
            names.append(f"{place}: {plan.title}")
            explained = explain(structs.replace(self._tokens, measured=requests), last, explanation.chains)
        if last is None or len(names) < 2:
            return None
        count = sum(one is not other for one, other in zip(requests, self._tokens.measured, strict=True))
        return Remedy("together", "; ".join(names), self._before, self._totals(requests, last), count)

    def _next_plan(
        self, requests: Sequence[Request], explained: Explanation, best: Mapping[Cause, str]
    ) -> tuple[str, Plan | None]:
        """Return the largest break that has a plan, and the plan: that of the same id as before, else the first whole one."""
        for number, case in enumerate(explained.cases):
            least_rate = _LEAST_FREE_RATE if case.verdict.cause in _FREE else _LEAST_RATE
            if case.lost_tokens < least_rate * self._before.prompt_tokens:
                continue
            plans = plans_for(self._subject(requests, explained, number))
            known = best.get(case.verdict.cause)
            chosen = [plan for plan in plans if plan.id == known] or [plan for plan in plans if not plan.is_half]
            if chosen:
                return f"{case.verdict.cause.value} at {case.verdict.where}", chosen[0]
        return "", None

    def _replayed(self, requests: Sequence[Request]) -> Replayed | None:
        with contextlib.suppress(LayoutError):
            pairs = zip(requests, self._tokens.measured, strict=True)
            sequence: TokenSequence = self._tokens.again([rendered_again(changed, logged) for changed, logged in pairs])
            return replay(sequence.with_limits(self._tokens.requests.limits), self._policy)
        return None

    def _subject(self, requests: Sequence[Request], explained: Explanation, number: int) -> Subject:
        found, case = explained, explained.cases[number]
        return Subject(requests, found.chains, found.clusters, found.book, found.places, case, self._tokens.layout)

    def _totals(self, requests: Sequence[Request], replayed: Replayed) -> Totals:
        matches = replayed.matches
        return Totals(
            sum(match.prompt_tokens for match in matches),
            sum(match.shareable_tokens for match in matches),
            sum(match.engine_tokens for match in matches),
            self._worth.cost(requests, replayed),
            self._worth.prefill_s(matches),
        )


def with_remedies(place: Break, remedies: Sequence[Remedy]) -> Break:
    """Return ``place`` with its remedies; the first of them is its fix."""
    if not remedies:
        return place
    best = remedies[0]
    return replace(place, remedies=tuple(remedies), fix=best.title, hit_rate_after=best.after.shareable_rate)

"""The explained part of a report: breaks with their remedies, what each request lost by which cause, what is cleared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.explaining import Explanation, explain
from radixlint.api.log_tokens import LogTokens, TokenCounter
from radixlint.api.marker_break import marker_break, marks_plan
from radixlint.api.remedies import Mended, RemedySearch, with_remedies
from radixlint.api.replay_worth import ReplayWorth
from radixlint.explain import (
    BreakWriter,
    Case,
    LaidOutTexts,
    Names,
    branch_at,
    branch_points,
    exonerate,
    is_like,
    is_one_time,
    note_on_hidden,
    one_time_changes,
    prefix_tree,
)
from radixlint.explain.exoneration import Cleared as Exonerated
from radixlint.plural import counted
from radixlint.privacy import Crowd, Disclosure, crowd_note
from radixlint.replay import Replayed
from radixlint.result.breaks import Break, Cleared, OneTimeChange
from radixlint.result.cause import Cause, Confidence
from radixlint.result.measurement import Show, TreeNode
from radixlint.result.remedy import Remedy
from radixlint.traffic import CachePolicy

_USUAL_TTL_S: Final = 300.0
"""The least time that hosted caches keep a prefix."""
_USUAL_MIN_TOKENS: Final = 1_024
"""The least length of a prefix that most hosted caches keep."""
_UNREAD: Final = (
    "No fix is replayed: the log has token ids, no text. --tokenizer NAME (a vocabulary, or the model's tokenizer.json) turns "
    "them back into text if it is the one that made them; then causes and fixes are told."
)
_GUESSED: Final = frozenset({Cause.TTL, Cause.BELOW_MINIMUM})


@dataclass(frozen=True, slots=True)
class Explained:
    """What an explanation adds to a report; empty where none was asked for.

    ``repeated_tokens`` is what each request lost where prompts are known by ids alone: then there is no ``explanation``.
    """

    breaks: tuple[Break, ...] = ()
    tree: TreeNode | None = None
    notes: tuple[str, ...] = ()
    explanation: Explanation | None = None
    cleared: tuple[Cleared, ...] = ()
    together: Remedy | None = None
    unlisted_breaks: int = 0
    one_time: tuple[OneTimeChange, ...] = ()
    repeated_tokens: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class LogExplainer:
    """Explains the measured requests of a log.

    Attributes:
        tokens: the log as tokens.
        replayed: the log under ``policy``.
        policy: the rules of the cache.
        options: how much to explain and to show.
        crowd: who is behind each request.
        worth: what a replay costs.
        names: names requests.
    """

    tokens: LogTokens
    replayed: Replayed
    policy: CachePolicy
    options: AnalyzeOptions
    crowd: Crowd
    worth: ReplayWorth
    names: Names

    def explained(self) -> Explained:
        """Return what there is to say."""
        tokens, options = self.tokens, self.options
        texts, disclosure = self._shown()
        found = Explained()
        if options.top:
            found = self._by_pieces(disclosure) if self.has_texts else self._by_ids(disclosure, texts)
        hidden = crowd_note(tokens.measured, self.crowd) if options.show is Show.SHARED else None
        notes = found.notes if hidden is None else (hidden, *found.notes)
        tree = None if options.tree is None else prefix_tree(tokens.requests, texts, disclosure, options.tree)
        return replace(found, notes=notes, tree=tree)

    def _shown(self) -> tuple[LaidOutTexts, Disclosure]:
        """Return the texts as laid out, and what of them may be shown."""
        tokens, options = self.tokens, self.options
        texts = LaidOutTexts(tokens.measured, tokens.layout)
        return texts, Disclosure(options.show, self.crowd, texts.text, TokenCounter(options.tokenizer, tokens.measured))

    def _by_pieces(self, disclosure: Disclosure) -> Explained:
        tokens, replayed, policy = self.tokens, self.replayed, self.policy
        explanation = explain(tokens, replayed, self.crowd.chains)
        writer = BreakWriter(explanation.book, tokens.measured, replayed, explanation.places, disclosure, self.names)
        cases = explanation.cases[: self.options.top]
        chains = explanation.chains
        breaks = [replace(writer.written(case), since_requests=_since(case, chains)) for case in cases]
        mended = Mended((), None)
        search = RemedySearch(tokens, policy, replayed, self.worth) if self.options.mend else None
        unmarked = marker_break(tokens, replayed, policy, self.names, search)
        if search and cases:
            first = marks_plan(tokens) if unmarked and unmarked.remedies else None
            mended = search.mend(explanation, min(len(cases), self.options.mend), first)
        mended_breaks = [with_remedies(place, some) for place, some in zip(breaks, mended.remedies, strict=False)]
        found = [*mended_breaks, *breaks[len(mended_breaks) :], *((unmarked,) if unmarked else ())]
        left = len(explanation.cases) - len(cases)
        unlisted = (f"Not listed: {counted(left, 'smaller break')}; --top shows more.",) if left > 0 else ()
        hidden = filter(None, (note_on_hidden(case, explanation.book) for case in cases))
        return Explained(
            breaks=tuple(sorted(found, key=lambda place: -place.lost_tokens)),
            notes=(*unlisted, *hidden),
            explanation=explanation,
            cleared=self._cleared(explanation),
            together=mended.together,
            unlisted_breaks=left,
            one_time=self._one_time(explanation, disclosure),
        )

    def _one_time(self, explanation: Explanation, disclosure: Disclosure) -> tuple[OneTimeChange, ...]:
        once = [one for one in explanation.seldom if is_one_time(one[1])]
        return one_time_changes(once, self.tokens.measured, explanation.chains, self.names, disclosure)

    @property
    def has_texts(self) -> bool:
        """Whether causes can be told."""
        return any(request.messages or request.tools or request.rendered for request in self.tokens.measured)

    def at_ids(self, position: int) -> tuple[int, Break | None]:
        """Return whom the request at ``position`` parted from, -1 for nobody, and the break; for prompts known by ids alone."""
        tokens = self.tokens
        texts, disclosure = self._shown()
        return branch_at(position, tokens.requests, self.replayed, self.crowd.chains, texts, disclosure)

    def once_at(self, explanation: Explanation, position: int) -> OneTimeChange | None:
        """Return what changed in front of the request at ``position`` that is no fault, None for nothing."""
        found = next((one for one in explanation.seldom if one[0].position == position), None)
        if found is None:
            return None
        alike = [one for one in explanation.seldom if is_like(one[1], found[1])]
        requests, chains, names = self.tokens.measured, explanation.chains, self.names
        _, disclosure = self._shown()
        own, whole = (one_time_changes(some, requests, chains, names, disclosure)[0] for some in ([found], alike))
        return replace(own, first_seen_s=whole.first_seen_s, first_request=whole.first_request)

    def at(self, position: int) -> tuple[Explanation, Break | None, Cleared | None]:
        """Return the explanation of all requests, and break and clearance of the one at ``position``."""
        tokens = self.tokens
        _, disclosure = self._shown()
        explanation = explain(tokens, self.replayed, self.crowd.chains)
        writer = BreakWriter(explanation.book, tokens.measured, self.replayed, explanation.places, disclosure, self.names)
        found = explanation.case_at(position)
        broken = None
        if found is not None:
            number, alone = found
            search = RemedySearch(tokens, self.policy, self.replayed, self.worth)
            since = _since(explanation.cases[number], explanation.chains)
            told = replace(writer.written(alone), since_requests=since)
            broken = with_remedies(told, search.of_case(explanation, number))
        cleared = next((one for one in self._exonerated(explanation) if position in one.positions), None)
        return explanation, broken, self._told(cleared) if cleared else None

    def _cleared(self, explanation: Explanation) -> tuple[Cleared, ...]:
        return tuple(map(self._told, self._exonerated(explanation)))

    def _exonerated(self, explanation: Explanation) -> Sequence[Exonerated]:
        requests = self.tokens.measured
        earlier = [None if partner < 0 else partner for partner in explanation.partners]
        broken = {position for position, lost_tokens in enumerate(explanation.lost_tokens) if lost_tokens}
        found = exonerate(requests, self.replayed.matches, earlier, self._guessed(), broken)
        if not self.policy.is_assumed:
            return found
        return [one if one.cause not in _GUESSED else structs.replace(one, confidence=Confidence.LOW) for one in found]

    def _guessed(self) -> CachePolicy:
        """Return the policy; where nobody named the server it may be a hosted one, which forgets and keeps no short prompts.

        Requests that hit after as long a time, or with as short a prefix, speak against it.
        """
        if not self.policy.is_assumed:
            return self.policy
        ttl_s = _USUAL_TTL_S if self.policy.ttl_s is None else self.policy.ttl_s
        return structs.replace(self.policy, ttl_s=ttl_s, min_tokens=max(self.policy.min_tokens, _USUAL_MIN_TOKENS))

    def _told(self, one: Exonerated) -> Cleared:
        examples = tuple(self.names.of(self.tokens.measured[position], position) for position in one.examples)
        return Cleared(one.cause.value, one.detail, one.confidence, one.requests, one.tokens, one.what, examples, one.agrees)

    def _by_ids(self, disclosure: Disclosure, texts: LaidOutTexts) -> Explained:
        measured, names = self.tokens.measured, self.names
        points = branch_points(self.tokens.requests, self.replayed, self.crowd.chains, texts, disclosure, self.options.top)
        named = [tuple(names.of(measured[at], at) for at in examples) for examples in points.examples]
        breaks = tuple(replace(place, examples=some) for place, some in zip(points.breaks, named, strict=True))
        has_lost = any(place.lost_tokens for place in points.breaks)
        unread = (_UNREAD,) if has_lost and any(request.token_ids is not None for request in measured) else ()
        return Explained(breaks=breaks, notes=(*points.notes, *unread), repeated_tokens=points.lost_tokens)


def _since(case: Case, chains: Sequence[int]) -> int:
    """Count the requests of the conversations of ``case`` from the first of it on that loses, in each."""
    first: dict[int, int] = {}
    for loss in case.losses:
        chain = chains[loss.position]
        first[chain] = min(loss.position, first.get(chain, loss.position))
    return sum(position >= first[chain] for position, chain in enumerate(chains) if chain in first)

"""Prompts that were intact and yet reported as computed: not a fault of theirs, so who or what else it was.

Every cause that could be chance is held against controls: requests under the same circumstances that were read from the
cache speak against it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Sequence
from statistics import median
from typing import Final

from msgspec import Struct

from radixlint.explain.cleared_text import duration, miss_words, missing_parts, sentence
from radixlint.explain.counter_faults import contradictions, from_nowhere
from radixlint.explain.reuse_cases import Case, CaseReader, Circumstances, reuse_cases, with_controls
from radixlint.explain.vendor_words import cause_of_word, word_agrees
from radixlint.plural import counted
from radixlint.result.cause import Cause, Confidence
from radixlint.traffic import CachePolicy, Match, Request

_MOST_EXAMPLES: Final = 3
_SEVERAL: Final = 3
_MANY: Final = 10
_CONTRADICTING: Final = "they contradict each other"
_FROM_NOWHERE: Final = "cached tokens that stand in no other prompt of the log"
# What a provider's word may name where the log shows no cause; all else it can say is about the prompt.
_NOT_THE_PROMPT: Final = frozenset(
    (
        *(Cause.TTL, Cause.ROUTING, Cause.PARALLEL_START, Cause.BELOW_MINIMUM, Cause.MARKER, Cause.PARAMETER),
        *(Cause.ENGINE, Cause.CAPACITY),
    )
)
_CERTAIN: Final = (Cause.BELOW_MINIMUM, Cause.MARKER)
_STEP_DOWN: Final = {Confidence.HIGH: Confidence.MEDIUM, Confidence.MEDIUM: Confidence.LOW, Confidence.LOW: Confidence.LOW}


class Cleared(Struct, frozen=True):
    """Requests whose prompts are not to blame for what was not read from the cache, with one cause.

    ``detail`` names the parameter, the gap or the limit, empty if there is nothing to add. ``tokens`` are those that should
    have been reported as cached and were not, in the server's own count; 0 for counts that cannot be right. ``what`` is a
    sentence without a full stop. ``positions`` are all of them, ``examples`` the first. ``agrees``: whether the provider's own
    words can mean the same; None where it says nothing.
    """

    cause: Cause
    detail: str
    confidence: Confidence
    requests: int
    tokens: int
    what: str
    examples: tuple[int, ...]
    agrees: bool | None = None
    positions: tuple[int, ...] = ()


def exonerate(
    requests: Sequence[Request],
    matches: Sequence[Match | None],
    partners: Sequence[int | None],
    policy: CachePolicy,
    broken: Container[int] = (),
) -> tuple[Cleared, ...]:
    """Return why prompts that were intact were not read from the cache, the most tokens first; nothing for a healthy log.

    ``matches`` and ``partners`` (positions of earlier requests) are a replay's, None where a prompt is not known. A request
    counts if it reports clearly fewer cached tokens than its ``engine_tokens``: by more than a block, a step of 128 tokens
    and 5 %. So rules that the replay applied itself (time to live, minimum, marks) explain nothing any more: leave them out
    of it to see them here. Positions are those in ``requests``. Those ``broken`` have a break in their prompts, behind the part
    that should have been read: they are cleared of that part alone, which ``what`` says.
    """
    wrong = contradictions(requests)
    faults = set(wrong)
    odd = [one for one in from_nowhere(requests, matches, partners, policy) if one not in faults]
    faults.update(odd)
    cases = [case for case in reuse_cases(requests, matches, policy) if case.position not in faults]
    short = [case for case in cases if case.is_short]
    cleared = [
        _metering(requests, positions, detail, confidence)
        for positions, detail, confidence in ((wrong, _CONTRADICTING, Confidence.HIGH), (odd, _FROM_NOWHERE, Confidence.LOW))
        if positions
    ]
    if short:
        looked_at = with_controls(cases)
        reader = CaseReader(requests, matches, partners, policy, looked_at)
        told = [(case, reader.read(case)) for case in looked_at]
        cleared += _Trial(requests, policy, told, len(cases) - len(short), broken).verdicts()
    return tuple(sorted(cleared, key=lambda one: (-one.tokens, one.examples, one.cause)))


class _Trial:
    """The cases of one log, and what speaks for and against each cause."""

    def __init__(
        self,
        requests: Sequence[Request],
        policy: CachePolicy,
        told: list[tuple[Case, Circumstances]],
        hits: int,
        broken: Container[int],
    ) -> None:
        self._requests, self._broken = requests, broken
        self._policy = policy
        self._short = [(case, one) for case, one in told if case.is_short]
        self._controls = [one for case, one in told if not case.is_short]
        self._weight = hits / len(self._controls) if self._controls else 1.0
        self._never_hit = not any(one.usage is not None and one.usage.cached_tokens for one in requests)
        cached = (one.usage.cached_tokens or 0 for one in requests if one.usage is not None)
        self._least_hit_tokens = min((float(tokens) for tokens in cached if tokens), default=math.inf)
        shorts = [one for _, one in self._short]
        self._changed = tuple(Counter(name for one in half for name in one.changed) for half in (shorts, self._controls))
        self._elsewhere = tuple(sum(one.is_elsewhere is True for one in half) for half in (shorts, self._controls))
        self._parallel = tuple(sum(one.is_parallel is True for one in half) for half in (shorts, self._controls))
        self._gaps = tuple(sorted(one.gap_s for one in half if one.gap_s is not None) for half in (shorts, self._controls))

    def verdicts(self) -> list[Cleared]:
        """Return the short requests by cause and, for parameters, by which changed."""
        found: dict[tuple[Cause, str], list[tuple[Case, Circumstances]]] = {}
        for case, one in self._short:
            found.setdefault(self._cause(case, one), []).append((case, one))
        unknown = found.pop((Cause.UNKNOWN, ""), [])
        too_far = self._too_far(unknown)
        for case, one in unknown:
            cause = Cause.CAPACITY if case.position in too_far else self._named(case)
            found.setdefault((cause, ""), []).append((case, one))
        return [self._verdict(cause, names, told) for (cause, names), told in found.items()]

    def _cause(self, case: Case, one: Circumstances) -> tuple[Cause, str]:
        """Return the first cause that fits, and the names of what changed."""
        changed = [name for name in one.changed if self._is_telling(self._changed[0][name], self._changed[1][name])]
        if changed:
            return Cause.PARAMETER, ", ".join(changed)
        fits = {
            Cause.ROUTING: one.is_elsewhere is True and self._is_telling(*self._elsewhere),
            Cause.PARALLEL_START: one.is_parallel is True and self._is_telling(*self._parallel),
            Cause.TTL: one.gap_s is not None and one.ttl_s is not None and one.gap_s > one.ttl_s and self._is_late(one.gap_s),
            Cause.BELOW_MINIMUM: case.expected_tokens < min(self._policy.min_tokens, self._least_hit_tokens),
            Cause.MARKER: not one.has_mark,
            Cause.ENGINE: self._never_hit and len(self._short) >= _SEVERAL,
        }
        return next((cause for cause, is_fit in fits.items() if is_fit), Cause.UNKNOWN), ""

    def _is_telling(self, shorts: int, hits: float) -> bool:
        """Whether a circumstance of so many short requests and so many controls goes with being short."""
        return hits * self._weight * 2 <= shorts

    def _is_late(self, gap_s: float) -> bool:
        """Whether requests after as long a gap are short as a rule."""
        shorts, hits = (len(gaps) - bisect_left(gaps, gap_s) for gaps in self._gaps)
        return self._is_telling(shorts, hits)

    def _too_far(self, unknown: list[tuple[Case, Circumstances]]) -> set[int]:
        """Return the positions before which so much was sent that requests after as much are short as a rule."""
        far = sorted((one.gap_tokens, case.position) for case, one in unknown if one.gap_tokens is not None)
        hits = sorted(one.gap_tokens for one in self._controls if one.gap_tokens is not None)
        for index, (tokens, _) in enumerate(far):
            beyond = len(hits) - bisect_left(hits, tokens)
            shorts = len(far) - index
            if len(hits) - beyond >= _SEVERAL and shorts >= _SEVERAL and beyond * self._weight * 4 <= shorts:
                # A few that happen to be the farthest say nothing of the others.
                return {position for _, position in far[index:]} if 2 * shorts >= len(unknown) else set()
        return set()

    def _named(self, case: Case) -> Cause:
        """Return the cause the provider names where the log shows none."""
        settings = self._requests[case.position].settings
        theirs = None if settings is None or settings.miss_reason is None else cause_of_word(settings.miss_reason)
        return theirs if theirs in _NOT_THE_PROMPT and theirs is not None else Cause.UNKNOWN

    def _verdict(self, cause: Cause, names: str, told: list[tuple[Case, Circumstances]]) -> Cleared:
        asked = [self._requests[case.position] for case, _ in told]
        words = miss_words(asked)
        agrees = _all_agree(words, cause)
        missing = missing_parts(asked, self._requests)
        detail = names or self._detail(cause, [one for _, one in told])
        confidence = self._confidence(cause, len(told), agrees)
        return Cleared(
            cause=cause,
            detail=detail,
            confidence=_STEP_DOWN[confidence] if agrees is False or (missing and confidence is Confidence.HIGH) else confidence,
            requests=len(told),
            tokens=sum(case.missing_tokens for case, _ in told),
            what=sentence(
                cause, detail, len(told), missing, words, agrees, sum(case.position in self._broken for case, _ in told)
            ),
            examples=tuple(case.position for case, _ in told[:_MOST_EXAMPLES]),
            agrees=agrees,
            positions=tuple(case.position for case, _ in told),
        )

    def _detail(self, cause: Cause, told: list[Circumstances]) -> str:
        if cause is Cause.TTL:
            gaps = [one.gap_s for one in told if one.gap_s is not None]
            lives = sorted({one.ttl_s for one in told if one.ttl_s is not None})
            said = f"a gap of {duration(median(gaps))}" if gaps else "a gap that the log does not tell"
            return f"{said}, kept for {' or '.join(map(duration, lives))}" if lives else said
        if cause is Cause.BELOW_MINIMUM and self._policy.min_tokens:
            return f"it takes {counted(self._policy.min_tokens, 'token')} and more"
        tokens = [one.gap_tokens for one in told if one.gap_tokens is not None] if cause is Cause.CAPACITY else []
        return f"{median(tokens):,.0f} prompt tokens" if tokens else ""

    def _confidence(self, cause: Cause, count: int, agrees: bool | None) -> Confidence:
        if cause in _CERTAIN or (agrees and count >= _SEVERAL and cause is not Cause.UNKNOWN):
            return Confidence.HIGH
        if cause is Cause.UNKNOWN or (count < _SEVERAL and not agrees):
            return Confidence.LOW
        if cause in (Cause.ENGINE, Cause.CAPACITY):
            return Confidence.MEDIUM if count >= _MANY else Confidence.LOW
        return Confidence.HIGH if count >= _SEVERAL and len(self._controls) >= _SEVERAL else Confidence.MEDIUM


def _metering(requests: Sequence[Request], positions: Sequence[int], detail: str, confidence: Confidence) -> Cleared:
    words = miss_words([requests[one] for one in positions])
    agrees = _all_agree(words, Cause.METERING)
    what = sentence(Cause.METERING, detail, len(positions), words=words, agrees=agrees)
    examples = tuple(positions[:_MOST_EXAMPLES])
    return Cleared(Cause.METERING, detail, confidence, len(positions), 0, what, examples, agrees, tuple(positions))


def _all_agree(words: Sequence[str], cause: Cause) -> bool | None:
    answers = [answer for word in words if (answer := word_agrees(word, cause)) is not None]
    return all(answers) if answers else None

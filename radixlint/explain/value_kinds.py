"""What kind of value changes in one place of a prompt: by its position and how many values there are, then by its form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from radixlint.explain.clock_evidence import clock_evidence
from radixlint.explain.number_runs import NumberRun, number_run
from radixlint.explain.value_groups import LEVELS, Owner, Ownership, ownership
from radixlint.explain.value_shapes import WORDS, changing_parts, shape_of_values
from radixlint.result.cause import Cause, Confidence

_NEW_RATE: Final = 0.8
_SOME_NEW_RATE: Final = 0.5
_FEW_RATE: Final = 0.5
_STAY_RATE: Final = 0.6
_LEAST_STRETCHES: Final = 4
_RARE_RUN: Final = 3
_SURE_IDS: Final = 5
_SURE_OWNERS: Final = 3
_SURE_REPEATS: Final = 10
_SURE_RETURNS: Final = 20
_ASKED: Final = frozenset("?\uff1f\u061f")


class ValueKind(Struct, frozen=True):
    """What a changing value is.

    ``cause`` is one of clock, id, counter, live-state, tenant-before-shared, unknown. ``detail`` is a clock's granularity,
    else what the values are made of (``uuid``, ``hex``, ``token``, ``number``, ``words``). ``distinct`` counts different
    values. ``what`` is a short phrase for people that holds nothing of the values.
    """

    cause: Cause
    detail: str
    confidence: Confidence
    distinct: int
    what: str


class _Seen(Struct, frozen=True):
    """The values with what all questions about them need; a run is a stretch of equal values."""

    values: Sequence[str]
    owners: Sequence[Owner]
    distinct: Sequence[str]
    runs: int
    shape: str
    owned: Ownership | None

    @property
    def is_new_each_time(self) -> bool:
        """Whether nearly every request brings a value that no other has."""
        return len(self.distinct) >= _NEW_RATE * len(self.values)

    @property
    def is_rollout(self) -> bool:
        """Whether one value was replaced by another for good, or that twice: a deploy does so."""
        is_rare = len(self.values) >= _RARE_RUN * self.runs and self.owned is None
        return self.runs == len(self.distinct) < _LEAST_STRETCHES and (is_rare or (self.runs == 2 < len(self.values)))


_Verdict = tuple[Cause, str, Confidence, str]


def value_kind(values: Sequence[str], times_s: Sequence[float | None], groups: Sequence[Owner]) -> ValueKind:
    """Return what kind of value stands in one place.

    Args:
        values: the value in each request of the cluster, in request order.
        times_s: when each was made, in seconds since the epoch, as far as known.
        groups: tenant, user and session of each, as far as known.
    """
    distinct = tuple(dict.fromkeys(values))
    if len(distinct) < 2:
        return ValueKind(Cause.UNKNOWN, WORDS, Confidence.LOW, len(distinct), "text that does not change")
    runs = 1 + sum(one != other for one, other in pairwise(values))
    seen = _Seen(values, groups, distinct, runs, shape_of_values(distinct), ownership(values, groups))
    cause, detail, confidence, noun = _verdict(seen, times_s)
    if len(distinct) < 3 and cause not in (Cause.CLOCK, Cause.TENANT_BEFORE_SHARED, Cause.LIVE_STATE):
        confidence = Confidence.LOW
    return ValueKind(cause, detail, confidence, len(distinct), f"{noun}, {_how_often(seen)}")


def _verdict(seen: _Seen, times_s: Sequence[float | None]) -> _Verdict:
    """Return the first kind that fits; those with the strongest evidence are asked first."""
    clock = clock_evidence(seen.values, times_s)
    if clock is not None and (clock.confidence is Confidence.HIGH or seen.owned is None or seen.owned.level == "session"):
        noun = "a date" if clock.granularity == "day" else f"a time to the {clock.granularity}"
        return Cause.CLOCK, clock.granularity, clock.confidence, noun
    if seen.is_rollout:
        return _unknown(seen)
    numbers = number_run(seen.values, [[owner[level] for owner in seen.owners] for level in reversed(range(len(LEVELS)))])
    # What an owner keeps does not count.
    if numbers is not None and numbers.counts and seen.owned is None:
        noun = f"a number that counts {'down' if numbers.is_falling else 'up'}"
        return Cause.COUNTER, "number", numbers.confidence, noun
    return _owned(seen) or _id(seen, numbers) or _state(seen, numbers) or _unknown(seen)


def _unknown(seen: _Seen) -> _Verdict:
    return Cause.UNKNOWN, seen.shape, Confidence.LOW, "text that changes"


def _owned(seen: _Seen) -> _Verdict | None:
    """Return what a value is that each tenant, user or session keeps; values that sessions have in common are a state."""
    owned = seen.owned
    if owned is None or (owned.level == "session" and not owned.is_own):
        return None
    # A few texts that many owners share may be variants as well.
    is_sure = owned.is_own and owned.owners >= _SURE_OWNERS and owned.repeats >= _SURE_REPEATS
    has_sessions = any(session is not None for _, _, session in seen.owners)
    is_session_value = owned.level == "session" or (has_sessions and not owned.is_crossed)
    if seen.shape != WORDS and is_session_value and owned.is_own:
        is_certain = is_sure and owned.level == "session"
        return Cause.ID, seen.shape, Confidence.HIGH if is_certain else Confidence.MEDIUM, _id_noun(seen.shape)
    if owned.level != "session":
        confidence = Confidence.HIGH if is_sure else Confidence.MEDIUM
        return Cause.TENANT_BEFORE_SHARED, seen.shape, confidence, f"text of the {owned.level}"
    if any(user is not None for _, user, _ in seen.owners):
        return Cause.LIVE_STATE, seen.shape, Confidence.LOW, "a state of the session"
    return Cause.TENANT_BEFORE_SHARED, seen.shape, Confidence.MEDIUM, "text of the session"


def _id(seen: _Seen, numbers: NumberRun | None) -> _Verdict | None:
    if seen.shape == WORDS and _are_slugs(seen):
        return Cause.ID, WORDS, Confidence.MEDIUM, "an id (joined words)"
    if seen.shape == WORDS or (numbers is not None and numbers.is_measured):
        return None
    # A number among words that come back is one of the things a state tells.
    if seen.shape == "number" and _has_few_words(seen):
        return None
    is_new_by_turn = seen.runs == len(seen.distinct) >= _SOME_NEW_RATE * len(seen.values)
    if not seen.is_new_each_time and not is_new_by_turn:
        return None
    is_sure = seen.is_new_each_time and len(seen.values) >= _SURE_IDS and seen.shape != "number"
    return Cause.ID, seen.shape, Confidence.HIGH if is_sure else Confidence.MEDIUM, _id_noun(seen.shape)


def _are_slugs(seen: _Seen) -> bool:
    """Whether every request brings a new name of joined words, as jobs and containers have."""
    parts = changing_parts(seen.distinct)
    is_joined = all(len(found) == 1 and found[0].replace("_", "-").count("-") for found in parts)
    return is_joined and seen.is_new_each_time and len(seen.distinct) >= _SURE_IDS


def _id_noun(shape: str) -> str:
    return f"an id ({shape})"


def _state(seen: _Seen, numbers: NumberRun | None) -> _Verdict | None:
    if len(seen.values) < 3 or _is_asked(seen):
        return None
    if numbers is not None and len(seen.distinct) >= 3:
        confidence = Confidence.MEDIUM if numbers.is_measured else Confidence.LOW
        return Cause.LIVE_STATE, "number", confidence, "a number that moves with a state"
    is_few = len(seen.distinct) <= _FEW_RATE * len(seen.values)
    is_staying = seen.runs <= _STAY_RATE * len(seen.values) and seen.runs >= _LEAST_STRETCHES
    if seen.runs > len(seen.distinct) and (is_few or (len(seen.distinct) == 2 and len(seen.values) == 3)):
        is_many = len(seen.values) >= _SURE_RETURNS and 4 * len(seen.distinct) <= len(seen.values)
        is_sure = is_many and _changes_within_owners(seen)
        return Cause.LIVE_STATE, seen.shape, Confidence.HIGH if is_sure else Confidence.MEDIUM, "a state that comes back"
    if is_staying:
        return Cause.LIVE_STATE, seen.shape, Confidence.MEDIUM, "a state that stays for a while"
    if _has_few_words(seen):
        return Cause.LIVE_STATE, seen.shape, Confidence.MEDIUM, "a state of several parts"
    return None


def _changes_within_owners(seen: _Seen) -> bool:
    """Whether owners have several values as a rule: what each keeps may be text of its own, or a variant under trial."""
    for level in reversed(range(len(LEVELS))):
        held: dict[str, set[str]] = {}
        counts: Counter[str] = Counter()
        for value, owner in zip(seen.values, seen.owners, strict=True):
            if (name := owner[level]) is not None:
                held.setdefault(name, set()).add(value)
                counts[name] += 1
        several = [name for name, count in counts.items() if count > 1]
        if several:
            return 2 * sum(len(held[name]) > 1 for name in several) > len(several)
    return False


def _is_asked(seen: _Seen) -> bool:
    """Whether the values are questions: these may come back as well, and are no state."""
    return 2 * sum(not _ASKED.isdisjoint(value) for value in seen.distinct) > len(seen.distinct)


def _has_few_words(seen: _Seen) -> bool:
    """Whether the values are mostly new, but put together from words that come back (numbers aside)."""
    words = [part for parts in changing_parts(seen.distinct) for part in parts if not any(map(str.isdigit, part))]
    return len(words) >= 3 * len(set(words)) > 0 and 2 * len(set(words)) <= len(seen.values)


def _how_often(seen: _Seen) -> str:
    if seen.owned is not None and seen.owned.is_own:
        return f"one per {seen.owned.level}"
    if seen.is_new_each_time:
        return "new in every request" if len(seen.distinct) == len(seen.values) else "new in nearly every request"
    if seen.runs == 2:
        return "changed once"
    return f"{len(seen.distinct)} values in {len(seen.values)} requests"

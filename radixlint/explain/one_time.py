"""Changes that came once, as a deploy brings them: what they made cold is computed once more and then shared again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from radixlint.explain.break_report import Names
from radixlint.explain.shown_place import shown_place
from radixlint.explain.verdict import Verdict
from radixlint.pieces import Loss
from radixlint.privacy import Disclosure
from radixlint.result.breaks import OneTimeChange
from radixlint.result.cause import Cause
from radixlint.traffic import Request

_DEEP_CUT = "deep-cut"


def is_one_time(verdict: Verdict) -> bool:
    """Whether a verdict that is no fault is on a new version of tools or text, which then stays."""
    return verdict.cause is Cause.TOOL_SET or (verdict.cause is Cause.NEW_CONTENT and verdict.detail != _DEEP_CUT)


def is_like(verdict: Verdict, other: Verdict) -> bool:
    """Whether two verdicts that are no fault are on one change."""
    return (_cause(verdict), verdict.what) == (_cause(other), other.what)


def one_time_changes(
    seldom: Iterable[tuple[Loss, Verdict]],
    requests: Sequence[Request],
    chains: Sequence[int],
    names: Names,
    disclosure: Disclosure,
) -> tuple[OneTimeChange, ...]:
    """Return the changes that came once, those that cost most first.

    Args:
        seldom: losses that are no fault, by position.
        requests: the measured requests.
        chains: the conversation number of each.
        names: names requests.
        disclosure: what may be shown.
    """
    by_kind: dict[tuple[str, str], list[tuple[Loss, Verdict]]] = {}
    for loss, verdict in seldom:
        by_kind.setdefault((_cause(verdict), verdict.what), []).append((loss, verdict))
    made = [_change(cause, some, requests, chains, names, disclosure) for (cause, _), some in by_kind.items()]
    return tuple(sorted(made, key=lambda one: (-one.lost_tokens, one.cause, one.where)))


def _cause(verdict: Verdict) -> str:
    return verdict.detail or verdict.cause.value if verdict.cause is Cause.NEW_CONTENT else verdict.cause.value


def _change(
    cause: str,
    some: Sequence[tuple[Loss, Verdict]],
    requests: Sequence[Request],
    chains: Sequence[int],
    names: Names,
    disclosure: Disclosure,
) -> OneTimeChange:
    loss, verdict = min(some, key=lambda one: one[0].position)
    return OneTimeChange(
        cause=cause,
        where=shown_place(verdict.where, [one.position for one, _ in some], disclosure),
        what=verdict.what,
        requests=len(some),
        conversations=len({chains[one.position] for one, _ in some}),
        lost_tokens=sum(one.lost_tokens for one, _ in some),
        first_seen_s=requests[loss.position].time_s,
        first_request=names.of(requests[loss.position], loss.position),
    )

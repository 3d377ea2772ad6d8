"""What is lost for want of cache marks: a break of its own, since it is for the sender to set them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.api.log_tokens import LogTokens
from radixlint.api.measured_waterfall import Waterfall
from radixlint.api.remedies import RemedySearch, with_remedies
from radixlint.explain import Names
from radixlint.remedy import Plan
from radixlint.replay import Replayed
from radixlint.result.breaks import Break
from radixlint.result.cause import Cause, Confidence
from radixlint.rewrites import marked
from radixlint.traffic import CachePolicy, Request

_LEAST_RATE: Final = 0.01
_EXAMPLES: Final = 3


def marker_break(
    tokens: LogTokens,
    replayed: Replayed,
    policy: CachePolicy,
    names: Names,
    search: RemedySearch | None,
) -> Break | None:
    """Return what requests lose under a policy of breakpoints because no mark, or none that fits, stands behind a shared prefix.

    None where that is less than 1 % of the prompts, or the policy sets marks by itself. ``search`` replays the fix.
    """
    if policy.match != "breakpoint" or policy.implicit_mark != "none":
        return None
    lost = Waterfall(tokens.requests, policy, replayed).lost_by(Cause.MARKER.value)
    if not sum(lost) or sum(lost) < _LEAST_RATE * sum(match.prompt_tokens for match in replayed.matches):
        return None
    found = _break(tokens.measured, replayed, lost, names)
    if search is None:
        return found
    remedy = search.tried(marks_plan(tokens))
    return found if remedy is None or remedy.saved_tokens <= 0 else with_remedies(found, (remedy,))


def _break(requests: Sequence[Request], replayed: Replayed, lost: Sequence[int], names: Names) -> Break:
    at = [position for position, tokens in enumerate(lost) if tokens]
    bare = sum(not requests[position].marks for position in at)
    what = f"{bare:,} of them carry no cache mark" if bare else "their marks end where no earlier request wrote an entry"
    return Break(
        cause=Cause.MARKER.value,
        where="cache marks",
        token_index=0,
        requests=len(at),
        computed_tokens=sum(replayed.matches[p].prompt_tokens - replayed.matches[p].engine_tokens for p in at),
        lost_tokens=sum(lost),
        values=len({requests[position].marks for position in at}),
        shared="",
        before="",
        after="",
        examples=tuple(names.of(requests[position], position) for position in at[:_EXAMPLES]),
        what=what,
        detail="missing" if bare else "misplaced",
        confidence=Confidence.HIGH,
        share_rate=len(at) / len(requests),
        first_seen_s=requests[at[0]].time_s,
        prompt_tokens=sum(replayed.matches[p].prompt_tokens for p in at),
    )


def marks_plan(tokens: LogTokens) -> Plan:
    """Return the plan that sets cache marks where they serve most."""
    title = "Set cache marks behind tools and instructions, and behind the newest message"
    return Plan("marks", title, lambda: marked(tokens.measured))

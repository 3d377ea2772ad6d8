"""What there is to do about a change; no fix is named here, for none was replayed."""

from __future__ import annotations

from typing import Final

from radixlint.api.compared_verdict import LEAST_REQUESTS, Evidences, Verdict
from radixlint.result.cause import Cause
from radixlint.result.comparison import Blame, Turn
from radixlint.result.measurement import Show

_LOOK: Final = {
    Cause.ROUTING.value: "how requests are routed to replicas",
    Cause.TTL.value: "how long the cache keeps a prefix, and the gaps between requests",
    Cause.CAPACITY.value: "the size of the cache, and what else fills it",
    Cause.PARALLEL_START.value: "requests that start before the first of them is through",
    Cause.BELOW_MINIMUM.value: "the least length of a prefix that this cache keeps",
    Cause.MARKER.value: "the cache marks of the requests",
    Cause.PARAMETER.value: "the parameter that changed",
    Cause.METERING.value: "how cached tokens are counted and logged",
}
_ENGINE: Final = "settings, version and restarts of the server"


def advice(verdict: Verdict, evidence: Evidences, show: Show) -> str:
    """Return what to do next, a phrase."""
    if verdict.is_better:
        return _better(verdict, evidence)
    if verdict.blame is Blame.PROMPT:
        return _prompt(verdict, show)
    if verdict.blame is Blame.ENGINE:
        return _engine(verdict)
    if verdict.blame is Blame.MIX:
        return _mix(verdict, evidence)
    if verdict.blame is Blame.NOTHING:
        return "nothing"
    if not evidence.has_prompts:
        return "log the prompts as well: counts alone do not tell the cause"
    if not evidence.tells_causes:
        return "log the texts as well, or name with --tokenizer what reads the ids: ids alone do not tell the cause"
    if evidence.is_small:
        return f"compare longer parts: {LEAST_REQUESTS} counted requests on each side are the least"
    return "compare longer parts, or traffic that is more alike"


def _better(verdict: Verdict, evidence: Evidences) -> str:
    """Return that nothing is to do, but for what got worse meanwhile."""
    if any(one.turn is Turn.BEGAN for one in evidence.breaks):
        return "nothing about this; see below which break began meanwhile"
    if not verdict.against:
        return "nothing"
    rates = evidence.changes()
    told = ", ".join(f"{one.value} {100 * rates[one]:+.1f}" for one in verdict.against)
    return f"nothing about this; what got worse meanwhile, in points: {told}"


def _mix(verdict: Verdict, evidence: Evidences) -> str:
    if not verdict.is_worse:
        return "nothing"
    # A rate of each kind is told where there are several kinds.
    several = len(evidence.groups) > 1
    return f"nothing in the prompts{': the rate with the old mix, below, is the one to compare' if several else ''}"


def _prompt(verdict: Verdict, show: Show) -> str:
    if verdict.when_request is None or show is Show.HASH:
        return "`radixlint analyze` on the later part lists its breaks and replays what would mend them"
    named = f"`radixlint why LOG --request {verdict.when_request.removeprefix('request ')}`"
    return f"`radixlint analyze` on the later part replays what would mend it; {named} shows the place"


def _engine(verdict: Verdict) -> str:
    if not verdict.is_worse:
        return "nothing"
    return f"leave the prompts as they are; look at {_LOOK.get(verdict.cause or '', _ENGINE)}"

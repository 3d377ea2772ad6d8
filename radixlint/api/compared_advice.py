"""What there is to do about a change; no fix is named here, for none was replayed."""

from __future__ import annotations

from typing import Final

from radixlint.api.compared_verdict import LEAST_REQUESTS, Evidences, Verdict
from radixlint.result.cause import Cause
from radixlint.result.comparison import Blame
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
    if verdict.blame is Blame.PROMPT:
        return _prompt(verdict, show)
    if verdict.blame is Blame.ENGINE:
        return _engine(verdict)
    if verdict.blame is Blame.MIX:
        return (
            "nothing in the prompts: the rate with the old mix, below, is the one to compare" if verdict.is_worse else "nothing"
        )
    if verdict.blame is Blame.NOTHING:
        return "nothing"
    if not evidence.has_prompts:
        return "log the prompts as well: counts alone do not tell the cause"
    if evidence.is_small:
        return f"compare longer parts: {LEAST_REQUESTS} counted requests on each side are the least"
    return "compare longer parts, or traffic that is more alike"


def _prompt(verdict: Verdict, show: Show) -> str:
    if not verdict.is_worse:
        return "nothing"
    if verdict.when_request is None or show is Show.HASH:
        return "`radixlint analyze` on the later part lists its breaks and replays what would mend them"
    named = f"`radixlint why LOG --request {verdict.when_request.removeprefix('request ')}`"
    return f"`radixlint analyze` on the later part replays what would mend it; {named} shows the place"


def _engine(verdict: Verdict) -> str:
    if not verdict.is_worse:
        return "nothing"
    return f"leave the prompts as they are; look at {_LOOK.get(verdict.cause or '', _ENGINE)}"

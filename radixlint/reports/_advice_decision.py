"""Part 4 of the go/no-go page: verdict, why, what differs between the engines, what reuse is worth, cautions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radixlint.reports._advice_sections import mended_basis, percent
from radixlint.reports._estimate_lines import workload_shape
from radixlint.reports._figures import counted, milliseconds
from radixlint.reports._markdown_escape import plain
from radixlint.result.advice import Advice, Caution, Decision, DifferenceKind, Differences, Reason, Verdict
from radixlint.result.estimate import Estimate
from radixlint.result.evidence import Evidence
from radixlint.result.workload import EngineToday

_GIB: Final = 2**30
_BASES: Final = {
    DifferenceKind.UNIT: "the unit of reuse",
    DifferenceKind.ROOM: "order and eviction under a full cache",
    DifferenceKind.ROUTING: "prefix-aware routing",
}


def decision_lines(advice: Advice) -> list[str]:
    """Return verdict, reason, differences, what reuse is worth, cautions."""
    decision, limits = advice.decision, advice.thresholds
    lines = [
        f"- **{decision.verdict}: {_action(advice)}.** {_REASONS[decision.reason](advice)} (Go above {100 * limits.go_rate:g} %, "
        f"no-go below {100 * limits.no_go_rate:g} %, from {counted(limits.least_requests, 'request')}; {Evidence.ASSUMED}.)"
    ]
    if decision.differences:
        if decision.verdict in (Verdict.GO, Verdict.RUN_BOTH):
            lines.append(f"- **It rests on** {_basis(decision.differences)}")
        lines += [f"- {sentence}" for sentence in _differences(decision.differences)]
    if advice.estimate:
        lines.append(f"- {_worth(advice.estimate)}")
    return lines + [f"- **Caution:** {_CAUTIONS[caution](decision)}" for caution in decision.cautions]


def _action(advice: Advice) -> str:
    """Return what to do on this verdict."""
    decision = advice.decision
    if decision.verdict is Verdict.GO:
        if advice.workload.engine_today is EngineToday.SGLANG:
            return "keep SGLang; the 48-hour shadow of vLLM tests it, and on a tie SGLang stays"
        return "run the 48-hour shadow of SGLang; on a tie keep today's engine"
    if decision.verdict is Verdict.RUN_BOTH:
        return "run both engines on a sample of the traffic, as in part 5"
    if decision.verdict is Verdict.NOT_ENOUGH_DATA:
        return "no engine is recommended without sharing measured in real traffic"
    return f"use {decision.engine}" if decision.engine else "normalise the prompts at a proxy first"


def _rate(decision: Decision) -> str:
    return f"{percent(decision.decision_rate)} ({decision.decision_evidence})"


def _counter(decision: Decision) -> str:
    return f"{percent(decision.reported_rate)} ({Evidence.MEASURED}, {counted(decision.reporting_requests, 'request')})"


def _above_go(advice: Advice) -> str:
    decision = advice.decision
    if decision.reported_rate is None:
        return f"The log shares {_rate(decision)}, above the threshold; no counter of the server confirms it."
    return f"The log shares {_rate(decision)}, the server served {_counter(decision)}: both above the threshold."


def _below_no_go(advice: Advice) -> str:
    return f"{_rate(advice.decision)} is too little for a change of engine to pay; vLLM caches prefixes by default."


def _order_hides(advice: Advice) -> str:
    mended = percent(advice.decision.mended_rate)
    return (
        f"{_below_no_go(advice)} But it is the order that keeps the rate low: with the first break of part 2 mended it is at "
        f"least about {mended} ({mended_basis(advice.decision.mended_evidence)}). Mend it, log again, decide again."
    )


def _other_tokens(advice: Advice) -> str:
    found = advice.decision.agreement
    ratios = f" (our tokens / reported: median {found.median_ratio:.2f}, p95 {found.p95_ratio:.2f})" if found else ""
    return f"Layout or tokenizer differs from the server's{ratios}, so the replayed rates are only {Evidence.ASSUMED}."


def _no_prompts(advice: Advice) -> str:
    lack = "the log holds no prompts to replay, so what could be shared is not known"
    if advice.decision.reported_rate is None:
        return f"{lack[0].upper()}{lack[1:]}, and no count of cached tokens."
    return f"The server served {_counter(advice.decision)} from cache, but {lack}: log the requests' bodies."


_REASONS: Final[dict[Reason, Callable[[Advice], str]]] = {
    Reason.NO_CONTROL: lambda _: (
        "The team does not control the template, and the template is the cache key: one order, "
        "volatile values last, then measure again."
    ),
    Reason.SINGLE_SHOT: lambda _: (
        "Single-shot traffic: no two requests begin alike, so there is nothing to reuse. vLLM caches "
        "prefixes by default, at next to no cost without hits."
    ),
    Reason.NO_LOG: lambda _: "No log was given.",
    Reason.TOO_FEW_REQUESTS: lambda a: (
        f"The log holds {counted(a.decision.requests, 'request')}; {a.thresholds.least_requests:,} are needed."
    ),
    Reason.NO_TOKENS: _no_prompts,
    Reason.OTHER_TOKENS: _other_tokens,
    Reason.COUNTER_SHOWS_NONE: lambda a: (
        f"The log allows {_rate(a.decision)}, but the server's counter shows none: "
        f"{_counter(a.decision)}. Is caching on (vLLM: no `--no-enable-prefix-caching`; SGLang: no `--disable-radix-cache`)?"
    ),
    Reason.TENANTS_NOT_TOLD_APART: lambda a: (
        f"{_rate(a.decision)} is an upper bound: {counted(a.workload.tenants, 'tenant')} "
        "need separate KV pools, and the log has one namespace, so it does not tell them apart."
    ),
    Reason.PARTIAL_LOG: lambda a: (
        f"{_rate(a.decision)} is a lower bound, because many records could not be read, so it cannot prove a no."
    ),
    Reason.ABOVE_GO: _above_go,
    Reason.BELOW_NO_GO: _below_no_go,
    Reason.ORDER_HIDES_SHARING: _order_hides,
    Reason.BETWEEN: lambda a: f"{_rate(a.decision)} lies between the thresholds.",
    Reason.COUNTER_DISAGREES: lambda a: (
        f"The log shares {_rate(a.decision)}, but the server served {_counter(a.decision)} from "
        "cache: the two stand on different sides of a threshold."
    ),
}


def _basis(found: Differences) -> str:
    if found.large:
        return f"{' and '.join(_BASES[kind] for kind in found.large)}; the hit rate alone speaks for neither engine."
    return "the amount of sharing alone: no difference between the engines is large here."


def _differences(found: Differences) -> list[str]:
    return [
        f"**Caching:** no difference, both do it by default ({Evidence.STATIC}).",
        f"**Unit of reuse:** SGLang's pages of {found.sglang_page_tokens} give {100 * found.page_gain_rate:.1f} points more than "
        f"vLLM's blocks of {found.vllm_block_tokens} ({found.evidence}).",
        f"**Order and eviction:** vLLM serves on arrival, evicts blocks; SGLang likewise unless `lpm` is set, evicts "
        f"leaves ({Evidence.STATIC}). {_effect_of_room(found)}",
        f"**Routing:** {_routing(found.replicas)}",
    ]


def _effect_of_room(found: Differences) -> str:
    if found.need_bytes is None or found.room_bytes is None:
        return "It matters when the cache is too small; name model and GPU to know."
    is_full = DifferenceKind.ROOM in found.large
    rooms = "" if found.replicas == 1 else f" in {counted(found.replicas, 'replica')}"
    return (
        f"Distinct tokens take {found.need_bytes / _GIB:,.1f} GiB ({found.evidence}) of "
        f"{found.room_bytes * found.replicas / _GIB:,.0f} GiB{rooms} ({Evidence.ASSUMED}): "
        f"{'this decides much' if is_full else 'little effect'}."
    )


def _routing(replicas: int) -> str:
    if replicas == 1:
        return f"no difference with one replica ({Evidence.ASSUMED})."
    return (
        f"with {counted(replicas, 'replica')} ({Evidence.ASSUMED}) the rates need a prefix-aware router: SGLang's "
        f"`cache_aware`, vLLM's `prefixaware` ({Evidence.STATIC})."
    )


def _worth(estimate: Estimate) -> str:
    text = f"**Reuse is worth**, against none, for {plain(workload_shape(estimate))}:"
    if estimate.ttft_without_s is not None and estimate.ttft_with_s is not None:
        text += (
            f" {percent(estimate.saved_rate)} of prefill FLOPs ({estimate.match_evidence}); first token in "
            f"{milliseconds(estimate.ttft_with_s)} instead of {milliseconds(estimate.ttft_without_s)}, idle server "
            f"({estimate.evidence});"
        )
    if estimate.speedup is None or estimate.prefill_share_rate is None:
        return f"{text} no multiple is given, because this is not known: {', '.join(estimate.missing)}."
    return (
        f"{text} {estimate.speedup:.1f}x throughput at equal batch, prefill takes {percent(estimate.prefill_share_rate)} of the "
        f"time ({estimate.evidence}: {', '.join(f'{a.name} {a.value}' for a in estimate.assumptions)})."
    )


def _unread(decision: Decision) -> str:
    bound = "every rate is a lower bound" if decision.is_partial else "the rates may be a little low"
    return f"{decision.unread_records:,} of {counted(decision.records, 'record')} could not be read: {bound}."


_CAUTIONS: Final[dict[Caution, Callable[[Decision], str]]] = {
    Caution.TENANT_BUDGETS: lambda _: (
        "Tenants need separate KV pools. Both engines keep them apart (`cache_salt`; in SGLang also "
        "`extra_key`) in one memory, where leaf eviction can starve small tenants: give each a budget."
    ),
    Caution.ORDER: lambda _: "Fix the order on any engine: the template is the cache key.",
    Caution.UNREAD_RECORDS: _unread,
    Caution.COUNTER_BELOW_LOG: lambda d: (
        f"The server counts {percent(d.reported_rate)} ({Evidence.MEASURED}), the log allows {_rate(d)}: find what loses "
        "the rest (capacity, routing, a cache switched off)."
    ),
    Caution.NOT_SINGLE_SHOT: lambda d: (
        f"The workload file says single-shot, but the log shares {_rate(d)}: one of them is wrong."
    ),
}

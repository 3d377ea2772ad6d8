"""From evidence to one verdict: refusals first, then data, then thresholds."""

from __future__ import annotations

from typing import Final

from radixlint.advise.difference import differences
from radixlint.advise.log_evidence import LogEvidence
from radixlint.estimate import Server
from radixlint.result.advice import Decision, OrderAudit, Thresholds, Verdict
from radixlint.result.evidence import Evidence
from radixlint.result.workload import EngineToday, Workload

_FAR_APART_RATE: Final = 0.05


def decide(
    workload: Workload, thresholds: Thresholds, audit: OrderAudit, log: LogEvidence | None, server: Server | None
) -> Decision:
    """Return the verdict.

    The rate compared with the thresholds is the hit rate of the whole log under the rules of the engine in use, replayed
    with room for everything: what the traffic shares, whatever the server of today makes of it.
    """
    rate = log.today(workload).hit_rate.engine if log else None
    verdict, engine, reason = _verdict(workload, thresholds, log, rate)
    if verdict is Verdict.NO_GO and log and rate is not None and rate < thresholds.no_go_rate and not _refusal(workload):
        reason += _order_gap(thresholds, audit, rate)
    found = differences(workload, log, server) if log and rate is not None else None
    return Decision(
        verdict=verdict,
        engine=engine,
        decision_rate=rate,
        decision_evidence=log.evidence if log and rate is not None else None,
        reason=reason,
        basis=found.basis if found and verdict in (Verdict.GO, Verdict.RUN_BOTH) else None,
        differences=found.stated if found else (),
        cautions=_cautions(workload, thresholds, audit, log),
    )


def _verdict(
    workload: Workload, thresholds: Thresholds, log: LogEvidence | None, rate: float | None
) -> tuple[Verdict, str | None, str]:
    """Return verdict, engine and reason."""
    refusal = _refusal(workload)
    if refusal:
        return refusal
    lack = _lack(thresholds, log, rate)
    if lack or rate is None or log is None:
        return Verdict.NOT_ENOUGH_DATA, None, f"{lack} No engine is recommended without sharing measured in real traffic."
    shown = f"{percent(rate)} ({log.evidence})"
    if rate > thresholds.go_rate:
        today = "keep SGLang" if workload.engine_today is EngineToday.SGLANG else "start the shadow run of part 5"
        return Verdict.GO, "SGLang", f"{shown} is above the go threshold of {percent(thresholds.go_rate)}: {today}."
    if log.is_partial:
        why = f"{shown} is a lower bound, because many records could not be read, so it cannot prove a no."
        return Verdict.NOT_ENOUGH_DATA, None, why
    if rate < thresholds.no_go_rate:
        why = f"{shown} is below the no-go threshold of {percent(thresholds.no_go_rate)}: too little is shared for a change of "
        return Verdict.NO_GO, "vLLM", why + "engine to pay. Use vLLM; its prefix caching is on by default."
    between = f"{shown} lies between {percent(thresholds.no_go_rate)} and {percent(thresholds.go_rate)}"
    return Verdict.RUN_BOTH, None, f"{between}: run both engines on a sample of the traffic."


def _refusal(workload: Workload) -> tuple[Verdict, str | None, str] | None:
    """Return the verdict that the description alone forces, whatever was measured."""
    if not workload.controls_template:
        why = (
            "The team does not control the template, and the template is the cache key. Normalise the prompts at a proxy first: "
        )
        return Verdict.NO_GO, None, why + "one order, volatile values last. Then measure again."
    if workload.single_shot:
        why = "Single-shot traffic: no two requests begin alike, so there is nothing to reuse and no case for SGLang. Use vLLM; "
        return Verdict.NO_GO, "vLLM", why + "its prefix caching is on by default and costs next to nothing without hits."
    return None


def _lack(thresholds: Thresholds, log: LogEvidence | None, rate: float | None) -> str | None:
    if log is None:
        return "No log was given."
    if log.vllm.requests < thresholds.least_requests:
        return f"The log holds {log.vllm.requests:,} requests, and {thresholds.least_requests:,} are needed."
    return "The log holds no prompt tokens." if rate is None else None


def percent(rate: float) -> str:
    """Return a rate as a percentage with at most one decimal.

    >>> percent(0.4), percent(0.589)
    ('40 %', '58.9 %')
    """
    return f"{100 * rate:.1f}".removesuffix(".0") + " %"


def _cautions(workload: Workload, thresholds: Thresholds, audit: OrderAudit, log: LogEvidence | None) -> tuple[str, ...]:
    cautions = []
    if workload.separate_kv_pools:
        cautions.append(
            "Tenants need separate KV pools. Both engines keep tenants apart (`cache_salt`; in SGLang also `extra_key`), but in "
            "one memory: leaf eviction can starve small tenants. Give each tenant a budget, or large tenants their own replicas."
        )
    if audit.faults or audit.shape_fault:
        cautions.append("Fix the order on any engine: the template is the cache key, and all rates hold for the order as sent.")
    return (*cautions, *(_log_cautions(workload, thresholds, log) if log else ()))


def _order_gap(thresholds: Thresholds, audit: OrderAudit, rate: float) -> str:
    """Say that order keeps the rate low where the worst break alone would lift it over the no-go threshold; else nothing."""
    lifted = rate + max((found.repeated_rate for found in audit.breaks), default=0.0)
    if lifted < thresholds.no_go_rate:
        return ""
    return (
        f" But it is the order that keeps the rate low: with the first break of part 2 mended it comes to about "
        f"{percent(lifted)} (assumed: its repeated tokens added, not replayed). Mend it, log again, decide again."
    )


def _log_cautions(workload: Workload, thresholds: Thresholds, log: LogEvidence) -> list[str]:
    cautions = []
    report = log.today(workload)
    rates = report.hit_rate
    unread = report.records - report.read
    if unread:
        bound = "Every rate is a lower bound." if log.is_partial else "The rates may be a little low."
        cautions.append(f"{unread:,} of {report.records:,} records could not be read. {bound}")
    if rates.reported is not None and rates.engine is not None and rates.engine - rates.reported > _FAR_APART_RATE:
        cautions.append(
            f"The server counts {percent(rates.reported)} ({Evidence.MEASURED}) where the log allows {percent(rates.engine)} "
            f"({log.evidence}). Find out first what loses the rest: capacity, routing, or a cache switched off."
        )
    if workload.single_shot and rates.engine is not None and rates.engine > thresholds.no_go_rate:
        shown = f"{percent(rates.engine)} ({log.evidence})"
        cautions.append(f"The workload file says single-shot, but the log shares {shown}: one of them is wrong.")
    return cautions

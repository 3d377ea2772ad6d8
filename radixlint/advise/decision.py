"""From evidence to one verdict: refusals first, then data, then thresholds.

Two rates can speak: what the traffic shares (replayed) and what the server served from cache (its own counter, if logged). A go
and a no-go need every rate that is known on their side of the threshold; where the two disagree, only a shadow run can tell.
"""

from __future__ import annotations

from typing import Final

from radixlint.advise.difference import differences
from radixlint.advise.log_evidence import LogEvidence
from radixlint.estimate import Server
from radixlint.result.advice import Caution, Decision, Reason, Thresholds, Verdict
from radixlint.result.evidence import Evidence
from radixlint.result.order_audit import OrderAudit
from radixlint.result.workload import Workload

_FAR_APART_RATE: Final = 0.05
_VERDICTS: Final = {
    Reason.NO_CONTROL: (Verdict.NO_GO, None),
    Reason.SINGLE_SHOT: (Verdict.NO_GO, "vLLM"),
    Reason.NO_LOG: (Verdict.NOT_ENOUGH_DATA, None),
    Reason.TOO_FEW_REQUESTS: (Verdict.NOT_ENOUGH_DATA, None),
    Reason.NO_TOKENS: (Verdict.NOT_ENOUGH_DATA, None),
    Reason.OTHER_TOKENS: (Verdict.NOT_ENOUGH_DATA, None),
    Reason.COUNTER_SHOWS_NONE: (Verdict.NOT_ENOUGH_DATA, None),
    Reason.TENANTS_NOT_TOLD_APART: (Verdict.NOT_ENOUGH_DATA, None),
    Reason.PARTIAL_LOG: (Verdict.NOT_ENOUGH_DATA, None),
    Reason.ABOVE_GO: (Verdict.GO, "SGLang"),
    Reason.BELOW_NO_GO: (Verdict.NO_GO, "vLLM"),
    Reason.ORDER_HIDES_SHARING: (Verdict.NO_GO, "vLLM"),
    Reason.BETWEEN: (Verdict.RUN_BOTH, None),
    Reason.COUNTER_DISAGREES: (Verdict.RUN_BOTH, None),
}


def decide(
    workload: Workload, thresholds: Thresholds, audit: OrderAudit, log: LogEvidence | None, server: Server | None
) -> Decision:
    """Return the verdict.

    The replayed rate is that of the whole log under the rules of the engine in use, with room for everything.
    """
    report = log.today(workload) if log else None
    rate = report.hit_rate.engine if report else None
    worst = max(audit.breaks, key=lambda found: found.expected_gain_rate, default=None)
    mended = None if rate is None or worst is None else min(1.0, rate + worst.expected_gain_rate)
    reason = _reason(workload, thresholds, log, mended)
    verdict, engine = _VERDICTS[reason]
    return Decision(
        verdict=verdict,
        reason=reason,
        engine=engine,
        decision_rate=rate,
        decision_evidence=log.evidence if log and rate is not None else None,
        mended_rate=mended,
        mended_evidence=None if mended is None or worst is None else worst.gain_evidence,
        reported_rate=report.hit_rate.reported if report else None,
        reporting_requests=report.reporting_requests if report else 0,
        agreement=report.agreement if report else None,
        requests=report.requests if report else 0,
        records=report.records if report else 0,
        unread_records=report.records - report.read if report else 0,
        is_partial=log.is_partial if log else False,
        differences=differences(workload, log, server) if log and rate is not None else None,
        cautions=_cautions(workload, thresholds, audit, log),
    )


def _reason(workload: Workload, thresholds: Thresholds, log: LogEvidence | None, mended: float | None) -> Reason:
    """Return why: what the description alone forces, then what the log lacks, then the rates."""
    if not workload.controls_template:
        return Reason.NO_CONTROL
    if workload.single_shot:
        return Reason.SINGLE_SHOT
    if log is None:
        return Reason.NO_LOG
    rates = log.today(workload).hit_rate
    if log.vllm.requests < thresholds.least_requests:
        return Reason.TOO_FEW_REQUESTS
    if rates.engine is None:
        return Reason.NO_TOKENS
    if log.evidence is Evidence.ASSUMED:
        return Reason.OTHER_TOKENS
    known = [rates.engine] if rates.reported is None else [rates.engine, rates.reported]
    if log.is_partial and rates.engine <= thresholds.go_rate:
        return Reason.PARTIAL_LOG
    if max(known) < thresholds.no_go_rate:
        is_hidden = mended is not None and mended >= thresholds.no_go_rate
        return Reason.ORDER_HIDES_SHARING if is_hidden else Reason.BELOW_NO_GO
    return _reason_of_sharing(workload, thresholds, log)


def _reason_of_sharing(workload: Workload, thresholds: Thresholds, log: LogEvidence) -> Reason:
    """Return why, for a log that a no-go cannot rest on."""
    report = log.today(workload)
    rate, reported = report.hit_rate.engine or 0.0, report.hit_rate.reported
    if log.has_untold_tenants(workload):
        return Reason.TENANTS_NOT_TOLD_APART
    if reported == 0 and report.reporting_requests >= thresholds.least_requests:
        return Reason.COUNTER_SHOWS_NONE
    if rate > thresholds.go_rate and (reported is None or reported > thresholds.go_rate):
        return Reason.ABOVE_GO
    is_between = [thresholds.no_go_rate <= known <= thresholds.go_rate for known in (rate, reported) if known is not None]
    return Reason.BETWEEN if all(is_between) else Reason.COUNTER_DISAGREES


def _cautions(workload: Workload, thresholds: Thresholds, audit: OrderAudit, log: LogEvidence | None) -> tuple[Caution, ...]:
    holds = {
        Caution.TENANT_BUDGETS: workload.separate_kv_pools,
        Caution.ORDER: bool(audit.faults or audit.shape_fault or audit.breaks),
    }
    if log is not None:
        report = log.today(workload)
        rate, reported = report.hit_rate.engine, report.hit_rate.reported
        holds |= {
            Caution.UNREAD_RECORDS: report.read < report.records,
            Caution.COUNTER_BELOW_LOG: rate is not None and reported is not None and rate - reported > _FAR_APART_RATE,
            Caution.NOT_SINGLE_SHOT: workload.single_shot and rate is not None and rate > thresholds.no_go_rate,
        }
    return tuple(caution for caution, is_so in holds.items() if is_so)

"""Evidence to verdict: what was checked, measured and described becomes one page of advice."""

from __future__ import annotations

from radixlint.advise.decision import decide
from radixlint.advise.fingerprint import expected_rates, fingerprint, output_length, prior_band
from radixlint.advise.log_evidence import LogEvidence
from radixlint.advise.next_reading import next_reading
from radixlint.advise.ordering import audit
from radixlint.advise.reported_use import reported_use
from radixlint.advise.rollout import plan
from radixlint.advise.workload_file import parse_workload
from radixlint.estimate import Matched, Server, estimate, prefix_memory, with_assumed_output
from radixlint.hardware import Model
from radixlint.result.advice import Advice, Thresholds
from radixlint.result.estimate import Estimate
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport
from radixlint.result.workload import Workload

__all__ = ["LogEvidence", "advise", "parse_workload"]


def advise(
    workload: Workload,
    check: CheckReport | None,
    log: LogEvidence | None,
    thresholds: Thresholds,
    *,
    model: Model | None,
    server: Server | None,
) -> Advice:
    """Return the advice for one workload.

    Args:
        workload: the description.
        check: what ``check`` found in the templates, None if there are none.
        log: what ``analyze`` measured in the log, None if there is none; without it there is no verdict for SGLang.
        thresholds: the hit rates and the least number of requests that decide.
        model: the served model, None if unknown.
        server: model and GPU of one replica, None if either is unknown.
    """
    order = audit(workload, check, log.today(workload) if log else None)
    decision = decide(workload, thresholds, order, log, server)
    print_of_log = fingerprint(log, workload, thresholds) if log else None
    memory = None
    if model and log and print_of_log:
        memory = prefix_memory(model, print_of_log.shared_prefix_tokens, block_tokens=log.vllm.engine.block_tokens)
    return Advice(
        workload=workload,
        thresholds=thresholds,
        fingerprint=print_of_log,
        audit=order,
        rates=expected_rates(log, workload) if log else None,
        prior=prior_band(workload),
        decision=decision,
        estimate=_estimate(workload, log, server) if log and print_of_log else None,
        memory=memory,
        rollout=plan(workload, decision, thresholds, order, log, model.repository if model else None),
        reading=next_reading(workload, order, decision),
        reported=reported_use(log.today(workload)) if log and not print_of_log else None,
    )


def _estimate(workload: Workload, log: LogEvidence, server: Server | None) -> Estimate:
    """Return what the matches of the replay are worth; the engine's own counter is not used, it may miss requests."""
    output_tokens, evidence = output_length(log, workload)
    found = estimate(
        [Matched(row.prompt_tokens, row.engine_tokens) for row in log.today(workload).measured_rows],
        workload=workload.name,
        match_evidence=log.evidence,
        output_tokens_mean=output_tokens,
        server=server,
    )
    return with_assumed_output(found) if evidence is Evidence.ASSUMED else found

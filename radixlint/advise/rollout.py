"""The 48-hour plan: count, shadow, fix the order, shadow again, decide; each step with its exact commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from radixlint.advise.log_evidence import LogEvidence
from radixlint.result.advice import Decision, Reason, Rollout, RolloutStep, Thresholds, Verdict
from radixlint.result.order_audit import OrderAudit
from radixlint.result.workload import EngineToday, Workload

_CONCURRENCY_LOSS_RATE: Final = 0.03
"""A serial replay overstated SGLang's served hit rate by up to 2.8 points at 32 requests in flight."""

_WORTH_A_CHANGE_RATE: Final = 0.05
_SHADOW: Final = (Verdict.GO, Verdict.RUN_BOTH)


def plan(
    workload: Workload,
    decision: Decision,
    thresholds: Thresholds,
    audit: OrderAudit,
    log: LogEvidence | None,
    repository: str | None,
) -> Rollout:
    """Return the plan that fits the verdict; ``repository`` is the name the engines load the model by, if known."""
    launch = _Launch(repository or "MODEL", workload.hardware.gpus_per_replica)
    if decision.verdict in _SHADOW and log is not None:
        target = _target(thresholds, log)
        worst = audit.breaks[0] if audit.breaks else None
        mended = min(1.0, target + worst.expected_gain_rate) if worst else None
        evidence = worst.gain_evidence if worst else None
        return Rollout(_shadow_steps(launch), target, log.evidence, mended, evidence, _WORTH_A_CHANGE_RATE)
    if not workload.controls_template:
        return Rollout(_proxy_steps())
    if decision.verdict is Verdict.NOT_ENOUGH_DATA:
        return Rollout(_collect_steps(launch, workload, decision))
    return Rollout(_stay_steps(launch))


def _target(thresholds: Thresholds, log: LogEvidence) -> float:
    """Return the hit rate to reach: the warm half of the log, less what concurrency costs, never under the go threshold."""
    warm = log.sglang.last_half.engine if log.sglang.last_half.engine is not None else log.sglang.hit_rate.engine
    return max(thresholds.go_rate, (warm or 0.0) - _CONCURRENCY_LOSS_RATE)


@dataclass(frozen=True, slots=True)
class _Launch:
    """How each engine is started for this model, with its hit counter on."""

    model: str
    gpus: int

    @property
    def vllm(self) -> str:
        parallel = f" --tensor-parallel-size {self.gpus}" if self.gpus > 1 else ""
        return f"vllm serve {self.model}{parallel} --enable-prompt-tokens-details"

    @property
    def sglang(self) -> str:
        parallel = f" --tp-size {self.gpus}" if self.gpus > 1 else ""
        return f"python -m sglang.launch_server --model-path {self.model}{parallel} --enable-cache-report --schedule-policy lpm"


_ANALYZE_VLLM: Final = "radixlint analyze vllm.jsonl"
_ANALYZE_SGLANG: Final = "radixlint analyze sglang.jsonl --engine sglang"
_CHECK: Final = "radixlint check TEMPLATES"
_ADVISE: Final = "radixlint advise --templates TEMPLATES --log LOG --workload FILE"
_COUNTER: Final = "with the hit counter on (else `cached_tokens` is missing, not zero):"


def _shadow_steps(launch: _Launch) -> tuple[RolloutStep, ...]:
    return (
        RolloutStep("0-2", f"Start both {_COUNTER}", (launch.vllm, launch.sglang)),
        RolloutStep("2-20", "Mirror traffic to both, log request, reply and usage:", (_ANALYZE_VLLM, _ANALYZE_SGLANG)),
        RolloutStep("20-26", "Fix the order until this is clean:", (_CHECK,)),
        RolloutStep("26-48", "Restart both empty, mirror with the fixed template, analyze, decide.", ()),
    )


def _proxy_steps() -> tuple[RolloutStep, ...]:
    return (
        RolloutStep("0-12", "Put a proxy in front that writes every prompt in one order, volatile values last.", ()),
        RolloutStep("12-36", "Log what leaves the proxy, with usage.", ()),
        RolloutStep("36-48", "Run this report again on that log.", (_ADVISE,)),
    )


def _collect_steps(launch: _Launch, workload: Workload, decision: Decision) -> tuple[RolloutStep, ...]:
    server = launch.sglang if workload.engine_today is EngineToday.SGLANG else launch.vllm
    what = "Log every request of one day: tools, messages, usage, time, session."
    if decision.reason is Reason.TENANTS_NOT_TOLD_APART:
        what = "Log every request of one day, with the tenant as `namespace` (or `cache_salt`)."
    return (
        RolloutStep("0-2", f"Start today's server {_COUNTER}", (server,)),
        RolloutStep("2-26", what, ()),
        RolloutStep("26-34", "Fix the order until this is clean:", (_CHECK,)),
        RolloutStep("34-48", "Run this report again on that log.", (_ADVISE,)),
    )


def _stay_steps(launch: _Launch) -> tuple[RolloutStep, ...]:
    return (
        RolloutStep("0-2", f"Start vLLM {_COUNTER}", (launch.vllm,)),
        RolloutStep("2-8", "Fix the order until this is clean:", (_CHECK,)),
        RolloutStep("8-46", "Log one day of traffic and measure.", (_ANALYZE_VLLM,)),
        RolloutStep("46-48", "Above the thresholds now? Run this report again.", (_ADVISE,)),
    )

"""The 48-hour plan: count, shadow, fix the order, shadow again, decide; each step with its exact commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from radixlint.advise.log_evidence import LogEvidence
from radixlint.result.advice import Decision, OrderAudit, Rollout, RolloutStep, Thresholds, Verdict
from radixlint.result.evidence import Evidence
from radixlint.result.workload import EngineToday, Workload

_CONCURRENCY_LOSS_RATE: Final = 0.03
"""A serial replay overstated SGLang's served hit rate by up to 2.8 points at 32 requests in flight."""

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
        mended = min(1.0, target + audit.breaks[0].repeated_rate) if audit.breaks else None
        return Rollout(_shadow_steps(launch), _ship_when(workload), target, mended, log.evidence)
    if not workload.controls_template:
        return Rollout(_proxy_steps(), ("Nothing ships. Run this report again on the log of the proxy.",))
    if decision.verdict is Verdict.NOT_ENOUGH_DATA:
        return Rollout(_collect_steps(launch, workload, thresholds), ("Nothing ships. Run this report again on the new log.",))
    return Rollout(_stay_steps(launch), ("No new engine ships. Run this report again when traffic or template change.",))


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


_ANALYZE_VLLM: Final = "radixlint analyze vllm.jsonl --engine vllm --block-size 16"
_ANALYZE_SGLANG: Final = "radixlint analyze sglang.jsonl --engine sglang --block-size 1"
_CHECK: Final = "radixlint check TEMPLATES"


def _shadow_steps(launch: _Launch) -> tuple[RolloutStep, ...]:
    return (
        RolloutStep(
            "0-2",
            "Start both with the hit counter on. Without these flags `cached_tokens` is missing, which is not zero.",
            (launch.vllm, launch.sglang),
        ),
        RolloutStep(
            "2-20",
            "Mirror the same traffic to both, template as it is. Log request, reply and usage.",
            (_ANALYZE_VLLM, _ANALYZE_SGLANG),
        ),
        RolloutStep("20-26", "Fix the order until this is clean.", (_CHECK,)),
        RolloutStep("26-46", "Restart both with empty caches. Mirror again, template fixed, and analyze again.", ()),
        RolloutStep("46-48", "Compare with the target and decide.", ()),
    )


def _proxy_steps() -> tuple[RolloutStep, ...]:
    return (
        RolloutStep(
            "0-12", "Put a proxy in front that writes every prompt in one order and moves volatile values to the end.", ()
        ),
        RolloutStep("12-36", "Log what leaves the proxy, with usage.", ()),
        RolloutStep("36-48", "Measure, and run this report again.", ("radixlint analyze proxy.jsonl",)),
    )


def _collect_steps(launch: _Launch, workload: Workload, thresholds: Thresholds) -> tuple[RolloutStep, ...]:
    server = launch.sglang if workload.engine_today is EngineToday.SGLANG else launch.vllm
    least = f"{thresholds.least_requests:,}"
    return (
        RolloutStep("0-2", "Switch the counter on. Without it `cached_tokens` is missing, which is not zero.", (server,)),
        RolloutStep("2-26", f"Log every request of one day, {least} at least: tools, messages, usage, time, session.", ()),
        RolloutStep("26-34", "Fix the order until this is clean.", (_CHECK,)),
        RolloutStep(
            "34-48", "Run this report again with the log.", ("radixlint advise --templates TEMPLATES --log LOG --workload FILE",)
        ),
    )


def _stay_steps(launch: _Launch) -> tuple[RolloutStep, ...]:
    return (
        RolloutStep(
            "0-2", "Switch the hit counter on. Without this flag `cached_tokens` is missing, which is not zero.", (launch.vllm,)
        ),
        RolloutStep("2-8", "Fix the order until this is clean.", (_CHECK,)),
        RolloutStep("8-46", "Log one day of traffic and measure.", (_ANALYZE_VLLM,)),
        RolloutStep("46-48", "If the rate is above the thresholds now, run this report again.", ()),
    )


def _ship_when(workload: Workload) -> tuple[str, ...]:
    new, old = ("vLLM", "SGLang") if workload.engine_today is EngineToday.SGLANG else ("SGLang", "the engine of today")
    return (
        f"At equal load {new} has 5 % more throughput ({Evidence.ASSUMED}) and no worse 95th percentile of time to first token; "
        f"else {old} stays.",
        "The fixed template passes your quality checks: another order is another prompt.",
    )

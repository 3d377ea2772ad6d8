"""What to read next: one pointer, chosen by the biggest gap."""

from __future__ import annotations

from typing import Final

from radixlint.result.advice import Decision, Reading, Verdict
from radixlint.result.order_audit import OrderAudit
from radixlint.result.workload import EngineToday, Workload

_LESSON: Final = (
    "https://github.com/rohitg00/ai-engineering-from-scratch/blob/main/phases/17-infrastructure-and-production/"
    "06-sglang-radixattention/docs/en.md"
)
_VLLM: Final = "https://docs.vllm.ai/en/latest/features/automatic_prefix_caching.html"
_SGLANG: Final = "https://arxiv.org/abs/2312.07104"


def next_reading(workload: Workload, audit: OrderAudit, decision: Decision) -> Reading:
    """Return the pointer: data first, then order, then the engine that is new to the team."""
    if decision.verdict is Verdict.NOT_ENOUGH_DATA:
        return Reading("data", "The vLLM documentation on prefix caching: what is reused and counted.", _VLLM)
    if audit.faults or audit.shape_fault or audit.breaks or not workload.controls_template:
        return Reading(
            "order", "The ordering exercise of the prefix-cache lesson: permute the parts, watch the hit rate.", _LESSON
        )
    if decision.engine == "SGLang" and workload.engine_today is not EngineToday.SGLANG:
        text = (
            "The SGLang paper, section 3 on RadixAttention. Its figures belong to its own workloads and to engines of its time."
        )
        return Reading("engine", text, _SGLANG)
    return Reading("engine", "The vLLM documentation on prefix caching: blocks, limits and counters.", _VLLM)

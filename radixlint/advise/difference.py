"""What really differs between SGLang and vLLM for one workload.

Both cache prefixes by default, so a hit rate alone decides nothing between them.
Source: SGLang 0.5.23 and vLLM 0.33.0 as shipped: default schedule policy fcfs in both, page 1 against block 16, whole leaves
against single blocks in eviction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from radixlint.advise.log_evidence import LogEvidence
from radixlint.estimate import Server
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.workload import Workload

_WORTH_A_CHANGE_RATE: Final = 0.02
_GIB: Final = 2**30


@dataclass(frozen=True, slots=True)
class Differences:
    """``stated`` are the differences, a few sentences each; ``basis`` says which of them a verdict for SGLang rests on."""

    stated: tuple[str, ...]
    basis: str


def differences(workload: Workload, log: LogEvidence, server: Server | None) -> Differences:
    """Return how the engines differ on this log and this hardware."""
    report, gain, replicas = log.today(workload), log.page_gain_rate, workload.hardware.replicas
    pressure = cache_pressure(report, server, replicas)
    return Differences(
        stated=(
            f"**Caching itself: no difference.** Both do it by default, vLLM since V1 ({Evidence.STATIC}).",
            f"**Unit of reuse:** {_points(gain)} points more with SGLang's pages of {log.sglang.engine.block_tokens} than with "
            f"vLLM's blocks of {log.vllm.engine.block_tokens} ({log.evidence}). Some SGLang backends force pages of 16 to "
            f"256 ({Evidence.STATIC}): read the start-up log.",
            f"**Order and eviction:** SGLang can serve the longest match first (`--schedule-policy lpm`; the default is `fcfs`, "
            f"and `lpm` falls back to it above 128 waiting) and evicts whole leaves. vLLM serves in arrival order and evicts "
            f"block by block ({Evidence.STATIC}). {_effect_of_room(log, report, server, pressure)}",
            f"**Routing:** {_routing(replicas)}",
        ),
        basis=_basis(gain, pressure, replicas),
    )


def cache_pressure(report: AnalyzeReport, server: Server | None, replicas: int) -> bool | None:
    """Whether the distinct tokens of the log need more KV memory than all replicas have; None if the server is unknown."""
    if server is None or server.kv_room_bytes <= 0:
        return None
    return report.distinct_tokens * server.model.kv_bytes_per_token() > server.kv_room_bytes * replicas


def _points(rate: float) -> str:
    return f"{100 * rate:.1f}"


def _effect_of_room(log: LogEvidence, report: AnalyzeReport, server: Server | None, pressure: bool | None) -> str:
    if pressure is None or server is None:
        return "This matters only when the cache is too small; name model and GPU to know."
    need = report.distinct_tokens * server.model.kv_bytes_per_token() / _GIB
    effect = "so this decides much" if pressure else "so nothing is evicted and this changes little"
    return (
        f"Here all distinct tokens of the log take {need:,.1f} GiB ({log.evidence}) and one replica has room for "
        f"{server.kv_room_bytes / _GIB:,.0f} GiB ({Evidence.ASSUMED}), {effect}."
    )


def _routing(replicas: int) -> str:
    if replicas == 1:
        return f"no difference with one replica ({Evidence.ASSUMED})."
    return (
        f"with {replicas} replicas ({Evidence.ASSUMED}) a request must return to the one that holds its prefix. SGLang's router "
        "does that with policy `cache_aware`, vLLM's production stack with `prefixaware`; without either the rates above are not "
        "reached."
    )


def _basis(gain: float, pressure: bool | None, replicas: int) -> str:
    reasons = []
    if gain >= _WORTH_A_CHANGE_RATE:
        reasons.append("the unit of reuse")
    if pressure:
        reasons.append("order and eviction under a full cache")
    if replicas > 1:
        reasons.append("prefix-aware routing")
    if reasons:
        return f"{' and '.join(reasons)}, see below. The hit rate alone does not speak for either engine."
    return (
        "the amount of sharing alone. No difference between the engines that this log can show is large, so the shadow run "
        "decides, and a tie means: change nothing."
    )

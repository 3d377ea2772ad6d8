"""What really differs between SGLang and vLLM for one workload.

Both cache prefixes by default, so a hit rate alone decides nothing between them.
Source: SGLang 0.5.23 and vLLM 0.33.0 as shipped: default schedule policy fcfs in both, page 1 against block 16, whole leaves
against single blocks in eviction.
"""

from __future__ import annotations

from typing import Final

from radixlint.advise.log_evidence import LogEvidence
from radixlint.estimate import Server
from radixlint.result.advice import DifferenceKind, Differences
from radixlint.result.workload import Workload

_WORTH_A_CHANGE_RATE: Final = 0.02


def differences(workload: Workload, log: LogEvidence, server: Server | None) -> Differences:
    """Return how the engines differ on this log and this hardware."""
    gain, replicas = log.page_gain_rate, workload.hardware.replicas
    need_bytes, room_bytes = None, None
    if server is not None and server.kv_room_bytes > 0:
        need_bytes = log.today(workload).distinct_tokens * server.model.kv_bytes_per_token()
        room_bytes = server.kv_room_bytes
    large = {
        DifferenceKind.UNIT: gain >= _WORTH_A_CHANGE_RATE,
        DifferenceKind.ROOM: need_bytes is not None and room_bytes is not None and need_bytes > room_bytes * replicas,
        DifferenceKind.ROUTING: replicas > 1,
    }
    return Differences(
        page_gain_rate=gain,
        sglang_page_tokens=log.sglang.engine.block_tokens,
        vllm_block_tokens=log.vllm.engine.block_tokens,
        need_bytes=need_bytes,
        room_bytes=room_bytes,
        replicas=replicas,
        evidence=log.evidence,
        large=tuple(kind for kind, is_large in large.items() if is_large),
    )

"""The demo: one load in two orders, three policies, four cache sizes; what follows is read off the figures."""

from __future__ import annotations

from typing import Final

from radixlint.api.demo_findings import DemoFigures, findings
from radixlint.estimate import prefix_memory
from radixlint.hardware import load_model
from radixlint.result.simulation import DemoColumn, DemoReport
from radixlint.serving.schedule_order import POLICIES
from radixlint.serving.serial import SerialRun, serve_serially
from radixlint.serving.workloads import WORKLOADS, RagShape, make_workload
from radixlint.traffic import TokenRequest

MODEL: Final = "llama-3.1-8b"
BLOCK_TOKENS: Final = 16
TIGHT_BLOCKS: Final = (160, 180, 400)
"""Cache sizes in blocks: the lesson's budget, room for one request, room for two."""


def tell_story(seed: int = 1) -> DemoReport:
    """Serve both orders of the load under every policy at every size, and say what that shows."""
    shape = RagShape()
    loads = {name: make_workload(name, seed, shape) for name in WORKLOADS}
    sizes = (*(blocks * BLOCK_TOKENS for blocks in TIGHT_BLOCKS), _ample_tokens(loads, shape))
    runs = {
        (name, policy): [serve_serially(load, policy=policy, kv_tokens=size) for size in sizes]
        for name, load in loads.items()
        for policy in POLICIES
    }
    columns = tuple(_column(name, policy, column) for (name, policy), column in runs.items())
    unfit = tuple(sum(entry.position is None for entry in run.served) for run in runs[WORKLOADS[0], POLICIES[0]])
    model = load_model(MODEL)
    memory = prefix_memory(model, shape.system_tokens, block_tokens=BLOCK_TOKENS, sequences=shape.requests)
    figures = DemoFigures(shape, sizes, unfit, columns, memory)
    return DemoReport(
        seed=seed,
        requests=shape.requests,
        prompt_tokens=shape.requests * shape.prompt_tokens,
        documents=shape.documents,
        parts=shape.parts,
        page_tokens=1,
        sizes=sizes,
        size_bytes=tuple(size * model.kv_bytes_per_token() for size in sizes),
        unfit_requests=unfit,
        columns=columns,
        memory=memory,
        findings=findings(figures),
    )


def _ample_tokens(loads: dict[str, tuple[TokenRequest, ...]], shape: RagShape) -> int:
    """Return room for every distinct token of the larger load and one running request, in whole blocks."""
    distinct = max(serve_serially(load, policy="fcfs").stored_tokens for load in loads.values())
    return -(-(distinct + shape.prompt_tokens) // BLOCK_TOKENS) * BLOCK_TOKENS


def _column(name: str, policy: str, runs: list[SerialRun]) -> DemoColumn:
    prompt_tokens = sum(entry.request.prompt_tokens for entry in runs[0].served)
    return DemoColumn(
        workload=name,
        policy=policy,
        hit_rates=tuple(sum(entry.cached_tokens for entry in run.served) / prompt_tokens for run in runs),
        evicted_tokens=tuple(run.evicted_tokens for run in runs),
    )

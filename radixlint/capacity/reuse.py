"""One pass over a log: for every run of blocks that is used again, when it was used last and where it stands by recency."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radixlint.blocks.block_paths import BlockPaths
from radixlint.blocks.block_unit import BlockUnit
from radixlint.capacity.earlier_greater import Ints, earlier_greater_sums, sums_before
from radixlint.traffic import TOKEN_BYTES, TokenRequest

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reuse:
    """All runs of blocks that a request used again, in order of the requests; arrays of int64, one entry a run.

    A run is blocks of request ``now`` that request ``last`` was the last to use before. By recency (most recent first, of
    one request the foremost first) they stood at the places ``rank + 1`` to ``rank + blocks``; so a plain LRU cache of n
    blocks held those at places up to n. The first ``counted`` of them count as a hit in tokens: full blocks, and one
    token at least is computed. ``times_s`` are the times of the requests; within a namespace they never fall, as a request
    that is logged late is taken with its forerunner's time; None if any is unknown. ``slots`` are the blocks of all prompts.
    """

    last: Ints
    now: Ints
    rank: Ints
    blocks: Ints
    counted: Ints
    times_s: Floats | None
    requests: int
    block_tokens: int
    prompt_tokens: int
    slots: int
    distinct_blocks: int


def find_reuse(requests: Iterable[TokenRequest], block_tokens: int, *, store_outputs: bool = False) -> Reuse:
    """Follow ``requests`` in order, the blocks of each entering after it, and note what was used before.

    Args:
        requests: in order of arrival; may be a generator.
        block_tokens: size of a block of token ids, >= 1; ids that stand for blocks are taken as they are.
        store_outputs: whether the outputs enter too.

    Cost: one walk of a tree a request, then vector steps over the runs; never one step a block.

    Raises:
        LogError: the ids of some requests stand for other sizes than those of the first.

    Source: Mattson et al. 1970 (stack distance), for runs of blocks instead of single ones.
    """
    unit, paths = BlockUnit(block_tokens, block_tokens, 1), BlockPaths(block_tokens)
    runs, runs_each, sizes = array("q"), array("q"), array("q")
    times_s: list[float | None] = []
    namespaces: list[str] = []
    for now, request in enumerate(requests):
        if now == 0:
            unit = BlockUnit.of(request, block_tokens)
            paths = BlockPaths(unit.ids)
        if request.id_tokens != unit.id_tokens:
            unit.check(request)
        path = request.tokens + request.output if store_outputs else request.tokens
        used = paths.use(path, request.namespace, now).runs
        for run in used:
            runs.extend(run)
        runs_each.append(len(used))
        sizes.extend((len(path), len(request.tokens), request.prompt_tokens))
        times_s.append(request.time_s)
        namespaces.append(request.namespace)
    lengths = np.frombuffer(sizes, np.int64).reshape(-1, 3)
    found = np.frombuffer(runs, np.int64).reshape(-1, 2)
    return _joined(found, np.frombuffer(runs_each, np.int64), lengths, unit, _clock(times_s, namespaces), paths.block_count)


def _joined(found: Ints, runs_each: Ints, lengths: Ints, unit: BlockUnit, times_s: Floats | None, distinct: int) -> Reuse:
    """Work out ranks and what counts.

    ``found`` holds last use and blocks of each run, ``runs_each`` the number of runs of each request, ``lengths`` the bytes
    of its path and of its prompt and the tokens of its prompt.
    """
    last, blocks = found.T
    now = np.repeat(np.arange(len(runs_each)), runs_each)
    block_bytes = unit.ids * TOKEN_BYTES
    path_blocks, slots = lengths[:, 0] // block_bytes, lengths[:, 1] // block_bytes
    countable = np.maximum(lengths[:, 2] - 1, 0) // unit.tokens
    # In front of each run stand the earlier runs of its request.
    blocks_before = sums_before(blocks)
    depth = blocks_before[:-1] - blocks_before[sums_before(runs_each)[now]]
    # Later by recency are the blocks of all requests in between, each counted where it was used last.
    entered = sums_before(path_blocks)
    used_again = earlier_greater_sums(last, blocks) - depth
    return Reuse(
        last=last,
        now=now,
        rank=entered[now] - entered[last + 1] - used_again,
        blocks=np.clip(slots[now] - depth, 0, blocks),
        counted=np.clip(np.minimum(countable, slots)[now] - depth, 0, blocks),
        times_s=times_s,
        requests=len(runs_each),
        block_tokens=unit.tokens,
        prompt_tokens=int(lengths[:, 2].sum()),
        slots=int(slots.sum()),
        distinct_blocks=distinct,
    )


def _clock(times_s: list[float | None], namespaces: list[str]) -> Floats | None:
    """Return times that never fall within a namespace: traces put behind one another each have a clock of their own."""
    latest_s: dict[str, float] = {}
    for at, (time_s, namespace) in enumerate(zip(times_s, namespaces, strict=True)):
        if time_s is None:
            return None
        times_s[at] = latest_s[namespace] = max(time_s, latest_s.get(namespace, time_s))
    return np.array(times_s, np.float64)

"""One pass over a log: for every run of blocks that is used again, when it was used last and where it stands by recency."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radixlint.blocks.block_paths import BlockPaths
from radixlint.blocks.block_unit import BlockUnit
from radixlint.capacity.recency import Recency
from radixlint.traffic import TokenRequest

_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Reuse:
    """All runs of blocks that a request used again, in order of the requests; arrays of int64, one entry a run.

    A run is blocks of request ``now`` that request ``last`` was the last to use before. By recency (most recent first, of
    one request the foremost first) they stood at the places ``rank + 1`` to ``rank + blocks``; so a plain LRU cache of n
    blocks held those at places up to n. The first ``counted`` of them count as a hit in tokens: full blocks, and one
    token at least is computed. ``times_s`` are the times of the requests; within a namespace they never fall, as a request
    that is logged late is taken with its forerunner's time; None if any is unknown. ``slots`` are the blocks of all prompts.
    """

    last: NDArray[np.int64]
    now: NDArray[np.int64]
    rank: NDArray[np.int64]
    blocks: NDArray[np.int64]
    counted: NDArray[np.int64]
    times_s: NDArray[np.float64] | None
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

    Cost: nodes on the path of each request times the logarithm of the number of requests; never one step a block.

    Raises:
        LogError: the ids of some requests stand for other sizes than those of the first.

    Source: Mattson et al. 1970 (stack distance), with a Fenwick tree in place of the stack.
    """
    unit = BlockUnit(block_tokens, block_tokens, 1)
    paths, recency = BlockPaths(block_tokens), Recency()
    rows, times_s = array("q"), array("d")
    prompt_tokens = slots = count = 0
    clocks_s: dict[str, float] = {}
    for now, request in enumerate(requests):
        if now == 0:
            unit = BlockUnit.of(request, block_tokens)
            paths = BlockPaths(unit.ids)
        unit.check(request)
        before = paths.block_count
        runs = paths.use(request.tokens + request.output if store_outputs else request.tokens, request.namespace, now).runs
        asked = unit.slots(request)
        again = _note(rows, runs, now, recency, asked, unit.countable(request))
        recency.add(now, again + paths.block_count - before)
        if request.time_s is not None and len(times_s) == now:
            # Traces put behind one another each have a clock of their own, and share nothing.
            clocks_s[request.namespace] = max(request.time_s, clocks_s.get(request.namespace, -np.inf))
            times_s.append(clocks_s[request.namespace])
        prompt_tokens += request.prompt_tokens
        slots += asked
        count += 1
    last, at, rank, blocks, counted = np.frombuffer(rows, np.int64).reshape(-1, _FIELDS).T
    times = np.frombuffer(times_s, np.float64) if len(times_s) == count else None
    return Reuse(last, at, rank, blocks, counted, times, count, unit.tokens, prompt_tokens, slots, paths.block_count)


def _note(rows: array[int], runs: list[tuple[int, int]], now: int, recency: Recency, asked: int, countable: int) -> int:
    """Add the ``runs`` of request ``now`` to ``rows``, take their blocks out of ``recency`` and return how many they are.

    Of the blocks used again, ``asked`` are the prompt's, ``countable`` of them count.
    """
    ranks = [recency.later(last) for last, _ in runs]
    at = 0
    for (last, blocks), rank in zip(runs, ranks, strict=True):
        rows.extend((last, now, rank, max(0, min(blocks, asked - at)), max(0, min(blocks, countable - at))))
        recency.add(last, -blocks)
        at += blocks
    return at

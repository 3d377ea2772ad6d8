"""Real traces, where they are at hand: blocks and tokens hit at every size as published beside them.

The figures are those of the traces' own description: another program's replay of one cache, requests in file order.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

import numpy as np
import pytest
from shared_data import shared_folder

from radixlint.blocks.lru_blocks import LruBlocks
from radixlint.capacity.optimum import optimum_blocks
from radixlint.capacity.reuse import Reuse, find_reuse
from radixlint.capacity.size_curve import SizeCurve
from radixlint.logs import read_logs
from radixlint.traffic import TOKEN_BYTES, Request, TokenRequest

pytestmark = pytest.mark.xdist_group("traces")  # one worker, so that each trace is read once
ALL = 10**9
MOONCAKE = [
    ("mooncake_conversation", None, 105_710, 54_063_104),
    ("mooncake_conversation", 97_656, 104_870, 53_633_024),
    ("mooncake_conversation", 50_000, 102_290, 52_312_064),
    ("mooncake_conversation", 10_000, 61_046, 31_217_664),
    ("mooncake_conversation", 5_859, 39_258, 20_070_400),
    ("mooncake_conversation", 1_000, 12_847, 6_572_544),
    ("mooncake_synthetic", None, 77_953, 39_802_880),
    ("mooncake_synthetic", 97_656, 77_953, 39_802_880),
    ("mooncake_synthetic", 50_000, 77_953, 39_802_880),
    ("mooncake_synthetic", 10_000, 51_669, 26_394_112),
    ("mooncake_synthetic", 5_859, 37_703, 19_262_464),
    ("mooncake_synthetic", 1_000, 10_252, 5_242_368),
]
TOTALS = [
    ("mooncake_conversation", 12_031, 288_500, 144_793_823),
    ("mooncake_synthetic", 3_993, 121_877, 61_194_628),
    ("claude_code_120", 2_472, 3_947_644, 252_729_278),
    ("claude_code_710", 48_658, 93_832_730, 6_006_837_305),
]
AGENTS = [("claude_code_120", 3_604_750, 230_704_000), ("claude_code_710", 90_443_626, 5_788_392_064)]


def token_request(request: Request) -> TokenRequest:
    assert request.block_ids is not None
    return TokenRequest(
        request.index,
        request.block_ids,
        namespace=request.namespace,
        time_s=request.time_s,
        id_tokens=request.block_tokens,
        length_tokens=request.prompt_tokens,
    )


def trace(name: str) -> Iterator[TokenRequest]:
    """Yield the requests of a trace, as the log reader gives them."""
    read = read_logs([str(shared_folder("RADIXLINT_TRACES") / f"{name}.jsonl.gz")])

    assert not read.skipped
    return map(token_request, read.requests)


@cache
def kept(name: str) -> list[TokenRequest]:
    return list(trace(name))


@cache
def reuse_of(name: str) -> Reuse:
    return find_reuse(trace(name), 16)


@pytest.mark.parametrize(("name", "requests", "blocks", "tokens"), TOTALS)
def test_size_of_a_trace(name: str, requests: int, blocks: int, tokens: int) -> None:
    """All requests of a trace are read, with all their blocks and prompt tokens."""
    reuse = reuse_of(name)

    assert (reuse.requests, reuse.slots, reuse.prompt_tokens) == (requests, blocks, tokens)


@pytest.mark.parametrize(("name", "capacity", "blocks", "tokens"), MOONCAKE)
def test_direct_simulation(name: str, capacity: int | None, blocks: int, tokens: int) -> None:
    """Plain LRU of a size hits the published blocks and tokens."""
    cache_ = LruBlocks(16, capacity)
    hits = [cache_.serve(request) for request in kept(name)]

    assert (sum(hit.blocks for hit in hits), sum(hit.tokens for hit in hits)) == (blocks, tokens)


@pytest.mark.parametrize(("name", "capacity", "blocks", "tokens"), [*MOONCAKE, *((n, None, b, t) for n, b, t in AGENTS)])
def test_curve_at_published_sizes(name: str, capacity: int | None, blocks: int, tokens: int) -> None:
    """The curve found in one pass goes through all published figures."""
    reuse = reuse_of(name)
    size = ALL if capacity is None else capacity

    assert SizeCurve(reuse.rank, reuse.blocks).hits(size) == blocks
    assert SizeCurve(reuse.rank, reuse.counted).hits(size) * reuse.block_tokens == tokens


@pytest.mark.parametrize(("name", "blocks", "tokens"), AGENTS)
def test_agent_traces_one_by_one(name: str, blocks: int, tokens: int) -> None:
    """A cache without limit hits the published blocks and tokens of agent traces, no matter that they share nothing."""
    cache_ = LruBlocks(16)
    hits = [cache_.serve(request) for request in trace(name)]

    assert (sum(hit.blocks for hit in hits), sum(hit.tokens for hit in hits)) == (blocks, tokens)


def test_block_rates_of_single_agent_traces() -> None:
    """The block rates of the single traces spread as published, in percent."""
    rates = []
    for _, requests in groupby(trace("claude_code_710"), key=lambda request: request.namespace):
        cache_ = LruBlocks(16)
        sizes = [(cache_.serve(request).blocks, len(request.tokens) // TOKEN_BYTES) for request in requests]
        rates.append(100 * sum(hit for hit, _ in sizes) / sum(size for _, size in sizes))
    spread = [*np.percentile(rates, (0, 25, 50, 75, 100), method="lower"), np.mean(rates)]

    assert len(rates) == 710
    assert [round(float(rate), 2) for rate in spread] == [60.57, 91.89, 95.54, 97.16, 99.26, 92.89]


def test_optimum_of_a_trace() -> None:
    """The optimum is at least LRU at every published size, above it where room is short, and equal where there is enough."""
    reuse = reuse_of("mooncake_conversation")
    curve = SizeCurve(reuse.rank, reuse.counted)
    sizes = [capacity for name, capacity, *_ in MOONCAKE if name == "mooncake_conversation" and capacity]
    gains = [optimum_blocks(reuse, size) - curve.hits(size) for size in sizes]

    assert min(gains) >= 0
    assert gains[sizes.index(1_000)] > curve.hits(1_000)
    assert optimum_blocks(reuse, reuse.distinct_blocks) == curve.most_hits

"""Estimates: memory of a prefix is exact; speedup has the right ends, never falls when more is matched, and is never alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.estimate import Matched, Server, estimate, prefix_memory
from radixlint.estimate.speedup import prefill_flops, saved_rate, speedup_at_equal_batch
from radixlint.hardware import load_gpu, load_model
from radixlint.reports._estimate_lines import estimate_lines
from radixlint.result.estimate import Estimate
from radixlint.result.evidence import Evidence

LLAMA = load_model("llama-3.1-8b")
SERVER = Server(LLAMA, load_gpu("h100"))
REQUEST = st.integers(1, 200_000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))


def run(requests: list[tuple[int, int]], output_tokens_mean: float | None = 200.0, server: Server | None = SERVER) -> Estimate:
    """Estimate for plain pairs of prompt and matched tokens."""
    return estimate(
        [Matched(*r) for r in requests],
        workload="desk",
        match_evidence=Evidence.SIMULATED,
        output_tokens_mean=output_tokens_mean,
        server=server,
    )


def test_memory_of_the_documented_prefix() -> None:
    """2,000 tokens of Llama 3.1 8B fill 125 blocks of 16, 262,144,000 bytes; 16 copies 4,194,304,000."""
    memory = prefix_memory(LLAMA, 2000, sequences=16)

    assert (memory.bytes, memory.block_bytes, memory.blocks) == (262_144_000, 262_144_000, 125)
    assert memory.unshared_bytes == 4_194_304_000
    assert memory.saved_bytes == 4_194_304_000 - 262_144_000


@given(st.integers(0, 10**6), st.integers(1, 1024))
def test_whole_blocks_hold_the_tokens(tokens: int, block_tokens: int) -> None:
    """Blocks are the fewest whole ones that hold all tokens."""
    memory = prefix_memory(LLAMA, tokens, block_tokens=block_tokens)

    assert memory.bytes <= memory.block_bytes < memory.bytes + block_tokens * memory.bytes_per_token
    assert memory.block_bytes == memory.blocks * block_tokens * memory.bytes_per_token


@given(st.integers(0, 300))
def test_prefill_flops_add_up_by_position(positions: int) -> None:
    """The closed form is the sum over positions of the linear part and attention to all positions so far."""
    one_by_one = sum(2 * LLAMA.parameters + LLAMA.attention_flops * position for position in range(1, positions + 1))

    assert prefill_flops(LLAMA, positions) == one_by_one


def test_long_prompts_save_less_than_their_hit_rate() -> None:
    """At 131,072 tokens a hit rate of 90 % leaves prefill about 6.2 times shorter by FLOPs, not 10 times."""
    prompt_tokens = 131_072
    saved = saved_rate(LLAMA, [Matched(prompt_tokens, prompt_tokens * 9 // 10)])

    assert saved is not None
    assert 1 / (1 - saved) == pytest.approx(6.2, abs=0.05)


def test_no_hit_is_no_speedup() -> None:
    """Without a matched token the multiple is exactly 1 and the time to first token unchanged."""
    result = run([(3000, 0), (500, 0)])

    assert result.speedup == 1.0
    assert result.ttft_with_s == result.ttft_without_s


@given(st.lists(REQUEST, min_size=1, max_size=5), st.floats(0, 5000))
def test_speedup_is_bounded_by_the_prefill_share(requests: list[tuple[int, int]], output_tokens_mean: float) -> None:
    """The multiple lies between 1 and what a full hit would give, 1 / (1 - prefill share)."""
    result = run(requests, output_tokens_mean)

    assert result.speedup is not None
    assert result.prefill_share_rate is not None
    assert result.speedup >= 1.0
    if result.prefill_share_rate < 1:
        assert result.speedup <= 1 / (1 - result.prefill_share_rate)


@given(st.integers(2, 100_000), st.data())
def test_more_matched_is_never_slower(prompt_tokens: int, data: st.DataObject) -> None:
    """With more matched tokens the multiple never falls and the time to first token never rises."""
    fewer = data.draw(st.integers(0, prompt_tokens - 1))
    more = data.draw(st.integers(fewer, prompt_tokens - 1))
    low, high = run([(prompt_tokens, fewer)]), run([(prompt_tokens, more)])

    assert low.speedup is not None
    assert high.speedup is not None
    assert low.speedup <= high.speedup
    assert low.ttft_with_s is not None
    assert high.ttft_with_s is not None
    assert low.ttft_with_s >= high.ttft_with_s


@given(st.floats(0, 1), st.floats(0, 0.999))
def test_full_hit_meets_the_bound(saved: float, share: float) -> None:
    """Saving everything gives exactly the bound; saving less gives no more."""
    assert speedup_at_equal_batch(1.0, share) == 1 / (1 - share)
    assert 1.0 <= speedup_at_equal_batch(saved, share) <= 1 / (1 - share)


def test_longer_outputs_leave_less_to_gain() -> None:
    """The longer the output, the smaller prefill's share and the multiple."""
    results = [run([(2860, 2300)], output) for output in (50.0, 200.0, 1000.0)]
    shares = [r.prefill_share_rate for r in results if r.prefill_share_rate is not None]
    speedups = [r.speedup for r in results if r.speedup is not None]

    assert len(shares) == len(speedups) == len(results)
    assert shares == sorted(shares, reverse=True)
    assert speedups == sorted(speedups, reverse=True)


@pytest.mark.parametrize(
    ("output_tokens_mean", "server", "lacks"),
    [
        (None, SERVER, "output tokens per request"),
        (200.0, None, "model and GPU"),
        (200.0, Server(load_model("llama-3.1-70b"), load_gpu("h100")), "GPUs enough for the weights"),
    ],
)
def test_no_multiple_without_what_it_rests_on(output_tokens_mean: float | None, server: Server | None, lacks: str) -> None:
    """If output lengths, model or room are unknown, no multiple is made and the text says what is missing."""
    result = run([(2860, 2300)], output_tokens_mean, server)
    text = "\n".join(estimate_lines(result))

    assert result.speedup is None
    assert any(lacks in item for item in result.missing)
    assert "throughput" not in text
    assert lacks in text


def test_enough_gpus_make_room() -> None:
    """The 70B model that does not fit on one H100 is estimated on four."""
    result = run([(2860, 2300)], server=Server(load_model("llama-3.1-70b"), load_gpu("h100"), gpus=4))

    assert result.missing == ()
    assert result.gpu == "4 x h100"


def test_a_multiple_is_printed_with_its_workload_and_evidence() -> None:
    """The line before any figure names the workload, its lengths, model and GPU; each figure has its evidence class."""
    lines = estimate_lines(run([(2860, 2300)]))
    multiple = next(line for line in lines if "throughput" in line)

    assert lines[0] == (
        "Estimate for workload 'desk' (1 request, mean prompt 2,860 tokens, mean output 200 tokens, llama-3.1-8b on h100):"
    )
    assert multiple.endswith("against no prefix caching (assumed)")
    assert "assumed: " in lines[-1]


def test_empty_log_gives_no_figures() -> None:
    """Without requests nothing is divided by zero and nothing is claimed."""
    result = run([])

    assert (result.saved_rate, result.speedup, result.ttft_with_s) == (None, None, None)
    assert result.missing == ("requests with prompt tokens",)

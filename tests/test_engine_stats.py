"""The engines' own statistics lines: true token rates, what is an estimate, and what a missing rate means."""

from __future__ import annotations

import re

import pytest
from engine_log_lines import FIXTURES, lines, sglang, vllm
from log_records import read_bytes

from radixlint.logs import read_logs
from radixlint.traffic import EngineStats


def prefill(new: int, cached: int, sequences: int = 1, usage: str = "token usage: 0.02", more: str = "") -> str:
    """Return a statistics line of SGLang."""
    return sglang(
        f"Prefill batch{more}, #new-seq: {sequences}, #new-token: {new}, #cached-token: {cached}, {usage}, #running-req: 4, "
        "#queue-req: 0, #pending-token: 0, cpu graph: False, input throughput (token/s): 8721.67"
    )


def throughput(rate: float, second: int, tail: str = "", engine: str = "Engine 000: ") -> str:
    """Return a statistics line of vLLM."""
    return vllm(
        f"{engine}Avg prompt throughput: {rate} tokens/s, Avg generation throughput: 1.0 tokens/s, Running: 1 reqs, "
        f"Waiting: 0 reqs{tail}",
        time=f"11-29 13:02:{second:02}",
        level="INFO",
    )


def only(*log_lines: str) -> EngineStats:
    """Return the figures of a log with statistics alone."""
    log = read_bytes(lines(*log_lines))
    assert log.requests == ()
    return log.stats[0]


def test_the_info_log_of_a_real_sglang_server() -> None:
    """Statistics alone are a readable log; sums are over all lines, the size stands in the start-up line."""
    path = FIXTURES / "sglang_stats.log"
    counts = [tuple(map(int, pair)) for pair in re.findall(r"#new-token: (\d+), #cached-token: (\d+)", path.read_text())]

    log = read_logs([str(path)])

    new_tokens, cached_tokens = map(sum, zip(*counts, strict=True))
    assert (log.engine, log.requests, log.skipped) == ("sglang", (), {})
    assert log.stats == (
        EngineStats("sglang", len(counts), new_tokens, cached_tokens, peak_kv_usage_rate=0.03, kv_tokens=200_000),
    )


def test_the_info_log_of_a_real_vllm_server() -> None:
    """The last rate of the window, the size with separators, blocks from the arguments, computed tokens by the interval."""
    path = FIXTURES / "vllm_info.log"
    rates = [float(rate) for rate in re.findall(r"prompt throughput: ([\d.]+)", path.read_text())]

    log = read_logs([str(path)])

    assert (log.engine, log.requests, log.skipped) == ("vllm", (), {})
    assert log.stats == (
        EngineStats(
            "vllm",
            len(rates),
            computed_tokens=round(sum(rates) * 10),
            window_hit_rate=0.197,
            window_requests=1000,
            peak_kv_usage_rate=0.829,
            kv_tokens=15_360,
            block_tokens=32,
        ),
    )


def test_later_chunks_of_a_prompt_add_no_sequence_to_the_rate() -> None:
    """A long prompt is counted again in #new-seq for each chunk; tokens are not, so their sums give the rate."""
    stats = only(prefill(4096, 904), prefill(4096, 0), prefill(904, 0))

    assert (stats.lines, stats.new_tokens, stats.cached_tokens) == (3, 9096, 904)


def test_health_checks_are_left_out() -> None:
    """A batch of one new token and none cached is a health check; one new token behind cached ones is a request."""
    stats = only(prefill(1, 0), prefill(1, 63), prefill(10, 0))

    assert (stats.lines, stats.new_tokens, stats.cached_tokens) == (2, 11, 63)


@pytest.mark.parametrize(
    ("usage", "more"),
    [
        ("token usage: 0.25", ""),
        ("full token usage: 0.25, swa token usage: 0.90", " [12]"),
        ("full token usage: 0.25, mamba usage: 0.90", ""),
        ("#replay-token: 5, token usage: 0.25", ""),
    ],
)
def test_forms_of_the_prefill_line(usage: str, more: str) -> None:
    """Pass numbers, further counts and the pools of hybrid models change neither sums nor the usage of the token pool."""
    stats = only(prefill(5, 6, usage=usage, more=more))

    assert (stats.new_tokens, stats.cached_tokens, stats.peak_kv_usage_rate) == (5, 6, 0.25)


def test_retractions_and_a_cache_switched_off_are_told() -> None:
    """What makes the sums mean something else is said in a note; the page size stands in the arguments."""
    log = read_bytes(
        lines(
            sglang("server_args=ServerArgs(model_path='m', page_size=64, disable_radix_cache=True)"),
            sglang("KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_tokens_gained: 5"),
            prefill(5, 0),
        )
    )

    assert (log.stats[0].block_tokens, log.stats[0].cached_tokens) == (64, 0)
    assert [any(word in note for note in log.notes) for word in ("switched off", "Retractions")] == [True, True]


@pytest.mark.parametrize("device", ["GPU", "CPU"])
def test_usage_is_read_on_every_device(device: str) -> None:
    """The label names the device; the figure is the same."""
    stats = only(throughput(1.0, 7, f", {device} KV cache usage: 82.9%, Prefix cache hit rate: 48.1%"))

    assert (stats.peak_kv_usage_rate, stats.window_hit_rate, stats.window_requests) == (0.829, 0.481, 1000)


def test_no_rate_is_unknown_not_zero() -> None:
    """With caching off the line has no rate: it stays unknown, and the arguments that say so are told."""
    log = read_bytes(
        lines(
            vllm("non-default args: {'enable_prefix_caching': False}", level="INFO"),
            throughput(9.0, 7, ", GPU KV cache usage: 1.0%"),
        )
    )

    assert (log.stats[0].window_hit_rate, log.stats[0].window_requests, log.stats[0].cached_tokens) == (None, None, None)
    assert any("switched off" in note for note in log.notes)


def test_other_rates_are_not_the_prefix_cache() -> None:
    """Rates of external and multimodal caches stand in the same line and are passed over."""
    stats = only(
        throughput(1.0, 7, ", Prefix cache hit rate: 20.0%, External prefix cache hit rate: 70.0%, MM cache hit rate: 90.0%")
    )

    assert stats.window_hit_rate == 0.2


def test_a_rate_over_one_is_none() -> None:
    """A printed rate above 100 % is damage: it is dropped and told, and the last good one stands."""
    good = ", GPU KV cache usage: 5.0%, Prefix cache hit rate: 40.0%"
    bad = ", GPU KV cache usage: 105.0%, Prefix cache hit rate: 400.0%"

    log = read_bytes(lines(throughput(5.0, 1, good), throughput(5.0, 2, bad), prefill(5, 5, usage="token usage: 7.02")))

    vllm_stats, sglang_stats = sorted(log.stats, key=lambda one: one.engine, reverse=True)
    assert (vllm_stats.window_hit_rate, vllm_stats.peak_kv_usage_rate, sglang_stats.peak_kv_usage_rate) == (0.4, 0.05, None)
    assert any("over 100 %" in note and ": 3 (" in note for note in log.alterations)


def test_the_window_starts_anew_at_a_reset() -> None:
    """The last printed rate counts, and a reset before it is told."""
    log = read_bytes(
        lines(
            throughput(1.0, 7, ", Prefix cache hit rate: 80.0%"),
            vllm("Successfully reset prefix cache", level="INFO"),
            throughput(1.0, 17, ", Prefix cache hit rate: 10.0%"),
        )
    )

    assert log.stats[0].window_hit_rate == 0.1
    assert any("resets" in note for note in log.notes)


def test_prompt_throughput_counts_computed_tokens() -> None:
    """Of 38,275 prompt tokens in 10 s, 35,712 of them cached, the line shows 256.3 a second: 2,563 computed."""
    stats = only(throughput(256.3, 7))

    assert stats.computed_tokens == 38_275 - 35_712
    assert stats.new_tokens is None


def test_idle_time_and_several_engines_in_the_estimate() -> None:
    """An idle engine prints nothing, so a gap counts as one interval; each engine has lines of its own."""
    one = [throughput(10.0, second) for second in (0, 5, 10, 50)]
    two = [throughput(1.0, second, engine="Engine 001: ") for second in (0, 5)]

    assert only(*one).computed_tokens == 4 * 5 * 10
    assert only(*one, *two).computed_tokens == 4 * 5 * 10 + 2 * 5


def test_the_block_size_follows_from_the_number_of_blocks() -> None:
    """Without a block size in the arguments, size and number of blocks give it."""
    log_lines = (
        vllm("Overriding num_gpu_blocks=65536 with num_gpu_blocks_override=480", level="INFO"),
        vllm("GPU KV cache size: 253,440 tokens, Maximum concurrency for 4,096 tokens per request: 3.75x", level="INFO"),
        throughput(1.0, 7),
    )

    assert (only(*log_lines).kv_tokens, only(*log_lines).block_tokens) == (253_440, 528)

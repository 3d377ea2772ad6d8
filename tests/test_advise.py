"""From evidence to a verdict: refusals and hard rejects first, then data, then thresholds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from advice_cases import DESK, SERVER, advice_for, counted_by_server, log_of, measured, page

from radixlint.advise import advise
from radixlint.result.advice import DifferenceKind, Reason, Thresholds, Verdict
from radixlint.result.evidence import Evidence
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import AnalyzeReport, Break, EngineLog, UsageAgreement
from radixlint.result.workload import Hardware


@pytest.mark.parametrize(
    ("rate", "verdict"),
    [
        (0.0, Verdict.NO_GO),
        (0.299, Verdict.NO_GO),
        (0.30, Verdict.RUN_BOTH),
        (0.40, Verdict.RUN_BOTH),
        (0.401, Verdict.GO),
        (0.97, Verdict.GO),
    ],
)
def test_thresholds(rate: float, verdict: Verdict) -> None:
    """Above 40 % is go, below 30 % no-go, the borders and between them run both."""
    decision = advice_for(measured(rate)).decision

    assert decision.verdict is verdict
    assert decision.engine == {Verdict.GO: "SGLang", Verdict.NO_GO: "vLLM"}.get(verdict)


def test_no_verdict_without_measured_sharing() -> None:
    """Without a log no engine is named, whatever the customary band for such a workload says."""
    advice = advice_for(None)
    text = page(advice)

    assert advice.decision.verdict is Verdict.NOT_ENOUGH_DATA
    assert advice.decision.engine is None
    assert "no engine is recommended without sharing measured in real traffic" in text
    assert "Not measured" in text
    assert "sglang.launch_server" not in text


def usage_alone(reported_rate: float | None) -> AnalyzeReport:
    """Return what ``analyze`` says of a log that holds no prompts."""
    found = measured(0.0) if reported_rate is None else counted_by_server(0.0, reported_rate)
    rows = tuple(replace(row, shareable_tokens=None, engine_tokens=None) for row in found.rows)
    rates = HitRates(None, None, reported_rate)
    unknown = {"measured_requests": 0, "shareable_tokens": None, "engine_tokens": None}
    return replace(found, rows=rows, hit_rate=rates, last_half=rates, request_hit_rate=rates, **unknown)


def test_a_log_of_usage_alone_tells_what_was_reported() -> None:
    """Without prompts there is no verdict, but the server's own counts stand on the page, as measured, and what to log."""
    advice = advice_for(usage_alone(0.8))
    text = page(advice)

    assert advice.decision.verdict is Verdict.NOT_ENOUGH_DATA
    assert advice.rates is not None
    assert [line.evidence for line in advice.rates.lines] == [Evidence.MEASURED]
    assert (
        "Reported: 80.0 % of the prompt tokens** were served from cache: 160,000 tokens, told by 200 requests (measured)" in text
    )
    assert "The server served 80.0 % (measured, 200 requests) from cache" in text
    assert "Log each request's body" in text
    assert "Not measured" not in text


def test_a_log_without_prompts_and_counts_says_so() -> None:
    """Where neither prompts nor cached tokens are logged, no rate is shown."""
    advice = advice_for(usage_alone(None))
    text = page(advice)

    assert advice.rates is None
    assert "No cached tokens are reported" in text
    assert "and no count of cached tokens" in text


def test_a_log_of_statistics_lines_tells_the_rate_that_the_engine_printed() -> None:
    """The engine's own windowed rate is all that such a log has; it stands on the page as measured."""
    printed = EngineLog("vllm", 10, None, None, None, None, 0.062, 1_000, None, None, None)
    text = page(advice_for(replace(usage_alone(None), requests=0, records=0, read=0, rows=(), engine_log=(printed,))))

    assert "Reported: 6.2 % of the prompt tokens** of the engine's newest requests" in text
    assert "only the engine's statistics lines" in text


def test_no_verdict_from_too_few_requests() -> None:
    """A log under the least number of requests gives no verdict, however much it shares."""
    thresholds = Thresholds()
    few = advice_for(measured(0.9, requests=thresholds.least_requests - 1))
    enough = advice_for(measured(0.9, requests=thresholds.least_requests))

    assert few.decision.verdict is Verdict.NOT_ENOUGH_DATA
    assert enough.decision.verdict is Verdict.GO


def test_single_shot_traffic_gets_vllm() -> None:
    """A workload without repeated preamble is sent to vLLM; if the log contradicts that, the page says so."""
    advice = advice_for(measured(0.9), replace(DESK, single_shot=True))

    assert (advice.decision.verdict, advice.decision.engine) == (Verdict.NO_GO, "vLLM")
    assert "one of them is wrong" in page(advice)
    assert "one of them is wrong" not in page(advice_for(measured(0.1), replace(DESK, single_shot=True)))


def test_no_control_of_the_template_gets_a_proxy_first() -> None:
    """A team that cannot order its prompts is told to normalise at a proxy, whatever the log shares."""
    advice = advice_for(measured(0.9), replace(DESK, controls_template=False))
    text = page(advice)

    assert (advice.decision.verdict, advice.decision.engine) == (Verdict.NO_GO, None)
    assert "proxy first" in text
    assert "sglang.launch_server" not in text


def test_separate_pools_get_the_warning() -> None:
    """Tenants with separate pools: namespaces exist, but leaf eviction can starve the small; budgets are advised."""
    text = page(advice_for(measured(0.9), replace(DESK, separate_kv_pools=True)))

    assert "extra_key" in text
    assert "starve small tenants" in text
    assert "budget" in text
    assert "starve" not in page(advice_for(measured(0.9)))


def test_partial_log_cannot_prove_a_no() -> None:
    """With many unreadable records the rates are lower bounds: a high one still means go, a low one means nothing."""
    low = advice_for(measured(0.1, records=300))
    high = advice_for(measured(0.9, records=300))

    assert low.decision.verdict is Verdict.NOT_ENOUGH_DATA
    assert high.decision.verdict is Verdict.GO
    assert "lower bound" in page(low)
    assert "lower bound" in page(high)
    assert "lower bound" not in page(advice_for(measured(0.9, records=201)))


def test_order_that_hides_the_sharing_is_told_apart_from_traffic_without_any() -> None:
    """A no-go whose worst break would lift the rate over the threshold says that order is the gap."""
    lost = Break("clock", "messages[0] system line 1", 5, 200, 100_000, 80_000, 200, "", "<time>", "<time>")
    hidden = advice_for(measured(0.02, breaks=(lost,)))
    plain = advice_for(measured(0.02))

    assert hidden.decision.verdict is plain.decision.verdict is Verdict.NO_GO
    assert (hidden.decision.reason, plain.decision.reason) == (Reason.ORDER_HIDES_SHARING, Reason.BELOW_NO_GO)
    assert hidden.decision.mended_rate == pytest.approx(0.42)
    assert "at least about 42.0 % (assumed: its repeated tokens added, not replayed)" in page(hidden)
    assert "it is the order" not in page(plain)
    assert hidden.reading.gap == "order"


def test_the_verdict_names_the_difference_it_rests_on() -> None:
    """Page size, pressure on the cache, and replicas are each named where they matter, and none where none does."""
    thresholds = Thresholds()

    def large(page_rate: float = 0.9, replicas: int = 1, distinct_tokens: int = 50_000) -> tuple[DifferenceKind, ...]:
        log = log_of(measured(0.9, distinct_tokens=distinct_tokens), page_rate)
        workload = replace(DESK, hardware=replace(DESK.hardware, replicas=replicas))
        found = advise(workload, None, log, thresholds, model=SERVER.model, server=SERVER).decision.differences
        assert found is not None
        return found.large

    assert large() == ()
    assert large(page_rate=0.95) == (DifferenceKind.UNIT,)
    assert large(distinct_tokens=10_000_000) == (DifferenceKind.ROOM,)
    assert large(replicas=4) == (DifferenceKind.ROUTING,)
    assert "no difference between the engines is large here" in page(advice_for(measured(0.9)))
    assert "on a tie keep today's engine" in page(advice_for(measured(0.9)))


@pytest.mark.parametrize("rate", [0.1, 0.35, 0.9])
def test_a_replay_that_counts_other_tokens_than_the_server_gives_no_verdict(rate: float) -> None:
    """If our prompt lengths are over 5 % off the server's, every replayed rate is only assumed and decides nothing."""
    lost = Break("clock", "messages[0] system line 1", 5, 200, 60_000, 40_000, 200, "", "<time>", "<time>")
    off = advice_for(measured(rate, agreement=UsageAgreement(200, 1.0, 1.08), breaks=(lost,)))
    near = advice_for(measured(rate, agreement=UsageAgreement(200, 1.0, 1.04)))

    assert (off.decision.verdict, off.decision.reason) == (Verdict.NOT_ENOUGH_DATA, Reason.OTHER_TOKENS)
    assert f"| {100 * rate:.1f} % | assumed |" in page(off)
    assert "simulated)" not in page(off)
    assert "Layout or tokenizer differs from the server's (our tokens / reported: median 1.00, p95 1.08)" in page(off)
    assert near.decision.verdict is not Verdict.NOT_ENOUGH_DATA


@pytest.mark.parametrize(
    ("rate", "reported_rate", "reporting", "verdict", "reason"),
    [
        (0.699, 0.578, 200, Verdict.GO, Reason.ABOVE_GO),
        (0.9, 0.35, 200, Verdict.RUN_BOTH, Reason.COUNTER_DISAGREES),
        (0.9, 0.1, 200, Verdict.RUN_BOTH, Reason.COUNTER_DISAGREES),
        (0.9, 0.0, 200, Verdict.NOT_ENOUGH_DATA, Reason.COUNTER_SHOWS_NONE),
        (0.9, 0.0, 99, Verdict.RUN_BOTH, Reason.COUNTER_DISAGREES),
        (0.35, 0.0, 200, Verdict.NOT_ENOUGH_DATA, Reason.COUNTER_SHOWS_NONE),
        (0.35, 0.33, 200, Verdict.RUN_BOTH, Reason.BETWEEN),
        (0.1, 0.0, 200, Verdict.NO_GO, Reason.BELOW_NO_GO),
        (0.1, 0.7, 200, Verdict.RUN_BOTH, Reason.COUNTER_DISAGREES),
    ],
)
def test_the_servers_own_counter_can_forbid_a_verdict(
    rate: float, reported_rate: float, reporting: int, verdict: Verdict, reason: Reason
) -> None:
    """Go and no-go need replay and counter on the same side; a counter of 0 over enough requests asks if the cache is on."""
    advice = advice_for(counted_by_server(rate, reported_rate, reporting))

    assert (advice.decision.verdict, advice.decision.reason) == (verdict, reason)
    assert ("the server's counter shows none" in page(advice)) is (reason is Reason.COUNTER_SHOWS_NONE)


@pytest.mark.parametrize(
    ("rate", "namespaces", "tenants", "verdict"),
    [
        (0.9, 1, 3, Verdict.NOT_ENOUGH_DATA),
        (0.35, 1, 3, Verdict.NOT_ENOUGH_DATA),
        (0.1, 1, 3, Verdict.NO_GO),
        (0.9, 3, 3, Verdict.GO),
        (0.9, 1, 1, Verdict.GO),
    ],
)
def test_a_log_that_mixes_separate_tenants_is_an_upper_bound(
    rate: float, namespaces: int, tenants: int, verdict: Verdict
) -> None:
    """Where tenants need pools of their own and the log has one namespace, its rate can prove a no but not a go."""
    workload = replace(DESK, separate_kv_pools=True, tenants=tenants)
    text = page(advice_for(measured(rate, namespaces_per_model=namespaces), workload))

    assert f"advice, desk: {verdict}\n" in text
    assert ("upper bounds: the log does not tell tenants apart" in text) is (namespaces < tenants)
    if verdict is Verdict.NOT_ENOUGH_DATA:
        assert "is an upper bound: 3 tenants need separate KV pools" in text
        assert "with the tenant as `namespace`" in text


def test_commands_fit_the_hardware() -> None:
    """Commands name the public model, and the number of GPUs where a replica has several."""
    one = page(advice_for(measured(0.9)))
    four = page(advice_for(measured(0.9), replace(DESK, hardware=Hardware(gpus_per_replica=4))))

    assert "`vllm serve meta-llama/Llama-3.1-8B-Instruct --enable-prompt-tokens-details`" in one
    assert "--enable-cache-report --schedule-policy lpm`" in one
    assert "--tensor-parallel-size 4" in four
    assert "--tp-size 4" in four

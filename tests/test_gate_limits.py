"""Limits: what passes, what fails and with which place to blame, and what the log does not tell."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from gated_logs import BY_NAME, FAILED, OPEN, PASSED, faulty, gate, healthy, ids_only, only, reporting, usage_only, written
from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.gate_options import BreakFilter, GateOptions
from radixlint.api.gating import check_log
from radixlint.api.measuring import analyze
from radixlint.errors import ConfigError
from radixlint.result.cause import Cause
from radixlint.result.evidence import Evidence
from radixlint.result.gate import PROMPT_CAUSES, RateKind, Scope

BREAKS = GateOptions(max_breaks=0)


def test_a_healthy_log_passes_with_the_figures_of_analyze(tmp_path: Path) -> None:
    """Rate and uncached tokens are the engine's of ``analyze``; a limit at the figure itself is met, one above it is not."""
    log = written(tmp_path / "log.jsonl", healthy("chat"))
    measured = analyze([log])
    assert measured.engine_tokens is not None
    rate = measured.engine_tokens / measured.prompt_tokens
    uncached = measured.prompt_tokens - measured.engine_tokens

    met = gate(log, GateOptions(min_hit_rate=rate, max_uncached_tokens=uncached, max_breaks=0))
    missed = gate(log, GateOptions(min_hit_rate=rate + 1e-4, max_uncached_tokens=uncached - 1))

    assert [(check.name, check.status, check.figure) for check in met.checks] == [
        ("hit-rate", PASSED, rate),
        ("uncached-tokens", PASSED, uncached),
        ("breaks", PASSED, 0),
    ]
    assert met.status is PASSED
    assert [check.status for check in missed.checks] == [FAILED, FAILED]
    assert missed.status is FAILED


@pytest.mark.parametrize(("name", "cause"), [("clock-second", Cause.CLOCK), ("tool-order", Cause.TOOL_ORDER)])
def test_a_fault_fails_with_cause_place_and_cost(tmp_path: Path, name: str, cause: Cause) -> None:
    """The failing checks name the break: its cause, how much it lost, requests to look at; shareable is not taken."""
    report = gate(written(tmp_path / "log.jsonl", faulty(name)), GateOptions(min_hit_rate=0.99, max_breaks=0))

    assert [check.status for check in report.checks] == [FAILED, FAILED]
    for check in report.checks:
        assert check.breaks[0].cause == cause
        assert check.breaks[0].lost_tokens > 0
        assert check.breaks[0].examples[0].startswith("r-")
    assert only(report, "breaks").figure == len(only(report, "breaks").breaks)


def test_every_cause_of_a_break_can_be_counted(tmp_path: Path) -> None:
    """Whatever cause a fault of a prompt has in a report, ``--cause`` takes it."""
    logs = [written(tmp_path / f"{name}.jsonl", faulty(name)) for name in BY_NAME]
    found = {place.cause for log in logs for place in only(gate(log, BREAKS), "breaks").breaks}

    assert len(found) > 10
    assert found <= set(PROMPT_CAUSES)


def test_small_breaks_and_other_causes_do_not_count(tmp_path: Path) -> None:
    """The filters by lost tokens, by their share and by cause decide which breaks count; at the border they do."""
    log = written(tmp_path / "log.jsonl", faulty("clock-second"))
    (found,) = only(gate(log, BREAKS), "breaks").breaks
    share = found.lost_tokens / analyze([log]).prompt_tokens
    filters = {
        BreakFilter(min_lost_tokens=found.lost_tokens): 1,
        BreakFilter(min_lost_tokens=found.lost_tokens + 1): 0,
        BreakFilter(min_lost_rate=share): 1,
        BreakFilter(min_lost_rate=share * 1.01): 0,
        BreakFilter(causes=("clock", "id")): 1,
        BreakFilter(causes=("id",)): 0,
    }

    assert {one: only(gate(log, replace(BREAKS, counted_breaks=one)), "breaks").figure for one in filters} == filters


def test_the_reported_rate_counts_if_all_report_theirs(tmp_path: Path) -> None:
    """All report: measured. One does not: simulated, and it says so. Asked for, the reported rate covers those that do."""
    told = reporting(healthy(), 0.25)
    some = [*told[:-1], structs.replace(told[-1], usage=None)]
    all_log, some_log = written(tmp_path / "all.jsonl", told), written(tmp_path / "some.jsonl", some)
    options = GateOptions(min_hit_rate=0.2)

    measured, simulated = gate(all_log, options), gate(some_log, options)
    asked = gate(some_log, replace(options, rate=RateKind.REPORTED))

    assert measured.rate is not None
    assert simulated.rate is not None
    assert asked.rate is not None
    assert (measured.rate.kind, measured.rate.rate, measured.checks[0].evidence) == (RateKind.REPORTED, 0.25, Evidence.MEASURED)
    assert (simulated.rate.kind, simulated.checks[0].evidence) == (RateKind.ENGINE, Evidence.SIMULATED)
    assert simulated.rate.why == f"only {len(some) - 1} of {len(some)} requests report what was cached"
    assert (asked.rate.rate, asked.rate.requests, asked.rate.left_out[0].requests) == (0.25, len(some) - 1, 1)


def test_a_low_reported_rate_of_intact_prompts_blames_no_break(tmp_path: Path) -> None:
    """Where the server reports little and no prefix breaks, the check fails without a place."""
    report = gate(written(tmp_path / "log.jsonl", reporting(healthy(), 0.0)), GateOptions(min_hit_rate=0.5, max_breaks=0))

    assert [(check.status, check.breaks) for check in report.checks] == [(FAILED, ()), (PASSED, ())]


def test_usage_alone_gives_a_reported_rate_and_no_more(tmp_path: Path) -> None:
    """Without prompts the reported rate is checked; simulated rates, and breaks, could not be."""
    log = usage_only(tmp_path / "log.jsonl", [400, 600, 500])

    report = gate(log, GateOptions(min_hit_rate=0.5, max_uncached_tokens=1_500, max_breaks=0))
    simulated = gate(log, GateOptions(min_hit_rate=0.1, rate=RateKind.ENGINE))

    assert [(check.status, check.figure) for check in report.checks] == [(PASSED, 0.5), (PASSED, 1_500), (OPEN, None)]
    assert report.status is OPEN
    assert simulated.status is OPEN
    assert simulated.checks[0].hint == "--rate reported is known"


def test_reported_counts_that_are_not_there_could_not_be_checked(tmp_path: Path) -> None:
    """Asked for, and told by no request: could not check; so too where nothing is told at all."""
    texts = written(tmp_path / "texts.jsonl", healthy())
    nothing = usage_only(tmp_path / "nothing.jsonl", [None, None])

    assert gate(texts, GateOptions(min_hit_rate=0.1, rate=RateKind.REPORTED)).status is OPEN
    assert gate(nothing, GateOptions(min_hit_rate=0.1)).status is OPEN


def test_ids_alone_have_a_rate_and_breaks(tmp_path: Path) -> None:
    """From token ids the engine's rate is checked, and breaks by what was sent before and is computed again."""
    draw = random.Random(1)
    head = list(range(1_000))
    log = ids_only(tmp_path / "log.jsonl", [[*head, *(draw.randrange(9_000) for _ in range(50))] for _ in range(20)])
    broken = ids_only(tmp_path / "broken.jsonl", [[10_000 + i, *head] for i in range(20)])

    options = GateOptions(min_hit_rate=0.85, max_breaks=0)

    assert [check.status for check in gate(log, options).checks] == [PASSED, PASSED]
    assert [check.status for check in gate(broken, options).checks] == [FAILED, FAILED]


def test_identical_requests_pass_but_for_the_cold_one(tmp_path: Path) -> None:
    """Copies of one prompt share all but the first; left out, the shareable rate is 1."""
    one = healthy(requests=1)[0]
    log = written(tmp_path / "log.jsonl", [structs.replace(one, id=f"r-{i}", time_s=(one.time_s or 0.0) + i) for i in range(5)])
    options = GateOptions(min_hit_rate=0.1, max_breaks=0, rate=RateKind.SHAREABLE)

    cold, warm = gate(log, options), gate(log, replace(options, scope=Scope(is_warm=True)))

    assert only(cold, "hit-rate").figure == pytest.approx(0.8, abs=0.01)
    assert only(warm, "hit-rate").figure == pytest.approx(1.0, abs=0.01)
    assert only(cold, "breaks").status is PASSED


@pytest.mark.parametrize("requests", [0, 1])
def test_fewer_than_two_requests_could_not_be_checked(tmp_path: Path, requests: int) -> None:
    """An empty file and a single request are never a pass, whatever the limit."""
    log = written(tmp_path / "log.jsonl", healthy()[:requests])

    report = gate(log, GateOptions(min_hit_rate=0.01, max_uncached_tokens=10**9, max_breaks=10**9, will_write=True))

    assert [check.status for check in report.checks] == [OPEN] * 4
    assert (report.log is None) == (requests == 0)


def test_more_requests_can_be_asked_for(tmp_path: Path) -> None:
    """``min_requests`` counts the requests that are left in the rate, and those whose breaks are looked for."""
    log = written(tmp_path / "log.jsonl", healthy(requests=10))
    options = GateOptions(min_hit_rate=0.01, max_breaks=9, min_requests=10)

    assert [check.status for check in gate(log, options).checks] == [PASSED, PASSED]
    warm = replace(options, scope=Scope(is_warm=True))
    assert [check.status for check in gate(log, warm).checks] == [OPEN, PASSED]
    assert [check.status for check in gate(log, replace(options, min_requests=11)).checks] == [OPEN, OPEN]


def test_few_prompts_among_many_requests_are_no_ground_for_a_pass(tmp_path: Path) -> None:
    """If one of many requests has its prompt in the log, no break was looked for."""
    log = Path(usage_only(tmp_path / "log.jsonl", [500] * 5))
    alone = tmp_path / "one.jsonl"
    written(alone, healthy()[:1])
    log.write_text(alone.read_text(encoding="utf-8") + log.read_text(encoding="utf-8"), encoding="utf-8")

    assert only(gate(str(log), BREAKS), "breaks").status is OPEN


def test_prompts_that_are_laid_out_to_nothing_are_no_ground_for_a_pass(tmp_path: Path) -> None:
    """A chat template that prints nothing leaves no prompt that could break, so no break was looked for."""
    template = tmp_path / "empty.jinja"
    template.write_text("", encoding="utf-8")
    log = written(tmp_path / "log.jsonl", healthy())
    found = only(check_log((log,), BREAKS, AnalyzeOptions(chat_template=str(template))), "breaks")

    assert found.status is OPEN
    assert "no prompt holds a token" in found.what


def test_bad_records_need_leniency(tmp_path: Path) -> None:
    """Over 5 % unreadable: nothing could be checked; lenient, the rest is."""
    log = tmp_path / "log.jsonl"
    written(log, healthy(requests=20))
    log.write_text(log.read_text(encoding="utf-8") + "not json\n" * 2, encoding="utf-8")
    options = GateOptions(min_hit_rate=0.1)

    assert gate(str(log), options).status is OPEN
    assert gate(str(log), replace(options, is_lenient=True)).status is PASSED


@pytest.mark.parametrize(
    "options",
    [
        GateOptions(),
        GateOptions(min_hit_rate=0.0),
        GateOptions(min_hit_rate=80.0),
        GateOptions(min_hit_rate=float("nan")),
        GateOptions(baselines=("x",), tolerance=1.0),
        GateOptions(max_breaks=0, counted_breaks=BreakFilter(min_lost_rate=1.0)),
    ],
)
def test_what_cannot_fail_is_refused(options: GateOptions) -> None:
    """No check, and limits that nothing could miss or that are no rates, are mistakes, told before the log is opened."""
    with pytest.raises(ConfigError):
        gate("no such file", options)

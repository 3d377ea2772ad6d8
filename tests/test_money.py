"""Money: the bill by reported or simulated counts, the break-even point, and how they are printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.api.measured_money import Bill
from radixlint.estimate.money_estimate import break_even_rate, estimate_money
from radixlint.providers import load_policy, prices_of
from radixlint.reports._money_lines import money_lines
from radixlint.result.evidence import Evidence
from radixlint.result.groups import Cost
from radixlint.result.money import Money, PriceFactors
from radixlint.traffic import Match, Request, Usage

CLAUDE = PriceFactors(0.1, 1.25, 2.0, input_usd=5.0, output_usd=25.0, source="test")
FREE_WRITES = PriceFactors(0.5, 1.0, source="test")


def match(prompt: int, shareable: int, engine: int) -> Match:
    """Return one answered request."""
    return Match(0, prompt, shareable, engine)


def bill(prices: PriceFactors, matches: list[Match], **given: list[Usage | None] | list[tuple[int, int]]) -> Money:
    """Return the bill at a provider named test."""
    return estimate_money(matches, prices, provider="test", model="m-1", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("write", "read", "rate"),
    [(1.25, 0.1, 0.217), (1.25, 0.05, 0.208), (2.0, 0.1, 0.526), (1.0, 0.5, 0.0), (1.0, 0.1, 0.0)],
)
def test_break_even_points_of_the_price_lists(write: float, read: float, rate: float) -> None:
    """21.7 % at 1.25 and 0.1, 20.8 % at 0.05, 52.6 % for an hour at 2, none where writes are free."""
    assert break_even_rate(write, read) == pytest.approx(rate, abs=0.0005)


@pytest.mark.parametrize(("write", "read"), [(None, 0.1), (1.25, None), (1.25, 1.0), (1.25, 1.2)])
def test_no_break_even_point_without_prices_or_gain(write: float | None, read: float | None) -> None:
    """An unknown price gives no point, and reads that save nothing never pay for a write."""
    assert break_even_rate(write, read) is None


@given(st.floats(1.01, 3), st.floats(0, 0.99), st.integers(1, 10_000), st.floats(0, 1))
def test_the_bill_is_below_one_exactly_above_the_break_even_point(write: float, read: float, prompt: int, share: float) -> None:
    """With every token read or written, caching saves if and only if the share of reads is above the point."""
    tokens = round(prompt * share)
    found = bill(PriceFactors(read, write), [match(prompt, tokens, tokens)], written=[(prompt - tokens, 0)])

    assert found.now_factor is not None
    assert found.break_even_rate is not None
    assert found.traffic_rate == tokens / prompt
    gap = found.traffic_rate - found.break_even_rate
    if abs(gap) > 1e-9:
        assert (found.now_factor < 1) == (gap > 0)


def test_the_same_hit_rate_loses_on_one_price_list_and_saves_on_another() -> None:
    """At 15 % hits and all else written, Claude's prices cost more than no caching; where writes are free they save."""
    matches = [match(1_000, 150, 150)]
    claude, legacy = prices_of("anthropic", "claude-opus-5"), prices_of("openai-legacy", "gpt-5.4")
    assert claude is not None
    assert legacy is not None
    dear, cheap = bill(claude, matches, written=[(850, 0)]), bill(legacy, matches)

    assert dear.now_factor == pytest.approx(0.15 * 0.1 + 0.85 * 1.25)
    assert cheap.now_factor == pytest.approx(0.15 * 0.1 + 0.85)
    assert "caching loses input money" in "\n".join(money_lines(dear))
    assert "every hit saves" in "\n".join(money_lines(cheap))


def test_reads_and_both_kinds_of_writes_are_priced_apart() -> None:
    """Of 10,000 tokens 6,000 are read, 3,000 written (1,000 for an hour), 1,000 plain: 0.1, 1.25, 2 and 1 times the price."""
    found = bill(CLAUDE, [match(10_000, 8_000, 6_000)], written=[(3_000, 1_000)])

    assert found.now_factor == pytest.approx((600 + 2_000 * 1.25 + 1_000 * 2 + 1_000) / 10_000)
    assert found.without_usd == pytest.approx(10_000 * 5 / 1e6)
    assert found.now_usd == pytest.approx(0.05 * 0.61)
    assert found.shareable_factor == pytest.approx(0.8 * 0.1 + 0.2 * 1.25)
    assert found.evidence is Evidence.SIMULATED


def test_reported_counts_win_over_simulated_ones() -> None:
    """If every request reports prompt, hits and writes, the bill is by these, and is called measured."""
    usage = Usage(prompt_tokens=1_100, cached_tokens=1_000, output_tokens=40, written_tokens=100, written_long_tokens=0)
    found = bill(CLAUDE, [match(1_050, 900, 0)] * 2, usages=[usage, usage], written=[(1_050, 0)] * 2)

    assert (found.prompt_tokens, found.billed.read_tokens, found.billed.written_tokens) == (2_200, 2_000, 200)
    assert found.evidence is Evidence.MEASURED
    assert found.shareable_rate == pytest.approx(900 / 1_050)
    assert found.output_cost_usd == pytest.approx(80 * 25 / 1e6)


@pytest.mark.parametrize(
    "usages",
    [
        [Usage(prompt_tokens=100, cached_tokens=50, written_tokens=0), None],
        [Usage(prompt_tokens=100, cached_tokens=50, written_tokens=0), Usage(prompt_tokens=100)],
    ],
    ids=["no usage", "no count of hits"],
)
def test_reports_that_lack_something_are_not_mixed_with_simulation(usages: list[Usage | None]) -> None:
    """One request without its counts: the whole bill is simulated."""
    found = bill(CLAUDE, [match(100, 40, 40)] * 2, usages=usages, written=[(60, 0)] * 2)

    assert (found.evidence, found.billed.read_tokens) == (Evidence.SIMULATED, 80)


def test_writes_that_nobody_counted_leave_the_cost_unknown() -> None:
    """What was read is what the server says, whatever a replay would give; writes that cost and were not counted are unknown."""
    usages = [Usage(prompt_tokens=100, cached_tokens=50)] * 2
    found = bill(CLAUDE, [match(100, 40, 40)] * 2, usages=usages, written=[(60, 0)] * 2)

    assert (found.evidence, found.billed.read_tokens, found.billed.written_tokens) == (Evidence.MEASURED, 100, None)
    assert found.now_factor is None


def test_a_log_of_usage_alone_has_a_bill_but_nothing_shareable() -> None:
    """Where no prompt is known, the requests that report are billed, and no best case is claimed."""
    reported = Usage(prompt_tokens=1_000, cached_tokens=800, written_tokens=100)
    found = bill(CLAUDE, [], usages=[reported, None])

    assert (found.billed.requests, found.shareable_rate, found.shareable_factor) == (1, None, None)
    assert found.now_factor == pytest.approx((100 + 80 + 125) / 1_000)
    assert "shareable" not in "\n".join(money_lines(found))


@pytest.mark.parametrize(
    ("prices", "written"),
    [
        (PriceFactors(None, 1.25), [(50, 0)]),
        (PriceFactors(0.1, None), [(50, 0)]),
        (PriceFactors(0.1, 1.25), [(50, 50)]),
        (PriceFactors(0.1, 1.25), []),
        (PriceFactors(0.1, None), []),
    ],
    ids=["read", "write", "long write", "writes not counted", "neither"],
)
def test_unknown_price_or_count_means_no_figure(prices: PriceFactors, written: list[tuple[int, int]]) -> None:
    """A price or a count that is needed and unknown leaves the figure out; nothing is taken for 0 or 1."""
    found = bill(prices, [match(100, 50, 50)], written=written)

    assert (found.now_factor, found.now_usd, found.without_usd) == (None, None, None)
    assert "unknown" in "\n".join(money_lines(found))


def test_without_a_price_in_usd_costs_are_factors() -> None:
    """No USD is made up: costs stand in units of the plain input price, and the report says so."""
    text = "\n".join(money_lines(bill(FREE_WRITES, [match(1_000, 600, 500)])))

    assert "USD" not in text
    assert "0.750x" in text
    assert "units of the plain input price" in text


def test_an_empty_log_costs_nothing_that_could_be_said() -> None:
    """Without requests nothing is divided by zero and no cost is claimed."""
    found = bill(CLAUDE, [])

    assert (found.now_factor, found.shareable_rate, found.traffic_rate) == (None, None, None)
    assert list(money_lines(found))


def test_names_from_outside_are_printed_safely() -> None:
    """A model's name is the log's text: control characters are written as escapes."""
    found = estimate_money([match(10, 5, 5)], FREE_WRITES, provider="test", model="m\x1b[31m\n")

    assert all("\x1b" not in line and "\n" not in line for line in money_lines(found))


def group_cost(*, with_reports_of: tuple[str, ...]) -> Cost:
    """Return the cost of a group of two models at Anthropic's prices; the ones named report their counts."""
    counts = Usage(prompt_tokens=1_000, cached_tokens=900, output_tokens=5, written_tokens=100)
    models = ("claude-opus-4-5", "claude-haiku-4-5")
    requests = [Request(i, model=m, usage=counts if m in with_reports_of else None) for i, m in enumerate(models)]
    matches = [match(1_000, 900, 500), match(1_000, 900, 500)]
    found = Bill(requests, matches, [(500, 0), (500, 0)], load_policy("anthropic")).cost((0, 1))
    assert found is not None
    return found


def test_a_group_whose_models_are_counted_in_two_ways_has_a_cost_for_each_class() -> None:
    """One model reports, the other is simulated: both costs stand by themselves, and their sum is called simulated."""
    mixed = group_cost(with_reports_of=("claude-opus-4-5",))
    measured, simulated = mixed.parts

    assert (measured.evidence, simulated.evidence, mixed.evidence) == (
        Evidence.MEASURED,
        Evidence.SIMULATED,
        Evidence.SIMULATED,
    )
    assert measured.factor == pytest.approx(0.9 * 0.1 + 0.1 * 1.25)
    assert simulated.factor == pytest.approx(0.5 * 0.1 + 0.5 * 1.25)
    assert mixed.factor == pytest.approx((measured.factor + simulated.factor) / 2)
    assert measured.prompt_tokens + simulated.prompt_tokens == mixed.prompt_tokens


@pytest.mark.parametrize(
    ("reporting", "evidence"), [((), Evidence.SIMULATED), (("claude-opus-4-5", "claude-haiku-4-5"), Evidence.MEASURED)]
)
def test_a_group_counted_in_one_way_has_one_cost(reporting: tuple[str, ...], evidence: Evidence) -> None:
    """All models report, or none does: one class, and nothing to tell apart."""
    found = group_cost(with_reports_of=reporting)

    assert (found.evidence, found.parts) == (evidence, ())


def test_every_cost_of_a_bill_names_its_class() -> None:
    """Costs by reported counts are measured; what could be shared is simulated in the same bill; the prices are a list's."""
    usage = Usage(prompt_tokens=1_000, cached_tokens=900, output_tokens=40, written_tokens=100, written_long_tokens=0)
    found = bill(CLAUDE, [match(1_000, 900, 0)], usages=[usage], written=[(1_000, 0)])
    classes = {line.split("  ")[1]: line for line in money_lines(found) if line.startswith("  ")}

    assert "(measured)" in classes["now"]
    assert "(simulated)" in classes["all shareable read"]
    assert "(measured)" not in classes["all shareable read"]
    assert "(assumed: a price list)" in classes["price factors"]
    assert "(measured)" in classes["answers"]

"""The answer at the top of ``analyze``: what was served, what was lost most, what mends it, whose it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made_logs import KINDS
from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import analyze, measure
from radixlint.reports import TextStyle, analyze_text
from radixlint.result.breaks import Cleared
from radixlint.result.cause import Cause, Confidence
from radixlint.result.measurement import AnalyzeReport, WaterfallEntry
from radixlint.result.remedy import Remedy, Totals
from radixlint.traffic import LogRead, Message, Request, Usage

LOGS = sorted(Path(__file__).parent.glob("fixtures/bugs/*/requests.jsonl"))
RULES = "\n".join(f"{n}. Rule number {n} of the house is not to be bent by anyone." for n in range(1, 20))


def chat(index: int, system: str, *, cached: int | None = None) -> Request:
    usage = None if cached is None else Usage(prompt_tokens=400, cached_tokens=cached)
    messages = (Message("system", system), Message("user", f"Question {index}"))
    return Request(index, id=f"r{index}", session=f"s{index}", model="house-model", messages=messages, usage=usage)


def with_clock(count: int = 9, cached: int | None = None) -> list[Request]:
    return [chat(i, f"Now: 2026-03-03T08:14:{i:02d}Z\n{RULES}", cached=cached) for i in range(count)]


def report(requests: list[Request], *, is_sampled: bool = False, **options: object) -> AnalyzeReport:
    read = LogRead("made", len(requests), tuple(requests), {}, is_sampled=is_sampled)
    return measure(read, AnalyzeOptions(**options))  # type: ignore[arg-type]


def answer(found: AnalyzeReport) -> dict[str, str]:
    """Return the rows of the answer by their labels: the block behind the first empty line."""
    block = analyze_text.render(found, TextStyle(width=1_000)).split("\n\n")[1]
    return {line[:8].strip(): line[8:] for line in block.splitlines()}


def test_a_fault_is_answered_with_cause_place_share_fix_and_owner() -> None:
    """The four rows name the rates, the break with its share of what is computed, what its best fix leaves, and the prompt."""
    found = report(with_clock())
    place = found.breaks[0]
    best = place.remedies[0]
    rows = answer(found)

    assert list(rows) == ["Served", "Lost", "Fix", "Whose"]
    assert found.engine_tokens is not None
    share = place.lost_tokens / (found.prompt_tokens - found.engine_tokens)
    assert rows["Lost"].startswith(f"{share:.1%} of the tokens computed, to clock at {place.where} (8 of 9 requests)")
    assert rows["Fix"].startswith(
        f"{best.title}: {best.before.uncached_tokens:,} -> {best.after.uncached_tokens:,} tokens computed"
    )
    assert rows["Whose"] == "the prompt's (high confidence)"


def test_breaks_and_fixes_come_first_then_the_waterfall_then_the_rest() -> None:
    """The order of the details is that of their use."""
    text = analyze_text.render(report(with_clock(cached=0)), TextStyle())
    headings = ["\nServed", "\nBreaks", "\nWhere the prompt tokens go", "\nHit rate", "\nBasis"]

    places = [text.index(heading) for heading in headings]
    assert places == sorted(places)
    assert 3 <= len(text.split("\n\n")[1].splitlines()) <= 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_healthy_log_has_nothing_to_mend(kind: str) -> None:
    """No cause, no fix: it says so."""
    rows = answer(report(list(KINDS[kind](200, 3))))

    assert rows["Lost"].startswith("nothing to a break that comes again")
    assert rows["Whose"] == "nobody's: nothing to mend"
    assert "Fix" not in rows


def test_a_rule_of_the_cache_is_not_the_prompts() -> None:
    """Where the largest loss is capacity, the rows say so, and what helps."""
    found = report(list(KINDS["rag"](200, 3)), policy=PolicyOptions(kv_tokens=2_048))
    rows = answer(found)

    assert found.waterfall[-1].cause == Cause.CAPACITY
    assert "to capacity: given up for lack of room" in rows["Lost"]
    assert "--curve" in rows["Fix"]
    assert "not the prompt's" in rows["Whose"]


def test_what_the_server_kept_back_is_the_servers() -> None:
    """Prompts that were intact and yet reported uncached are the largest loss: its sentence stands there, none of the prompt."""
    found = report(list(KINDS["chat"](60, 2)))
    one = Cleared("engine", "", Confidence.HIGH, 40, found.prompt_tokens, "nothing was ever cached", ("r1",))
    rows = answer(replace(found, cleared=(one,)))

    assert "nothing was ever cached" in rows["Lost"]
    assert "prefix caching is on" in rows["Fix"]
    assert rows["Whose"] == "the server's, not the prompt's (high confidence)"


@pytest.mark.parametrize(("is_sampled", "who"), [(True, "requests that were left out"), (False, "before this log begins")])
def test_more_reported_than_shareable_is_explained_at_once(is_sampled: bool, who: str) -> None:
    """A cache that others filled serves more than a part of a log shares with itself: said beside the rate, and by whom."""
    found = report([chat(i, f"{i} is mine.\n{RULES}", cached=380) for i in range(6)], is_sampled=is_sampled)
    rows = answer(found)

    assert found.hit_rate.shareable is not None
    assert rows["Served"].startswith(f"95.0% reported (measured): more than the {found.hit_rate.shareable:.1%}")
    assert who in rows["Served"]
    text = analyze_text.render(found, TextStyle(width=1_000))
    assert any("more cached tokens than simulated" in line and who in line for line in text.splitlines())
    assert ("not sent before in this part" in text.replace(" in this place", "")) is is_sampled


def test_counts_that_are_all_zero_ask_whether_caching_is_on() -> None:
    """Where no request reports a cached token and none is long enough to prove it, an engine is not guessed from that."""
    found = report(with_clock(cached=0))

    assert "is prefix caching on?" in answer(found)["Whose"]
    assert any("whether prefix caching is off" in note for note in found.notes)
    assert not any("--engine openai-legacy" in note for note in found.notes)
    assert "prefix caching" not in answer(report(with_clock()))["Whose"]


def test_a_single_request_cannot_be_judged() -> None:
    """One request shares with nobody: no rate and no list of breaks, and both say why."""
    found = report([chat(0, RULES, cached=0)])
    text = analyze_text.render(found, TextStyle())

    assert answer(found)["Lost"].startswith("not told: a single request")
    assert "shareable        unknown  a single request has no earlier one to share with" in text
    assert "Breaks" not in text


def test_without_explanation_no_cause_is_claimed_or_denied() -> None:
    """With --no-explain the row says that causes were not looked for."""
    rows = answer(report(with_clock(), top=0))

    assert rows["Lost"].startswith("not looked for")
    assert "Whose" not in rows


def test_ids_alone_have_a_place_and_no_cause() -> None:
    """Token ids tell where prompts part; the owner is not known, and no fix was tried."""
    head, tail = list(range(40)), list(range(100, 400))
    ids = [b"".join(n.to_bytes(4, "little") for n in (*head, 900 + i, *tail)) for i in range(6)]
    rows = answer(report([Request(i, token_ids=one) for i, one in enumerate(ids)]))

    assert "to an unknown cause at token ids (5 of 6 requests)" in rows["Lost"]
    assert rows["Whose"].startswith("not known")


def totals(computed: int) -> Totals:
    return Totals(1_000, 1_000 - computed, 1_000 - computed)


def test_a_half_fix_that_brings_more_says_why_it_is_half() -> None:
    """Below the whole fix; the words tell that it brings more, and what speaks against it."""
    found = report(with_clock())
    whole = Remedy("a", "Whole", totals(900), totals(300), 5)
    half = Remedy("b", "Half", totals(900), totals(200), 5, "the model sees less", is_half=True)
    less = replace(half, after=totals(400))

    def told(one: Remedy) -> str:
        place = replace(found.breaks[0], remedies=(whole, one))
        return analyze_text.render(replace(found, breaks=(place,)), TextStyle(width=1_000))

    assert "brings more than the fix, yet is half: the model sees less" in told(half)
    assert "brings more" not in told(less)
    assert "the model sees less" in told(less)


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.parent.name)
def test_fixes_are_ranked_by_what_they_leave_to_compute(log: Path) -> None:
    """Whole fixes before half ones, each kind by the fewest tokens computed; no half fix without a reason."""
    remedies = [place.remedies for place in analyze([str(log)]).breaks]

    assert any(remedies)
    for some in remedies:
        ranks = [(one.is_half, one.after.uncached_tokens) for one in some]
        assert ranks == sorted(ranks)
        assert all(one.freshness for one in some if one.is_half)


def test_the_off_figure_is_named() -> None:
    """Where the 95th percentile alone is over 5 % off, the note says that it is that one."""
    requests = [structs.replace(one, usage=Usage(prompt_tokens=1, cached_tokens=0)) for one in with_clock(20)]
    lengths = [row.prompt_tokens or 0 for row in report(requests).rows]
    ratios = [1.0] * 17 + [1.2] * 3
    told = [
        structs.replace(one, usage=Usage(prompt_tokens=round(length / ratio), cached_tokens=0))
        for one, length, ratio in zip(requests, lengths, ratios, strict=True)
    ]

    (note,) = [note for note in report(told).notes if "over 5 % off" in note]
    assert "in the 95th percentile, 1.000 in the median" in note


def test_the_cost_of_a_waterfall_without_loss_is_no_loss() -> None:
    """Block borders, which nobody can help, are no cause as long as they are small."""
    found = report(list(KINDS["chat"](60, 2)))
    small = replace(found, waterfall=(*found.waterfall[:1], WaterfallEntry("block-floor", found.prompt_tokens // 25)))
    large = replace(found, waterfall=(*found.waterfall[:1], WaterfallEntry("block-floor", found.prompt_tokens // 10)))

    assert "block-floor" not in answer(small)["Lost"]
    assert "block-floor" in answer(large)["Lost"]

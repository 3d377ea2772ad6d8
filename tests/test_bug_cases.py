"""Known bugs in real request logs: the hit rate before and after the fix, where the break is, and what its fixes bring."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze
from radixlint.result.breaks import Break
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.remedy import Remedy

FOLDER = Path(__file__).parent / "fixtures" / "bugs"
TEMPLATE_CASE = "04-template-think-tag"
CASES = sorted(p.name for p in FOLDER.iterdir() if p.name != TEMPLATE_CASE)
POINTS = 2.0
TOKENS_RATE = 0.03


@cache
def measured(case: str, name: str) -> AnalyzeReport:
    return analyze([str(FOLDER / case / name)], AnalyzeOptions())


def fixed_name(case: str) -> str:
    return next(p.name for p in sorted((FOLDER / case).glob("fixed*.jsonl")))


def expected(case: str) -> dict[str, float]:
    answer: dict[str, float] = json.loads((FOLDER / case / "expected.json").read_text())
    return answer


@pytest.mark.parametrize("case", CASES)
def test_hit_rates_before_and_after_the_fix(case: str) -> None:
    """The shareable rate of the log as sent and of the fixed log is within two points of the recorded one."""
    before = measured(case, "requests.jsonl").hit_rate.shareable
    after = measured(case, fixed_name(case)).hit_rate.shareable

    assert before is not None
    assert after is not None
    assert abs(100 * before - expected(case)["hit_before"]) <= POINTS
    assert abs(100 * after - expected(case)["hit_after"]) <= POINTS


def test_half_fix_is_worse_than_the_fix() -> None:
    """Dropping the retrieved text from older turns regains less than keeping it, as recorded."""
    case = "03-rag-before-history"
    half = measured(case, "half_fix_drop.jsonl").hit_rate.shareable

    assert half is not None
    assert abs(100 * half - expected(case)["hit_half_fix"]) <= POINTS


@pytest.mark.parametrize(
    ("case", "cause", "detail", "where"),
    [
        ("01-clock-in-system-header", "clock", "second", "messages[0] system line 2"),
        ("02-tool-order-shuffle", "tool-order", "order", "tools[0]"),
        ("03-rag-before-history", "retrieval-before-history", "", "messages[0] system line "),
        ("05-args-key-order", "key-order", "key-order", "messages[2] assistant call 1"),
        ("06-sliding-window", "history-rewritten", "window-shift", "messages[1] user line 1"),
    ],
)
def test_the_one_break_is_the_bug(case: str, cause: str, detail: str, where: str) -> None:
    """Nothing but the bug is found, by its cause and its place."""
    (found,) = measured(case, "requests.jsonl").breaks

    assert (found.cause, found.detail) == (cause, detail)
    assert found.where.startswith(where)


def the_break(case: str) -> Break:
    return measured(case, "requests.jsonl").breaks[0]


def remedy(case: str, name: str) -> Remedy:
    return next(one for one in the_break(case).remedies if one.id == name)


@pytest.mark.parametrize(
    ("case", "name", "rate"),
    [
        ("01-clock-in-system-header", "newest-end", "hit_after"),
        ("01-clock-in-system-header", "date-only", "hit_after_day"),
        ("02-tool-order-shuffle", "sorted-tools", "hit_after"),
        ("03-rag-before-history", "kept-with-turn", "hit_after"),
        ("03-rag-before-history", "newest-only", "hit_half_fix"),
        ("05-args-key-order", "first-bytes", "hit_after"),
        ("06-sliding-window", "batch-cut-5-11", "hit_after"),
    ],
)
def test_fixes_and_half_fixes_are_foretold(case: str, name: str, rate: str) -> None:
    """The replay of a fix or half fix on the log as sent gives the rate of the application that was really changed so."""
    after = remedy(case, name).after.shareable_rate

    assert after is not None
    assert abs(100 * after - expected(case)[rate]) <= POINTS


@pytest.mark.parametrize("case", ["02-tool-order-shuffle", "03-rag-before-history", "05-args-key-order"])
def test_the_first_fix_regains_what_was_lost(case: str) -> None:
    """The fix that stands first makes shareable what the bug is recorded to lose."""
    assert the_break(case).remedies[0].regained_tokens == pytest.approx(expected(case)["tokens_lost"], rel=TOKENS_RATE)


def test_moving_the_clock_regains_what_was_lost() -> None:
    """The clock at the end of the newest turn regains the recorded tokens; dropping the time of day costs no more than that."""
    case = "01-clock-in-system-header"

    assert remedy(case, "newest-end").regained_tokens == pytest.approx(expected(case)["tokens_lost"], rel=TOKENS_RATE)
    assert remedy(case, "date-only").after.uncached_tokens <= remedy(case, "newest-end").after.uncached_tokens


def test_half_fixes_stand_behind_whole_ones() -> None:
    """What takes the retrieved text from older turns is named half, and no half fix is first."""
    for case in CASES:
        are_half = [one.is_half for one in the_break(case).remedies]
        assert are_half == sorted(are_half)
        assert not are_half[0]
    assert remedy("03-rag-before-history", "newest-only").is_half


def test_a_window_cut_in_batches_computes_what_was_recorded() -> None:
    """The fix that stands first for the sliding window leaves as many tokens to compute as the application with that fix."""
    case = "06-sliding-window"
    after = the_break(case).remedies[0].after

    assert after.prompt_tokens - after.shareable_tokens == pytest.approx(expected(case)["uncached_after"], rel=TOKENS_RATE)


def templated(folder: Path, template: str) -> AnalyzeReport:
    """Return the report on the conversation of the template case, sent in three requests, as ``template`` renders it."""
    case = FOLDER / TEMPLATE_CASE
    given = json.loads((case / "conversation.json").read_text())
    log = folder / "requests.jsonl"
    with log.open("w", encoding="utf-8") as out:
        for cut in given["cuts"]:
            record = {"model": "m", "messages": given["messages"][:cut]}
            if cut < len(given["messages"]):
                record["response"] = {"choices": [{"message": given["messages"][cut]}]}
            out.write(json.dumps(record) + "\n")
    return analyze([str(log)], AnalyzeOptions(chat_template=str(case / template), store_outputs=True))


def test_a_template_that_renders_history_anew_is_named(tmp_path: Path) -> None:
    """With replies stored, each turn loses one reply: cause chat-template, at the first assistant turn, rates as recorded."""
    found = templated(tmp_path, "template.jinja")
    answer = json.loads((FOLDER / TEMPLATE_CASE / "expected.json").read_text())

    (place,) = found.breaks
    assert (place.cause, place.requests) == ("chat-template", 2)
    assert "assistant" in place.where
    assert place.lost_tokens == pytest.approx(answer["tokens_lost"], rel=TOKENS_RATE)
    for (prompt, shared), row in zip(answer["rows_before"], found.rows, strict=True):
        assert row.prompt_tokens == pytest.approx(prompt, rel=TOKENS_RATE)
        assert row.shareable_tokens == pytest.approx(shared, rel=TOKENS_RATE)
    assert found.hit_rate.shareable is not None
    assert abs(100 * found.hit_rate.shareable - answer["hit_before"]) <= POINTS


def test_the_template_that_keeps_what_it_opened_is_foretold(tmp_path: Path) -> None:
    """The replay of old answers behind the marks of their open turn gives the figures of the mended template."""
    (place,) = templated(tmp_path, "template.jinja").breaks
    mended = templated(tmp_path, "fixed.jinja")
    answer = json.loads((FOLDER / TEMPLATE_CASE / "expected.json").read_text())

    (fix,) = place.remedies
    assert fix.regained_tokens == pytest.approx(answer["tokens_lost"], rel=TOKENS_RATE)
    assert (fix.after.prompt_tokens, fix.after.shareable_tokens) == (mended.prompt_tokens, mended.shareable_tokens)
    assert fix.after.shareable_rate is not None
    assert abs(100 * fix.after.shareable_rate - answer["hit_after"]) <= POINTS


def test_what_a_server_loses_that_cannot_go_back_is_told(tmp_path: Path) -> None:
    """The prompts that break are told in whole, for a recurrent or sliding-window server computes all of them."""
    (place,) = templated(tmp_path, "template.jinja").breaks
    answer = json.loads((FOLDER / TEMPLATE_CASE / "expected.json").read_text())

    assert place.prompt_tokens == sum(prompt for prompt, _ in answer["rows_before"][1:])


def test_a_template_that_only_appends_has_no_break(tmp_path: Path) -> None:
    """The same conversation through the mended template loses nothing."""
    found = templated(tmp_path, "fixed.jinja")

    assert found.breaks == ()
    assert found.hit_rate.shareable is not None
    assert abs(100 * found.hit_rate.shareable - expected(TEMPLATE_CASE)["hit_after"]) <= POINTS


def test_reported_prompt_tokens_agree_with_ours() -> None:
    """The logs' own prompt tokens are met within 1 %, so no layout or tokenizer is doubted."""
    for case in CASES:
        report = measured(case, "requests.jsonl")
        assert report.agreement is not None
        assert abs(report.agreement.median_ratio - 1) < 0.01
        assert not any("differs" in note for note in report.notes)

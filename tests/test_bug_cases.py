"""Known bugs in real request logs: the hit rate before and after the fix, and where the break is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze
from radixlint.result.measurement import AnalyzeReport

FOLDER = Path(__file__).parent / "fixtures" / "bugs"
CASES = sorted(p.name for p in FOLDER.iterdir())
POINTS = 2.0


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
    ("case", "where"),
    [
        ("01-clock-in-system-header", "messages[0] system line 2"),
        ("02-tool-order-shuffle", "tools[0]"),
        ("05-args-key-order", "messages[2] assistant line 2"),
        ("06-sliding-window", "messages[1] user line 1"),
    ],
)
def test_the_worst_branch_point_is_the_bug(case: str, where: str) -> None:
    """The first branch point is the faulty place, and most of what is computed behind it is repeated."""
    worst = measured(case, "requests.jsonl").breaks[0]

    assert worst.where == where
    assert worst.repeated_tokens > 0.8 * worst.lost_tokens


def test_reported_prompt_tokens_agree_with_ours() -> None:
    """The logs' own prompt tokens are met within 1 %, so no layout or tokenizer is doubted."""
    for case in CASES:
        report = measured(case, "requests.jsonl")
        assert report.agreement is not None
        assert abs(report.agreement.median_ratio - 1) < 0.01
        assert not any("differs" in note for note in report.notes)

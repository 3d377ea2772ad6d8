"""Prompts known by token ids alone: one request, the whole log and the gate say the same about what was sent before."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.gate_options import GateOptions
from radixlint.api.gating import check_log
from radixlint.api.measuring import measure
from radixlint.api.why import explain_one
from radixlint.reports import TextStyle, analyze_text, why_text
from radixlint.traffic import LogRead, Request


def tokens(*, has_clock: bool) -> list[list[int]]:
    """Return thirty prompts of one head and a tail of their own, each with a value of its own in front or not."""
    draw = random.Random(7)
    head = [draw.randrange(50_000) for _ in range(700)]
    return [
        [1, 2, *([60_000 + number] if has_clock else []), *head, *(draw.randrange(50_000) for _ in range(40))]
        for number in range(30)
    ]


def read(prompts: Sequence[Sequence[int]]) -> LogRead:
    """Return a log of ``prompts``."""
    given = [b"".join(token.to_bytes(4, "little") for token in one) for one in prompts]
    return LogRead("", len(given), tuple(Request(number, token_ids=one) for number, one in enumerate(given)), {})


def test_requests_and_log_agree() -> None:
    """What single requests lost adds up to the break and to the waterfall of the log; all of them name the break."""
    log = read(tokens(has_clock=True))
    whole = measure(log)
    each = [explain_one(log, str(number), AnalyzeOptions()) for number in range(30)]

    [place] = whole.breaks
    lost = [sum(part.tokens for part in one.parts if part.cause == "unknown") for one in each]
    assert sum(lost) == place.lost_tokens == sum(entry.tokens for entry in whole.waterfall if entry.cause == "unknown")
    assert lost[0] == 0
    assert all(one.is_prompt and one.partner and "breaks at token ids" in one.conclusion for one in each[1:])
    assert "not shared" not in analyze_text.render(whole, TextStyle()) + why_text.render(each[7], TextStyle())


@pytest.mark.parametrize(("has_clock", "status"), [(True, "failed"), (False, "passed")])
def test_the_gate_counts_the_breaks_that_analyze_lists(has_clock: bool, status: str, tmp_path: Path) -> None:
    """A limit of no break fails where ``analyze`` lists one, and passes where it lists none."""
    path = tmp_path / "ids.jsonl"
    path.write_text("".join(f'{{"token_ids": {one}}}\n' for one in tokens(has_clock=has_clock)))
    report = check_log([str(path)], GateOptions(max_breaks=0))

    assert [str(check.status) for check in report.checks] == [status]


def test_a_healthy_request_goes_on_from_its_partner() -> None:
    """It shares the head with an earlier one, which is named, and nothing is lost."""
    report = explain_one(read(tokens(has_clock=False)), "9", AnalyzeOptions())

    assert (report.broken, report.is_prompt) == (None, False)
    assert report.partner is not None
    assert report.partner.shared_tokens >= 700

"""Rewritten logs of known bugs reach the hit rate that the recorded fix reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rewrite_logs import texts, write_log

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze
from radixlint.logs import read_logs
from radixlint.privacy import chains_of
from radixlint.rewrites import (
    Span,
    Target,
    first_seen_json,
    kept,
    kept_in_newest,
    marks,
    moved,
    replaced,
    sorted_keys,
    sorted_tools,
    window_size,
    windowed,
)
from radixlint.traffic import Request

FOLDER = Path(__file__).parent / "fixtures" / "bugs"
POINTS = 0.5
Log = tuple[Request, ...]


def read(case: str, name: str = "requests.jsonl") -> Log:
    return read_logs([str(FOLDER / case / name)]).requests


def clock(requests: Log) -> dict[int, Span]:
    spans = {}
    for i, request in enumerate(requests):
        start = request.messages[0].text.index("Clock: ")
        spans[i] = Span(0, start, request.messages[0].text.index("\n", start))
    return spans


def context(requests: Log) -> dict[int, Span]:
    starts = [request.messages[0].text.index("Context for this question:") for request in requests]
    return {i: Span(0, start, len(requests[i].messages[0].text)) for i, start in enumerate(starts)}


def clock_moved(requests: Log) -> Log:
    return moved(requests, clock(requests), chains_of(requests), Target.NEWEST_END)


def clock_value_moved(requests: Log) -> Log:
    values = {i: Span(0, span.start + len("Clock: "), span.end) for i, span in clock(requests).items()}
    return moved(requests, values, chains_of(requests), Target.NEWEST_END, "Clock: ")


def block_kept(requests: Log) -> Log:
    return kept(requests, context(requests), chains_of(requests))


def block_dropped(requests: Log) -> Log:
    return kept_in_newest(requests, context(requests), chains_of(requests))


def cut_in_blocks(requests: Log) -> Log:
    chains = chains_of(requests)
    size = window_size(requests, chains)
    assert size is not None
    return windowed(requests, chains, *marks(size)[0])


LOGGED = sorted(path.parent.name for path in FOLDER.glob("*/requests.jsonl"))
CASES = (
    ("01-clock-in-system-header", clock_moved, "fixed.jsonl"),
    ("01-clock-in-system-header", clock_value_moved, "fixed.jsonl"),
    ("02-tool-order-shuffle", sorted_tools, "fixed.jsonl"),
    ("03-rag-before-history", block_kept, "fixed_persist.jsonl"),
    ("03-rag-before-history", block_dropped, "half_fix_drop.jsonl"),
    ("05-args-key-order", first_seen_json, "fixed.jsonl"),
    ("05-args-key-order", sorted_keys, "fixed.jsonl"),
    ("06-sliding-window", cut_in_blocks, "fixed.jsonl"),
)


@pytest.mark.parametrize(("case", "rewrite", "fixed"), CASES, ids=[f"{case[:2]}-{f.__name__}" for case, f, _ in CASES])
def test_a_rewritten_log_hits_as_the_recorded_fix(case: str, rewrite: Callable[[Log], Log], fixed: str, tmp_path: Path) -> None:
    """The shareable rate is within half a point of the recorded fix, the uncached tokens are within 3 %."""
    after = analyze([str(write_log(rewrite(read(case)), tmp_path / "log.jsonl"))], AnalyzeOptions())
    recorded = analyze([str(FOLDER / case / fixed)], AnalyzeOptions())

    assert after.shareable_tokens is not None
    assert recorded.shareable_tokens is not None
    assert after.hit_rate.shareable == pytest.approx(recorded.hit_rate.shareable, abs=POINTS / 100)
    assert after.prompt_tokens - after.shareable_tokens == pytest.approx(
        recorded.prompt_tokens - recorded.shareable_tokens, rel=0.03
    )


def test_windows_are_those_of_the_recorded_fix() -> None:
    """With the marks of the recorded fix, the very messages are sent that it sent."""
    case = "06-sliding-window"

    assert texts(cut_in_blocks(read(case))) == texts(read(case, "fixed.jsonl"))


def test_a_date_in_place_of_a_clock_leaves_one_system_text() -> None:
    """With its date in place of each clock of one day, all requests have the same instructions, one object."""
    requests = read("01-clock-in-system-header")
    spans = {i: Span(0, span.start + len("Clock: "), span.end) for i, span in clock(requests).items()}
    dates = {i: requests[i].messages[0].text[span.start : span.start + len("2026-03-03")] for i, span in spans.items()}

    assert len({id(request.messages[0]) for request in replaced(requests, spans, dates)}) == 1


@pytest.mark.parametrize("case", [name for name in LOGGED if not name.startswith("06")])
def test_only_the_sliding_window_is_one(case: str) -> None:
    """Histories that grow or have one turn are not taken for a window."""
    assert window_size(read(case), chains_of(read(case))) is None

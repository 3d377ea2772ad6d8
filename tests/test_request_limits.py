"""Models and requests with cache limits of their own, from the log to the figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import analyze, measure, measure_each
from radixlint.api.request_limits import limits_of
from radixlint.logs import read_logs
from radixlint.providers import load_policy
from radixlint.result.measurement import AnalyzeReport
from radixlint.traffic import CacheAsk, CacheLimits, Request

HOUR_S = 3_600
HEAD = "alpha beta gamma delta " * 500
"""About 2,000 tokens: above a minimum of 1,024, below one of 4,096."""


def measured(tmp_path: Path, engine: str, records: list[dict[str, Any]], **policy: Any) -> AnalyzeReport:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return analyze([str(log)], AnalyzeOptions(PolicyOptions(engine=engine, **policy), top=0))


def told_limits(report: AnalyzeReport) -> list[str]:
    return [note for note in report.notes if note.startswith("Limits differ")]


def lost(report: AnalyzeReport, cause: str) -> int:
    return sum(entry.tokens for entry in report.waterfall if entry.cause == cause)


def claude(model: str, text: str) -> dict[str, Any]:
    system = [{"type": "text", "text": HEAD, "cache_control": {"type": "ephemeral"}}]
    return {"model": model, "max_tokens": 9, "system": system, "messages": [{"role": "user", "content": text}]}


def gpt(model: str, text: str, at_s: float | None = None, *, is_marked: bool = False, **asked: Any) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": HEAD}
    if is_marked:
        block["prompt_cache_breakpoint"] = {"mode": "explicit"}
    body = {"model": model, "messages": [{"role": "system", "content": [block]}, {"role": "user", "content": text}], **asked}
    return body if at_s is None else {"timestamp": at_s, "request": body}


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 3, 0, 1), (0, 2, 1, 3)])
def test_each_model_has_its_own_minimum(tmp_path: Path, order: tuple[int, ...]) -> None:
    """Sonnet 4.5 caches from 1,024 tokens on and Opus 4.6 from 4,096: of a 2,000-token head only Sonnet's second reads it."""
    records = [claude(model, text) for model in ("claude-sonnet-4-5", "claude-opus-4-6") for text in "ab"]
    report = measured(tmp_path, "anthropic", [records[at] for at in order])
    read = [row.engine_tokens for row in report.rows]

    assert [bool(read[order.index(at)]) for at in range(4)] == [False, True, False, False]
    assert told_limits(report) == [
        "Limits differ by model or request: minimum 1,024 to 4,096 tokens; the engine is named with those of the usual model."
    ]


def test_minimums_of_a_cache_without_marks_are_by_model_too(tmp_path: Path) -> None:
    """Gemini 2.5 caches from 2,048 tokens on and Gemini 3 from 4,096: the same head of 3,000 hits at one of them only."""
    head = "alpha beta gamma delta " * 750
    records = [
        {"model": model, "messages": [{"role": "user", "content": head + text}]}
        for model in ("gemini-2.5-pro", "gemini-3.1-pro", "gemini-2.5-pro", "gemini-3.1-pro")
        for text in "a"
    ]
    report = measured(tmp_path, "gemini", records)

    assert [bool(row.engine_tokens) for row in report.rows] == [False, False, True, False]
    assert lost(report, "below-minimum") > 2_048


def test_each_model_has_its_own_time_to_live(tmp_path: Path) -> None:
    """GPT-4o forgets after ten minutes and GPT-5.5 after a day: an hour later only the second hits."""
    records = [gpt(model, "a", at_s) for at_s in (1_000, 1_000 + HOUR_S) for model in ("gpt-4o", "gpt-5.5")]
    report = measured(tmp_path, "openai-legacy", records)

    assert [bool(row.engine_tokens) for row in report.rows] == [False, False, False, True]
    assert lost(report, "ttl") > 1_024
    assert "time to live 600 to 86,400 s" in told_limits(report)[0]


def test_mode_explicit_without_a_mark_is_no_caching(tmp_path: Path) -> None:
    """GPT-5.6 puts no mark of its own there: two equal requests share all and hit nothing, and no write is billed."""
    report = measured(
        tmp_path, "openai-breakpoint", [gpt("gpt-5.6", "a", prompt_cache_options={"mode": "explicit"}) for _ in range(2)]
    )

    assert report.engine_tokens == 0
    assert lost(report, "marker") == report.shareable_tokens != 0
    assert [bill.now_factor for bill in report.money] == [1.0]
    assert "no implicit cache mark in 2 of 2 requests" in told_limits(report)[0]


def test_mode_explicit_with_a_mark_writes_up_to_it_only(tmp_path: Path) -> None:
    """What stands behind the last explicit mark is plain input: less is written than with the implicit mark behind it."""
    options = [{}, {"prompt_cache_options": {"mode": "explicit"}}]
    implicit, explicit = (
        measured(tmp_path, "openai-breakpoint", [gpt("gpt-5.6", text * 400, is_marked=True, **asked) for text in ("a ", "b ")])
        for asked in options
    )

    assert explicit.engine_tokens == implicit.engine_tokens != 0
    assert (explicit.money[0].billed.written_tokens or 0) < (implicit.money[0].billed.written_tokens or 0)


@pytest.mark.parametrize(("asked", "is_hit"), [({"ttl": "12h"}, True), ({"ttl": "30m"}, False), ({}, False)])
def test_the_time_to_live_that_the_options_ask_for(tmp_path: Path, asked: dict[str, str], is_hit: bool) -> None:
    """GPT-5.6, an hour apart: twelve hours asked for keep the head, at the price of long writes; thirty minutes do not."""
    records = [gpt("gpt-5.6", "a", at_s, is_marked=True, prompt_cache_options=asked) for at_s in (1_000, 1_000 + HOUR_S)]
    report = measured(tmp_path, "openai-breakpoint", records)
    billed = report.money[0].billed

    assert bool(report.engine_tokens) is is_hit
    assert billed.written_long_tokens == (billed.written_tokens if is_hit else 0)


@pytest.mark.parametrize(("retention", "is_hit"), [("24h", True), ("in_memory", False), (None, False), (7, False)])
def test_the_retention_of_older_models(tmp_path: Path, retention: object, is_hit: bool) -> None:
    """GPT-5, an hour apart: kept in memory it is gone, 24 hours keep it; what is no retention counts as none."""
    records = [gpt("gpt-5", "a", at_s, prompt_cache_retention=retention) for at_s in (1_000, 1_000 + HOUR_S)]

    assert bool(measured(tmp_path, "openai-legacy", records).engine_tokens) is is_hit


def test_a_use_keeps_what_it_used_for_its_own_time(tmp_path: Path) -> None:
    """One request asks for 24 hours and later ones do not: an hour later they still hit what that one kept."""
    records = [gpt("gpt-5", "a", 1_000, prompt_cache_retention="24h"), gpt("gpt-5", "b", 1_000 + HOUR_S)]

    assert measured(tmp_path, "openai-legacy", records).engine_tokens
    assert not measured(tmp_path, "openai-legacy", [gpt("gpt-5", "a", 1_000), *records[1:]]).engine_tokens


def test_each_generation_takes_its_own_field_only(tmp_path: Path) -> None:
    """GPT-5.6 ignores the older retention, and the models before it the options."""
    new = [gpt("gpt-5.6", "a", at_s, prompt_cache_retention="24h") for at_s in (1_000, 1_000 + HOUR_S)]
    old = [gpt("gpt-5", "a", at_s, prompt_cache_options={"ttl": "12h"}) for at_s in (1_000, 1_000 + HOUR_S)]

    assert measured(tmp_path, "openai-breakpoint", new).engine_tokens == 0
    assert measured(tmp_path, "openai-legacy", old).engine_tokens == 0


def test_the_time_to_live_of_the_user_holds_for_all(tmp_path: Path) -> None:
    """A minute by flag: neither 24 hours of the model nor twelve asked for at a request keep anything for longer."""
    records = [
        gpt(model, "a", at_s, prompt_cache_options={"ttl": "12h"}) for at_s in (0, 120) for model in ("gpt-5.5", "gpt-5.6")
    ]

    for engine in ("openai-legacy", "openai-breakpoint"):
        report = measured(tmp_path, engine, records, ttl_s=60.0)
        assert report.engine_tokens == 0
        assert told_limits(report) == []


def test_several_engines_at_once_are_each_measured_as_alone(tmp_path: Path) -> None:
    """The limits of one engine's models are not those of the next, whichever comes first."""
    log = tmp_path / "log.jsonl"
    records = [claude(model, text) for model in ("claude-sonnet-4-5", "claude-opus-4-6") for text in "ab"]
    log.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    read = read_logs([str(log)])
    for engines in (("anthropic", "vllm", "gemini"), ("sglang", "gemini", "anthropic")):
        variants = [AnalyzeOptions(PolicyOptions(engine=engine), layout="tools-first") for engine in engines]
        together, alone = measure_each(read, variants), [measure(read, variant) for variant in variants]
        assert [report.engine_tokens for report in together] == [report.engine_tokens for report in alone]
        assert [report.waterfall for report in together] == [report.waterfall for report in alone]


def test_requests_without_differences_carry_nothing() -> None:
    """One model, or none named, and no wish that the cache knows of: no limits at all; else only what differs."""
    policy = load_policy("anthropic", model="claude-opus-4-8")
    asks = [CacheAsk(is_explicit=True), CacheAsk(retention_s=86_400.0), None]

    assert limits_of([Request(i, model="claude-opus-4-8") for i in range(3)], policy) == ()
    assert limits_of([Request(i, cache_ask=ask) for i, ask in enumerate(asks)], policy) == ()
    assert limits_of([Request(0), Request(1, model="claude-opus-4-6")], policy) == [None, CacheLimits(min_tokens=4_096)]


def test_a_model_without_a_time_to_live_keeps_what_it_wrote(tmp_path: Path) -> None:
    """A provider file that gives a time to live for the usual model only: what the other one wrote never expires."""
    figure = "{models: [short*], value: 60, source: a test, checked: 2026-11-29}"
    provider = tmp_path / "provider.yaml"
    provider.write_text(f"gemini:\n  models: [short*, long*]\n  ttl_s: [{figure}]\n", encoding="utf-8")
    head = "alpha beta gamma delta " * 1_200
    models = ("short-1", "long-1", "short-1", "long-1", "short-1")
    records = [
        {"timestamp": at_s, "request": {"model": model, "messages": [{"role": "user", "content": head}]}}
        for at_s, model in zip((0, 1, 1_000, 1_001, 9_000), models, strict=True)
    ]
    report = measured(tmp_path, "gemini", records, provider_files=(str(provider),))

    assert [bool(row.engine_tokens) for row in report.rows] == [False, False, False, True, False]
    assert "time to live 60 s to unlimited" in told_limits(report)[0]

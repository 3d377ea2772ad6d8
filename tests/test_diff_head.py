"""What the head of a comparison of logs rests on: its unit, since when, whose names are told, and the time of the split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from made_faults import with_line
from made_logs import USUAL, chat, mix, numbered, rag, write_jsonl
from msgspec import structs
from test_diff_logs import compared, split

from radixlint.api.analyze_options import PolicyOptions
from radixlint.api.compare_options import CompareOptions
from radixlint.api.compared_logs import compare_logs
from radixlint.api.comparing import compare
from radixlint.errors import ConfigError, LogError
from radixlint.result.comparison import Blame, LogComparison, Turn, Unit
from radixlint.result.measurement import Show
from radixlint.traffic import CacheMark, LogRead, Message, Request, ToolCall

HOURLY = replace(USUAL, gap_s=120.0)


def with_clock(requests: Sequence[Request]) -> list[Request]:
    """Return the requests with the time of each in line 1 of its system text."""
    return [with_line(one, f"Now: {datetime.fromtimestamp(one.time_s or 0, UTC):%Y-%m-%d %H:%M:%S}", 1) for one in requests]


def named(found: LogComparison, cause: str) -> tuple[Turn, float | None, str | None]:
    """Return turn, time and request of the one break with this cause."""
    (one,) = (one for one in found.breaks if one.cause == cause)
    return one.turn, one.since_s, one.since_request


@pytest.mark.parametrize(
    ("requests", "gap_s", "unit"), [(60, 150.0, Unit.DAY), (60, 4.0, Unit.THOUSAND), (15, 600.0, Unit.REQUEST)]
)
def test_only_a_log_of_an_hour_and_20_requests_is_scaled_to_a_day(
    requests: int, gap_s: float, unit: Unit, tmp_path: Path
) -> None:
    """Seconds of traffic, or a handful of requests, are no day: tokens are per 1,000 requests or per request."""
    log = rag(2 * requests, 1, replace(USUAL, gap_s=gap_s))

    assert split(tmp_path, log, requests).unit is unit


def test_tokens_per_1000_requests_are_those_of_the_rates(tmp_path: Path) -> None:
    """The cost at equal traffic is the fall of the hit rate, times the tokens that 1,000 later requests have."""
    log = rag(120, 1)
    found = split(tmp_path, [*log[:60], *with_clock(log[60:])], 60)
    per_1000 = found.after.prompt_tokens / found.after.counted_requests * 1000

    assert found.effects.lost_tokens == pytest.approx(found.effects.lost_rate * per_1000, abs=2)
    assert [one.change_tokens for one in found.breaks] == [pytest.approx(found.breaks[0].lost_after_rate * per_1000, abs=2)]


@pytest.mark.parametrize("start", [100, 130])
def test_a_break_that_began_is_dated_by_the_first_request_with_its_cause(start: int, tmp_path: Path) -> None:
    """A clock that came with the split or behind it: the first request that carries one, not the first that broke."""
    log = rag(200, 1)
    found = split(tmp_path, [*log[:start], *with_clock(log[start:])], 100)

    assert named(found, "clock") == (Turn.BEGAN, log[start].time_s, f"r-{start}")
    assert (found.when_s, found.when_request) == (log[start].time_s, f"r-{start}")


def test_a_break_that_began_before_the_split_is_dated_there(tmp_path: Path) -> None:
    """Who splits 20 requests too late is told when it really began: before the split."""
    log = rag(200, 1)
    found = split(tmp_path, [*log[:80], *with_clock(log[80:])], 100)

    assert named(found, "clock") == (Turn.GREW, log[80].time_s, "r-80")
    assert found.when_s == log[80].time_s


def test_what_was_there_before_in_few_grew_with_the_split(tmp_path: Path) -> None:
    """A break in each tenth request that came to be in all of them is dated by the change, and its first sight stays known."""
    log = rag(300, 1)
    few = [with_clock([one])[0] if i % 10 == 5 else one for i, one in enumerate(log[:150])]
    found = split(tmp_path, [*few, *with_clock(log[150:])], 150)
    turn, since_s, request = named(found, "clock")

    assert (turn, since_s, request) == (Turn.GREW, log[150].time_s, "r-150")
    assert [one.first_seen_s for one in found.breaks if one.cause == "clock"] == [log[5].time_s]


def test_a_break_in_one_request_is_listed_and_fails_nothing(tmp_path: Path) -> None:
    """One rewritten answer in a chat is told with its request; no verdict rests on it."""
    log = chat(60, 3)
    long = next(i for i in range(40, 60) if len(log[i].messages) > 4)
    call = Message("assistant", "", (ToolCall(id="c", name="find", arguments='{"a": 1, "b": [1, 2, 3, 4], "c": "harbour"}'),))
    turned = Message("assistant", "", (ToolCall(id="c", name="find", arguments='{"c": "harbour", "b": [1, 2, 3, 4], "a": 1}'),))
    same = [one for one in log if one.session == log[long].session]
    answered = {one.id: call for one in same if len(one.messages) > 2} | {log[long].id: turned}
    changed = [
        structs.replace(one, messages=(*one.messages[:2], answered[one.id], *one.messages[3:])) if one.id in answered else one
        for one in log
    ]
    cut = [one for i, one in enumerate(changed) if one.session != log[long].session or i <= long]
    found = compared(tmp_path, chat(60, 3), cut)
    once = [one for one in found.breaks if one.turn is Turn.ONCE]

    assert [(one.cause, one.requests_after, one.since_request) for one in once] == [("key-order", 1, log[long].id)]
    assert (found.blame, found.is_worse) == (Blame.NOTHING, False)


def test_tenants_are_named_only_with_all_texts(tmp_path: Path) -> None:
    """By default kinds have numbers for tenants; nothing in the report holds a name that nobody asked for."""
    later = [one for one in mix(1800, 2) if one.tenant == "alder" and len(one.messages) == 2][:300]
    before, after = mix(600, 1), numbered([*later, *mix(300, 5)])
    told = {show: compared(tmp_path, before, after, CompareOptions(show=show)) for show in Show}

    assert "alder" in told[Show.TEXT].what
    for show in (Show.SHARED, Show.HASH):
        said = repr((told[show].what, told[show].groups, told[show].notes))
        assert not any(name in said for name in ("alder", "birch", "cedar"))
    assert "tenant" in told[Show.SHARED].grouped_by
    assert any("--show-text" in note for note in told[Show.SHARED].notes)


def test_a_model_of_few_conversations_has_a_number(tmp_path: Path) -> None:
    """A model that five conversations use is named, one of fewer is not: its name may be that of a customer."""
    log = [structs.replace(one, model="ft:small:quillfeather") if one.session == "parcel-chat-0" else one for one in chat(200, 1)]
    found = compared(tmp_path, log, chat(200, 2))

    assert "quillfeather" not in repr(found)
    assert {group.model for group in found.groups} >= {"gpt-4o"}


def test_a_time_of_day_splits_a_log_of_one_day(tmp_path: Path) -> None:
    """HH:MM and HH:MM:SS are UTC on the day of the log, as a date with that time is, and a note says so."""
    log = rag(60, 1, HOURLY)
    at = datetime.fromtimestamp(log[30].time_s or 0, UTC)
    write_jsonl(tmp_path / "log.jsonl", log)
    path = str(tmp_path / "log.jsonl")
    found = [compare([path], CompareOptions(split_at=f"{at:{form}}")) for form in ("%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ")]
    clock, dated = (one for one in found if isinstance(one, LogComparison))

    assert (clock.before, clock.after) == (dated.before, dated.after)
    assert any(f"{at:%Y-%m-%d %H:%M:%S} UTC" in note for note in clock.notes)


def test_a_time_of_day_in_a_log_of_several_days_is_an_error(tmp_path: Path) -> None:
    """Which of the days is meant nobody can know: the error names both and the form with a date."""
    log = rag(60, 1, replace(USUAL, gap_s=7200.0))
    write_jsonl(tmp_path / "log.jsonl", log)

    with pytest.raises(ConfigError, match="is a time of day, and the log runs from"):
        compare([str(tmp_path / "log.jsonl")], CompareOptions(split_at="14:30"))
    with pytest.raises(LogError, match="the log runs from"):
        compare([str(tmp_path / "log.jsonl")], CompareOptions(split_at="2001-01-01"))


def test_marks_that_were_dropped_are_the_prompts_fault(tmp_path: Path) -> None:
    """Where a provider caches at marks alone, requests without them lose by their sender: a break that began, the prompt's."""
    log = rag(120, 1)
    marked = [structs.replace(one, marks=(CacheMark(message=0),)) for one in log[:60]]
    reads = tuple(LogRead("made", len(some), tuple(some), {}) for some in (marked, log[60:]))
    options = CompareOptions(policy=PolicyOptions(engine="anthropic"))
    found = compare_logs((reads[0], reads[1]), options, lambda name: name)

    assert found.blame is Blame.PROMPT
    assert named(found, "marker")[0] in (Turn.BEGAN, Turn.GREW)

"""Two parts of traffic: the parts of a change add up, equal logs have none, and each fault gets the blame that it deserves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_faults import FAULTS
from made_logs import KINDS, USUAL, chat, mix, numbered, rag, write_jsonl
from made_server_faults import SERVER_FAULTS, reported
from msgspec import structs

from radixlint.api.compare_options import CompareOptions
from radixlint.api.compared_effects import Mixture, Row, effects_of, sums_of
from radixlint.api.compared_kinds import Kind
from radixlint.api.compared_logs import compare_logs
from radixlint.api.comparing import compare
from radixlint.errors import ConfigError, LogError
from radixlint.result.comparison import Blame, Effects, LogComparison, Turn
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import Show
from radixlint.traffic import LogRead, Request

Log = Sequence[Request]


def compared(folder: Path, before: Log, after: Log, options: CompareOptions | None = None) -> LogComparison:
    """Write both logs and compare them."""
    paths = [folder / "before.jsonl", folder / "after.jsonl"]
    for path, log in zip(paths, (before, after), strict=True):
        write_jsonl(path, log)
    found = compare([str(path) for path in paths], options or CompareOptions())
    assert isinstance(found, LogComparison)
    return found


def split(folder: Path, log: Log, at: int, options: CompareOptions | None = None) -> LogComparison:
    """Write one log and compare it before and from its ``at``-th request on."""
    write_jsonl(folder / "log.jsonl", log)
    asked = replace(options or CompareOptions(), split_at=str(log[at].time_s))
    found = compare([str(folder / "log.jsonl")], asked)
    assert isinstance(found, LogComparison)
    return found


def parts_of(effects: Effects) -> int:
    """Return the sum of the parts."""
    within = effects.content_tokens + effects.prompt_tokens + effects.engine_tokens
    return effects.volume_tokens + effects.mix_tokens + within


rows = st.builds(
    lambda kind, owner, prompt, uncached, lost, short: Row(
        kind, owner, prompt, round(prompt * uncached), prompt * uncached * lost, prompt * uncached * short
    ),
    st.builds(Kind, st.sampled_from(["m", None]), st.sampled_from("ab"), st.sampled_from("tuv"), st.sampled_from("012")),
    st.integers(0, 9),
    st.integers(1, 100_000),
    st.floats(0, 1),
    st.sampled_from([0.0, 0.2, 0.5]),
    st.floats(0, 0.5),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(rows, min_size=1, max_size=60), st.lists(rows, min_size=1, max_size=60), st.floats(0.01, 9), st.floats(0.01, 9))
def test_the_parts_add_up_exactly(before: list[Row], after: list[Row], days_before: float, days_after: float) -> None:
    """Whatever two parts hold, the parts of the change are integers whose sum is the change, and rates add up to the fall."""
    mixture = Mixture(before, after)
    one, other = sums_of(before), sums_of(after)

    for factors in ((1 / len(before), 1 / len(after)), (1 / days_before, 1 / days_after)):
        effects = effects_of(mixture, factors)
        assert parts_of(effects) == effects.change_tokens
        assert effects.lost_rate == pytest.approx(other.uncached_rate - one.uncached_rate, abs=1e-9)
    assert effects.change_tokens == round(other.uncached_tokens / days_after - one.uncached_tokens / days_before)


@settings(max_examples=50, deadline=None)
@given(st.lists(rows, min_size=1, max_size=60), st.randoms())
def test_equal_parts_differ_in_nothing(some: list[Row], draw: random.Random) -> None:
    """A part against itself has no effect at all, in whatever order its requests stand."""
    effects = effects_of(Mixture(some, draw.sample(some, len(some))), (1.0, 1.0))

    assert effects.change_tokens == parts_of(effects) == 0
    assert effects.lost_rate == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_healthy_log_does_not_change(kind: str, seed: int, tmp_path: Path) -> None:
    """Halves of healthy traffic, as two logs or split at a time, differ by no more than chance."""
    log = KINDS[kind](500, seed)

    for found in (compared(tmp_path, log[:250], log[250:]), split(tmp_path, log, 250)):
        assert (found.blame, found.is_worse) == (Blame.NOTHING, False)
        assert parts_of(found.effects) == found.effects.change_tokens
        assert {one.turn for one in found.breaks} <= {Turn.STAYED}


def test_a_cache_that_warms_up_is_no_change(tmp_path: Path) -> None:
    """A split log whose later half finds more in the real cache for all that was cached before is as before."""
    found = split(tmp_path, reported(rag(500, 3)), 250)

    assert found.rate_after is not None
    assert found.rate_before is not None
    assert found.rate_after > found.rate_before
    assert (found.served, found.blame, found.is_worse) == (Evidence.MEASURED, Blame.NOTHING, False)


@pytest.mark.parametrize("count", [3, 30, 300])
def test_a_log_against_itself(count: int, tmp_path: Path) -> None:
    """However small a log is, against itself nothing changed."""
    log = chat(count, 5)
    found = compared(tmp_path, log, log)

    assert (found.blame, found.is_worse, found.effects.change_tokens) == (Blame.NOTHING, False, 0)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_of_the_prompt_is_blamed_on_the_prompt(fault, tmp_path: Path) -> None:
    """A fault that begins with the later part is the prompt's, worse, and told by the cause and place of its break."""
    healthy = KINDS[fault.kind](500, 7)
    whole = fault.inject(healthy, 1.0, random.Random(5)).requests
    after = [request for request in whole if (request.time_s or 0) > (healthy[249].time_s or 0)]
    found = compared(tmp_path, healthy[:250], after)
    began = [one for one in found.breaks if one.turn is Turn.BEGAN]

    assert (found.blame, found.is_worse) == (Blame.PROMPT, True)
    assert began
    assert found.effects.prompt_rate > 0
    assert found.when_s is not None
    assert found.when_s >= (after[0].time_s or 0)
    assert parts_of(found.effects) == found.effects.change_tokens


@pytest.mark.parametrize("name", ["clock-second", "tool-order", "window"])
def test_a_fault_that_ends_is_no_loss(name: str, tmp_path: Path) -> None:
    """The same two logs the other way round: the break ended, and nothing is worse."""
    (fault,) = (one for one in FAULTS if one.name == name)
    healthy = KINDS[fault.kind](500, 7)
    faulty = fault.inject(healthy, 1.0, random.Random(5)).requests
    found = compared(tmp_path, faulty[:250], healthy[250:])

    assert (found.blame, found.is_worse) == (Blame.PROMPT, False)
    assert found.effects.lost_tokens < 0
    assert Turn.ENDED in {one.turn for one in found.breaks}


@pytest.mark.parametrize("fault", SERVER_FAULTS, ids=lambda fault: fault.name)
def test_a_fault_of_the_server_is_not_blamed_on_the_prompt(fault, tmp_path: Path) -> None:
    """Shareable stays and reported falls: engine or provider, with the cause that cleared the prompts."""
    made = fault.inject(KINDS[fault.kind](300, 7), 1.0, random.Random(5))
    half = len(made.mended) // 2
    found = compared(tmp_path, made.mended[:half], made.requests[half:])

    assert (found.blame, found.is_worse, found.served) == (Blame.ENGINE, True, Evidence.MEASURED)
    assert found.cleared[0].cause == fault.causes[0].value
    assert found.cleared[0].turn is Turn.BEGAN


def test_other_shares_of_tenants_are_the_mix(tmp_path: Path) -> None:
    """More requests of a kind that shares little: the rate falls, and with the old mix it would have stayed."""
    usual, later = mix(600, 1), mix(300, 5)
    lone = [one for one in mix(1800, 2) if one.tenant == "alder" and len(one.messages) == 2][:300]
    found = compared(tmp_path, usual, numbered([*lone, *later]), CompareOptions(show=Show.TEXT))

    assert found.blame is Blame.MIX
    assert found.rate_before is not None
    assert found.same_mix_rate == pytest.approx(found.rate_before, abs=0.01)
    assert "alder" in found.what


def test_longer_and_shorter_sessions_are_the_mix(tmp_path: Path) -> None:
    """Sessions of many questions instead of one or two move the rate by their share."""
    found = compared(tmp_path, chat(400, 2, replace(USUAL, turns=(1, 2))), chat(400, 1, replace(USUAL, turns=(8, 12))))

    assert "depth" in found.grouped_by
    assert (found.blame, found.is_worse) == (Blame.MIX, True)
    assert "answers" in found.what


def test_a_new_release_of_the_whole_prompt_is_no_break(tmp_path: Path) -> None:
    """A deploy that changes the instructions once costs one cold start, which is not counted."""
    found = compared(tmp_path, chat(300, 1), chat(300, 2, tenant="later"))

    assert (found.blame, found.is_worse) == (Blame.NOTHING, False)


def test_cold_requests_are_told_and_left_out(tmp_path: Path) -> None:
    """The first request of each application and of each resumed session does not count; --cold N replaces the former."""
    log = chat(300, 4)
    found = split(tmp_path, log, 150)
    seen: set[str | None] = set()
    resumed = [one for one in log[150:] if one.session not in seen and not seen.add(one.session) and len(one.messages) > 2]
    first = split(tmp_path, log, 150, CompareOptions(cold_requests=40))

    assert found.before.cold.first_requests == 1
    assert found.after.cold.first_requests + found.after.cold.resumed_requests == len(resumed) + (log[150] not in resumed)
    assert first.before.cold.first_requests == first.after.cold.first_requests == 40
    assert first.before.counted_requests == 150 - 40 - first.before.cold.resumed_requests


def test_the_order_of_files_in_a_part_does_not_matter(tmp_path: Path) -> None:
    """A part may be a folder of files: how they are named changes nothing."""
    log, found = mix(400, 3), []
    for names in ("abc", "cab"):
        folder = tmp_path / names / "after"
        folder.mkdir(parents=True)
        for i, name in enumerate(names):
            write_jsonl(folder / f"{name}.jsonl", log[200:][i::3])
        write_jsonl(tmp_path / "before.jsonl", log[:200])
        found.append(compare([str(tmp_path / "before.jsonl"), str(folder)], CompareOptions()))

    assert found[0] == found[1]


def test_small_logs_say_that_too_little_is_known(tmp_path: Path) -> None:
    """With a handful of requests no change is claimed, least of all against one request."""
    for before in (1, 8):
        found = compared(tmp_path, rag(before, 1), rag(60, 2))
        assert (found.blame, found.is_worse) == (Blame.UNKNOWN, False)


def test_counts_alone_are_compared_but_not_explained() -> None:
    """Logs without prompts give reported rates; a fall within each kind stays unexplained."""
    some = reported(rag(200, 1))
    bare = [structs.replace(one, messages=(), tools=()) for one in some]
    worse = [structs.replace(one, usage=structs.replace(one.usage, cached_tokens=0)) for one in bare if one.usage]
    before, after = (LogRead("made", len(log), tuple(log), {}) for log in (bare, worse))
    found = compare_logs((before, after), CompareOptions(), lambda name: name)

    assert found.after.hit_rate.reported == 0
    assert (found.blame, found.is_worse) == (Blame.UNKNOWN, True)


@pytest.mark.parametrize("time", ["yesterday", "2001-01-01", "2099-01-01"])
def test_a_time_that_splits_nothing(time: str, tmp_path: Path) -> None:
    """A wrong time, or one with all requests on one side, is an error that says so."""
    write_jsonl(tmp_path / "log.jsonl", chat(30, 1))

    with pytest.raises((ConfigError, LogError), match=r"no time|all requests are"):
        compare([str(tmp_path / "log.jsonl")], CompareOptions(split_at=time))

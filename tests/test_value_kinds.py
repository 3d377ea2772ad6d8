"""What a changing value is: tables of spellings, seeded logs of each kind, and controls that must not be blamed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from radixlint.explain.value_kinds import ValueKind, value_kind
from radixlint.result.cause import Cause, Confidence
from tests.value_logs import CLOCK_FORMS, FIRST, GENERATORS, NOBODY, Owner, clock_log

SEEDS = range(24)


def kind(values: Sequence[str], times_s: Sequence[float | None] = (), groups: Sequence[Owner] = ()) -> ValueKind:
    """Judge ``values``; times and groups are unknown unless given."""
    return value_kind(values, times_s or [None] * len(values), groups or [NOBODY] * len(values))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_a_seeded_log_of_each_kind_is_named(name: str, seed: int) -> None:
    """Each generated log gets its own cause; controls get unknown, with low confidence."""
    make, cause = GENERATORS[name]
    values, times_s, groups = make(random.Random(f"{name} {seed}"))
    found = value_kind(values, times_s, groups)

    assert found.cause is cause, (found, values[:6])
    assert found.distinct == len(set(values))
    assert (found.confidence is Confidence.LOW) is (cause is Cause.UNKNOWN)


BITS = [f"{random.Random(seed).getrandbits(64):016x}" for seed in range(40)]
TABLE: dict[str, tuple[list[str], Cause, str, Confidence]] = {
    "two times": (["2026-03-03T08:14:09Z", "2026-03-03T08:15:19Z"], Cause.CLOCK, "second", Confidence.MEDIUM),
    "minutes that stand": (["08:14", "08:14", "08:15", "08:15"], Cause.CLOCK, "minute", Confidence.MEDIUM),
    "seconds always zero": ([f"2026-03-03T08:{n}:00Z" for n in range(10, 18)], Cause.CLOCK, "minute", Confidence.HIGH),
    "midnights": ([f"2026-03-{n}T00:00:00Z" for n in range(10, 18)], Cause.CLOCK, "day", Confidence.HIGH),
    "past midnight": (
        ["23:58:01", "23:59:11", "00:01:40", "00:02:02", "00:04:55", "00:06:00"],
        Cause.CLOCK,
        "second",
        Confidence.HIGH,
    ),
    "a time and a mode": (
        [f"08:{n}:09, {('dark', 'light')[n % 2]}" for n in range(14, 30)],
        Cause.CLOCK,
        "second",
        Confidence.HIGH,
    ),
    "any dates": (["2025-04-02", "2024-11-30", "2025-09-13", "2023-01-08", "2025-02-20"], Cause.CLOCK, "day", Confidence.MEDIUM),
    "a day and an id": ([f"2026-03-03 [{bits}]" for bits in BITS[:9]], Cause.ID, "hex", Confidence.HIGH),
    "an address": ([f"<Agent object at 0x7f{bits[:10]}>" for bits in BITS[:9]], Cause.ID, "hex", Confidence.HIGH),
    "joined words": (
        ["brave-otter", "calm-lion", "dizzy-newt", "eager-crab", "fancy-wolf"],
        Cause.ID,
        "words",
        Confidence.MEDIUM,
    ),
    "random fractions": ([str(random.Random(n).random()) for n in range(9)], Cause.ID, "number", Confidence.MEDIUM),
    "an id for two requests each": ([bits for bits in BITS[:8] for _ in "ab"], Cause.ID, "hex", Confidence.MEDIUM),
    "two ids": (BITS[:2], Cause.ID, "hex", Confidence.LOW),
    "turns": (["turn 1", "turn 2", "turn 3"], Cause.COUNTER, "number", Confidence.MEDIUM),
    "cost": (["$0.0132", "$0.0289", "$0.0411", "$0.0502", "$0.0777", "$0.0912"], Cause.COUNTER, "number", Confidence.HIGH),
    "two numbers": (["17", "18"], Cause.COUNTER, "number", Confidence.LOW),
    "there and back": (["dark", "light", "dark"], Cause.LIVE_STATE, "words", Confidence.MEDIUM),
    "branches": (["main"] * 8 + ["fix"] * 9 + ["main"] * 5 + ["docs"] * 7, Cause.LIVE_STATE, "words", Confidence.MEDIUM),
    "branches once each": (["main"] * 8 + ["fix"] * 9 + ["dev"] * 5 + ["docs"] * 7, Cause.LIVE_STATE, "words", Confidence.MEDIUM),
    "hashes that come back": ([BITS[n % 3] for n in range(30)], Cause.LIVE_STATE, "hex", Confidence.MEDIUM),
    "free memory": ([f"{n} MB" for n in (8123, 8071, 8110, 7990, 8044, 8101)], Cause.LIVE_STATE, "number", Confidence.MEDIUM),
    "two words": (["dark", "light"], Cause.UNKNOWN, "words", Confidence.LOW),
    "names of nobody known": (
        ["Ada Moss", "Kim Lee", "Bo Silva", "Cy Weber", "Di Novak"],
        Cause.UNKNOWN,
        "words",
        Confidence.LOW,
    ),
    "two deploys": (["4.1.0"] * 8 + ["4.2.0"] * 9 + ["4.3.0"] * 5, Cause.UNKNOWN, "number", Confidence.LOW),
    "questions that come back": (["When does it open?", "Where is it?"] * 12, Cause.UNKNOWN, "words", Confidence.LOW),
}


@pytest.mark.parametrize("name", sorted(TABLE))
def test_values_without_owners_or_times_are_judged_by_themselves(name: str) -> None:
    """Cause, detail and confidence are as the table says."""
    values, *expected = TABLE[name]
    found = kind(values)

    assert [found.cause, found.detail, found.confidence] == expected


OWN_TENANT = "text of the tenant, one per tenant"
OWN_USER = "text of the user, one per user"
COMES_BACK = "a state that comes back, 2 values in 36 requests"
BOUND = Cause.TENANT_BEFORE_SHARED


def owners(tenants: int, users: int, sessions: int, requests: int = 36) -> list[Owner]:
    """Return owners that take turns."""
    return [(f"t{n % tenants}", f"u{n % users}", f"s{n % sessions}") for n in range(requests)]


@pytest.mark.parametrize(
    ("groups", "values", "cause", "what"),
    [
        (owners(3, 6, 18), [BITS[n % 3] for n in range(36)], BOUND, OWN_TENANT),
        (owners(1, 6, 18), [BITS[n % 6] for n in range(36)], BOUND, OWN_USER),
        (owners(1, 1, 6), [BITS[n % 6] for n in range(36)], Cause.ID, "an id (hex), one per session"),
        (owners(1, 6, 6), [BITS[n % 6] for n in range(36)], Cause.ID, "an id (hex), one per user"),
        (owners(1, 6, 6), [FIRST.split()[n % 6] for n in range(36)], BOUND, OWN_USER),
        (owners(1, 6, 18), [f"2025-0{n % 6 + 1}-11" for n in range(36)], BOUND, OWN_USER),
        (owners(2, 6, 18), ["de" if n % 2 else "en" for n in range(36)], BOUND, OWN_TENANT),
        (owners(1, 6, 18), ["de" if n % 5 else "en" for n in range(36)], Cause.LIVE_STATE, COMES_BACK),
    ],
)
def test_owners_decide_where_they_explain_the_values(groups: list[Owner], values: list[str], cause: Cause, what: str) -> None:
    """What a tenant or user keeps over sessions is its own text, random or not; one random value per session is an id."""
    found = kind(values, (), groups)

    assert (found.cause, found.what) == (cause, what)


def test_two_tenants_after_each_other_may_be_a_rollout() -> None:
    """A value that changes once, together with the tenant, is not blamed on either; taken in turns it is the tenants'."""
    one, other = ("a", None, None), ("b", None, None)
    groups: list[Owner] = [*[one] * 9, *[other] * 9]
    values = ["Acme"] * 9 + ["Bolt"] * 9

    assert kind(values, (), groups).cause is Cause.UNKNOWN
    assert kind(values[::9] * 9, (), groups[::9] * 9).cause is BOUND


def test_times_of_the_requests_decide_between_a_clock_and_a_start_time() -> None:
    """A time that changes once with the requests' times is a clock; one that stands while they go on is none."""
    values = ["2026-03-03 08h14"] * 4 + ["2026-03-03 09h14"] * 4
    base = datetime(2026, 3, 3, 8, 14, tzinfo=UTC).timestamp()

    assert kind(values, [base + n for n in range(4)] + [base + 3_600 + n for n in range(4)]).cause is Cause.CLOCK
    assert kind(values, [base + 600 * n for n in range(8)]).cause is Cause.UNKNOWN


def test_the_phrase_for_people_holds_nothing_of_the_values() -> None:
    """No word and no number but counts goes from the values to the phrase (the word request is its own)."""
    for name, (make, _) in GENERATORS.items():
        values, times_s, groups = make(random.Random(name))
        found = value_kind(values, times_s, groups)
        counts = {str(found.distinct), str(len(values))}
        parts = {part for value in values for part in re.findall(r"\w{3,}|\d+", value)} - counts - {"request"}

        assert parts.isdisjoint(re.findall(r"\w+", found.what))


@pytest.mark.parametrize("form", sorted(CLOCK_FORMS))
def test_a_clock_in_any_spelling_has_its_granularity_and_is_sure(form: str) -> None:
    """Every spelling of a time that rises with the requests is a clock of its granularity with high confidence."""
    for seed in SEEDS:
        values, times_s, groups = clock_log(random.Random(seed), form)
        found = value_kind(values, times_s, groups)

        assert (found.cause, found.detail, found.confidence) == (Cause.CLOCK, CLOCK_FORMS[form][0], Confidence.HIGH), values[:4]

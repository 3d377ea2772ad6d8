"""What stays of a line: cut at the borders of values, times taken whole, and found again in other lines."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from radixlint.explain.clock_values import clocks_in, date_only
from radixlint.explain.line_skeleton import Skeleton, merged, skeleton, value


@pytest.mark.parametrize(
    ("before", "after", "head", "tail"),
    [
        ("Clock: 2026-03-03T08:14:09Z", "Clock: 2026-03-03T08:14:10Z", "Clock: ", ""),
        ("Now 2026-03-03 08:14:09, be brief", "Now 2026-03-03 08:15:02, be brief", "Now ", ", be brief"),
        ("Now (March 3, 2026 08:14 AM)", "Now (March 3, 2026 08:15 AM)", "Now (", ")"),
        ("Date: 2026-03-03, time: 08:14", "Date: 2026-03-04, time: 09:20", "Date: ", ""),
        ("pid 4711, 3 jobs", "pid 4712, 5 jobs", "pid ", " jobs"),
        ('{"request_id": "9f1c22d0", "v": 1}', '{"request_id": "9f1c77aa", "v": 1}', '{"request_id": "', '", "v": 1}'),
        ("Mode: dark", "Mode: ", "Mode: ", ""),
        ("a b c", "a x b c", "a ", "b c"),
        ("battery 87%", "battery 86%", "battery ", ""),
        ("dark mode", "light mode", "", " mode"),
        ("id: 9f1c\nstep 3\nend", "id: 77ab\nstep 4\nend", "id: ", "\nend"),
        ("same", "same", "same", ""),
        ("", "new", "", ""),
    ],
)
def test_a_skeleton_is_cut_at_the_borders_of_values(before: str, after: str, head: str, tail: str) -> None:
    """The value between head and tail is whole in both lines, from the first change to the last; the order is no matter."""
    found = skeleton(before, after)

    assert found == Skeleton(head, tail)
    assert skeleton(after, before) == found


def test_values_are_found_in_the_lines_that_fit_and_only_there() -> None:
    """A line that fits gives the range of its value, even an empty one; a line with other fixed text gives None."""
    around = skeleton("Mode: dark (set)", "Mode: light (set)")

    assert value("Mode: very bright (set)", around) == (6, 17)
    assert value("Mode:  (set)", around) == (6, 6)
    assert value("Mood: dark (set)", around) is None
    assert value("Mode: dark", around) is None
    assert value("ab", Skeleton("ab", "b")) is None


def test_skeletons_of_many_versions_become_one() -> None:
    """The merged skeleton fits all lines; a value that no pair alone shows whole is whole then."""
    lines = ["Now 08:14, mode dark, go", "Now 08:15, mode dark, go", "Now 08:15, mode light, go"]
    pairs = [skeleton(one, other) for one, other in pairwise(lines)]

    assert merged(pairs) == Skeleton("Now ", ", go")
    assert merged(pairs[:1]) == pairs[0]
    assert merged([Skeleton("job 9f1c ", ""), Skeleton("job 9f77 ", "")]) == Skeleton("job ", "")


@pytest.mark.parametrize("seed", range(20))
def test_every_line_fits_its_skeleton(seed: int) -> None:
    """For random lines of words, marks and times, head, value and tail put each line together, before and after merging."""
    rng = random.Random(seed)
    parts = ["at ", "2026-03-03", " 08:14", ":09", ", ", "mode", "=", "x", " ", "7", "\n", "9f1c22d0", "(", ")", "é", "03"]
    for _ in range(300):
        lines = ["".join(rng.choices(parts, k=rng.randrange(12))) for _ in range(4)]
        skeletons = [skeleton(lines[0], line) for line in lines]
        for around, fitting in [
            *((s, [lines[0], line]) for s, line in zip(skeletons, lines, strict=True)),
            (merged(skeletons), lines),
        ]:
            for line in fitting:
                span = value(line, around)
                assert span is not None
                assert around.head + line[span[0] : span[1]] + around.tail == line


FORMS = [
    ("2026-03-03T08:14:09Z", "second", "2026-03-03"),
    ("2026-03-03T08:14:09.123+01:00", "millisecond", "2026-03-03"),
    ("2026-03-03 08:14:09 [Europe/Berlin]", "second", "2026-03-03"),
    ("2026/03/03 08:14", "minute", "2026/03/03"),
    ("2026-03-03_08-14-09", "second", "2026-03-03"),
    ("20260303T081409Z", "second", "20260303"),
    ("Tue, 03 Mar 2026 08:14:09 +0000", "second", "Tue, 03 Mar 2026"),
    ("Tue Mar  3 08:14:09 2026", "second", "Tue Mar  3 2026"),
    ("Tue Mar  3 08:14:09 UTC 2026", "second", "Tue Mar  3 2026"),
    ("March 3, 2026 08:14 AM", "minute", "March 3, 2026"),
    ("Tuesday, March 3rd, 2026 at 8:14 a.m.", "minute", "Tuesday, March 3rd, 2026"),
    ("08:14 on March 3, 2026", "minute", "March 3, 2026"),
    ("3-Mar-2026 8 AM", "hour", "3-Mar-2026"),
    ("03/03/2026, 08:14", "minute", "03/03/2026"),
    ("03.03.2026 08:14:09", "second", "03.03.2026"),
    ("Dienstag, 3. März 2026 um 08:14 Uhr", "minute", "Dienstag, 3. März 2026"),
    ("mardi 3 mars 2026 à 08h14", "minute", "mardi 3 mars 2026"),
    ("martes, 3 de marzo de 2026 a las 08:14", "minute", "martes, 3 de marzo de 2026"),
    ("2026年3月3日 星期二 上午8:14", "minute", "2026年3月3日 星期二"),
    ("2026年3月3日08時14分09秒", "second", "2026年3月3日"),
    ("2026년 3월 3일 오전 8:14", "minute", "2026년 3월 3일"),
    ("1772525649", "second", "1772496000"),
    ("1772525649123", "millisecond", "1772496000000"),
    ("08:14:09", "second", None),
    ("2026-03-03", "day", None),
    ("Tuesday, March 3, 2026", "day", None),
    ("Di., 3. März 2026", "day", None),
    ("Tuesday", "day", None),
]


@pytest.mark.parametrize(("text", "granularity", "date"), FORMS)
def test_times_are_read_in_the_forms_people_write(text: str, granularity: str, date: str | None) -> None:
    """Each form is one clock from its first to its last character, on the same day and minute, and can be cut to its date."""
    line = f"Now: {text}, go on"
    (clock,) = clocks_in(line)

    assert line[clock.start : clock.end] == text
    assert clock.granularity == granularity
    assert clock.days in (None, 20_515)
    assert clock.day_s is None or clock.day_s + (3_600 if "+01:00" in text else 0) >= 8 * 3_600
    assert date_only(line) == (None if date is None else f"Now: {date}, go on")


@pytest.mark.parametrize(
    "text",
    [
        "2026-13-45",
        "3.12.11",
        "10.12.20.26",
        "you may want 3",
        "v2026.3.3-abc",
        "Sun is up",
        "9f1c22d0",
        "12:61",
        "gpt-4",
        "run-20260303-081409-ab12",
    ],
)
def test_what_is_no_time_is_not_read_as_one(text: str) -> None:
    """Versions, addresses, ids that hold digits of a date, and words that are also names of months or days are no times."""
    assert clocks_in(text) == []
    assert date_only(text) is None


def test_a_date_apart_from_its_time_stays_with_all_text_around() -> None:
    """Only the time of day goes; a label in front of it stays."""
    assert date_only("2026-03-03, time: 08:14:09 (night)") == "2026-03-03, time:  (night)"


def test_day_first_is_the_readers_choice() -> None:
    """A date that may be read in two ways is read as asked; one that cannot be the other is read right in both."""
    (month_first,), (day_first,) = (clocks_in("04/03/2026", is_day_first=flag) for flag in (False, True))

    assert month_first.days is not None
    assert day_first.days is not None
    assert month_first.days - day_first.days == 31 - 1
    assert clocks_in("13/03/2026") == clocks_in("13/03/2026", is_day_first=True)


@pytest.mark.parametrize(
    ("text", "granularity", "dated"),
    [
        ("run=20260302100512", "second", "run=20260302"),
        ("run-20260302100512.log", "second", "run-20260302.log"),
        ("batch_202603021005", "minute", "batch_20260302"),
        ("20260302100512123Z", "millisecond", "20260302"),
        ("20260302100512+0100 go", "second", "20260302 go"),
    ],
)
def test_times_without_separators_are_read(text: str, granularity: str, dated: str) -> None:
    """Date and time as one number are one clock, whose time of day can be left out."""
    assert [clock.granularity for clock in clocks_in(text)] == [granularity]
    assert date_only(text) == dated


@pytest.mark.parametrize(
    "text", ["id 20261302100512", "id 20260302106012", "a20260302100512", "20260302100512345678901", "7" * 14]
)
def test_numbers_that_are_no_time_are_none(text: str) -> None:
    """A number whose digits are no calendar date and time, or which goes on, is no clock."""
    assert clocks_in(text) == []

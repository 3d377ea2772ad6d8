"""A part of a log: since a time, and a sample of whole sessions that is the same every time; and the order of requests."""

from __future__ import annotations

import pytest
from log_records import asking, json_lines, read_bytes

from radixlint.errors import ConfigError, LogError
from radixlint.logs._request_order import in_order
from radixlint.traffic import LogRead, Request

SESSIONS = json_lines(*(asking(i, session=f"s{i % 50}", ts=i) for i in range(500)))


def sessions(log: LogRead) -> dict[str | None, int]:
    counts: dict[str | None, int] = {}
    for request in log.requests:
        counts[request.session] = counts.get(request.session, 0) + 1
    return counts


def test_since_leaves_out_what_is_older_or_without_a_time() -> None:
    """Requests since a time are kept, the others are counted in a note, and all records count as read."""
    log = read_bytes(json_lines(asking(0, ts=10), asking(1, ts=20), asking(2, ts=30), asking(3)), since_s=20)

    assert [request.id for request in log.requests] == ["r1", "r2"]
    assert (log.records, log.records_read, log.is_sampled) == (4, 4, True)
    assert any("2 requests were left out by --since, 1 of them without a time" in note for note in log.notes)


def test_a_sample_is_of_whole_sessions_and_the_same_every_time() -> None:
    """A session is in the sample with all its requests or not at all; a larger sample holds the smaller one."""
    small, large = (read_bytes(SESSIONS, sample_rate=rate) for rate in (0.3, 0.6))

    assert set(sessions(small).values()) == set(sessions(large).values()) == {10}
    assert set(sessions(small)) < set(sessions(large)) < set(sessions(read_bytes(SESSIONS)))
    assert small == read_bytes(SESSIONS, sample_rate=0.3)
    assert (small.records_read, small.is_sampled) == (500, True)
    assert any(f"Sampled: {len(small.requests)} of 500 requests" in note for note in small.notes)


def test_without_sessions_a_sample_is_by_place() -> None:
    """About the share asked for is kept, by the place in the log, and indices stay those of the whole log."""
    log = read_bytes(json_lines(*(asking(i) for i in range(1000))), sample_rate=0.2)
    whole = read_bytes(json_lines(*(asking(i) for i in range(1000))), sample_rate=1.0)

    assert 150 < len(log.requests) < 250
    assert all(request.id == f"r{request.index}" for request in log.requests)
    assert (len(whole.requests), whole.is_sampled) == (1000, False)


def test_an_empty_part_is_an_error_that_says_so() -> None:
    """Where nothing is left, the error says what was left out and why."""
    with pytest.raises(LogError, match=r"no request is in the part that was asked for.*500 requests were left out by --since"):
        read_bytes(SESSIONS, since_s=1e9)


DAY_S = 1_764_028_800.0
"""Midnight of a day, UTC."""


def at(*hours: float) -> bytes:
    """Return a log of a request at each of these hours since midnight."""
    return json_lines(*(asking(i, ts=DAY_S + 3600 * hour) for i, hour in enumerate(hours)))


def test_a_time_of_day_is_on_the_day_of_the_log() -> None:
    """In a log of one day an hour and minute will do, UTC; a note says as what it was read, and the end is left out."""
    log = read_bytes(at(8, 9, 9.5, 10), since="09:00", until="10:00")

    assert [request.id for request in log.requests] == ["r1", "r2"]
    assert any(note.startswith("09:00 was read as 2025-11-25 09:00:00 UTC") for note in log.notes)
    assert any(note.startswith("10:00 was read as 2025-11-25 10:00:00 UTC") for note in log.notes)
    assert log.is_sampled


@pytest.mark.parametrize("log", [at(8, 33), json_lines(asking(0, ts=10), asking(1, ts=20))], ids=["two-days", "no-date"])
def test_a_time_of_day_in_a_log_without_one_day_is_refused(log: bytes) -> None:
    """Where the log does not tell the day, the error says to write it."""
    with pytest.raises(ConfigError, match="time of day") as error:
        read_bytes(log, since="09:00")

    assert error.value.where == "--since"


def test_a_part_that_leaves_nothing_out_is_whole() -> None:
    """Asking for all there is is no sample."""
    assert not read_bytes(at(8, 9), since="07:00").is_sampled


def made(*times: float | None, hosts: str = "") -> list[Request]:
    return [Request(i, time_s=t, host=hosts[i] if hosts else None) for i, t in enumerate(times)]


def test_requests_held_back_come_in_the_order_of_the_log() -> None:
    """What is complete later than it began stands where it began; equal times keep that order too."""
    assert [r.index for r in in_order(list(reversed(made(None, None, None))))[0]] == [0, 1, 2]
    assert [r.index for r in in_order(list(reversed(made(5, 1, 5, 1))))[0]] == [1, 3, 0, 2]


def test_clocks_that_differ_are_told_with_their_spread() -> None:
    """Hosts that write side by side with times steadily apart have different clocks; each host's own order is kept."""
    times = [60.0 * i - (420 if i % 2 else 0) + 1000 for i in range(40)]
    ordered, notes = in_order(made(*times, hosts="ab" * 20))

    assert len(notes) == 1
    assert "The clocks of two hosts differ by about 420 s" in notes[0]
    assert all([r.index for r in ordered if r.host == host] == list(range(start, 40, 2)) for start, host in enumerate("ab"))


@pytest.mark.parametrize(
    ("times", "hosts"),
    [
        ([float(i) for i in range(40)], "ab" * 20),
        ([float(i + (50 if i % 2 else 0)) for i in range(40)], "ab" * 20),
        ([*range(20), *range(20)], "a" * 20 + "b" * 20),
        (
            [x for day in range(4) for x in (*range(day * 86400, day * 86400 + 5), *range(day * 86400, day * 86400 + 5))],
            "aaaaabbbbb" * 4,
        ),
        ([float((i * 7919) % 5000) for i in range(40)], "ab" * 20),
    ],
)
def test_clocks_that_agree_are_not_accused(times: list[float], hosts: str) -> None:
    """Equal clocks, small delays, files one after the other, files by day and logs in no order are no sign of wrong clocks."""
    assert in_order(made(*times, hosts=hosts))[1] == ()


def test_until_leaves_out_that_moment_and_what_is_later() -> None:
    """Two spans that meet share no request and lose none; of what came later nothing is missing in the cache."""
    rows = json_lines(*(asking(i, ts=i) for i in range(10)))
    early, late = read_bytes(rows, until_s=4), read_bytes(rows, since_s=4)

    assert [request.id for request in (*early.requests, *late.requests)] == [f"r{i}" for i in range(10)]
    assert "6 requests were left out by --until." in early.notes
    assert [request.id for request in read_bytes(rows, since_s=3, until_s=5).requests] == ["r3", "r4"]


def test_sessions_and_models_are_read_by_name() -> None:
    """Only requests of the names given are read; a name that nobody has is told, and that the cache lacks what others left."""
    rows = json_lines(*(asking(i, session=f"s{i % 3}", model=f"m{i % 2}") for i in range(12)))
    log = read_bytes(rows, sessions=("s1", "s2", "s9"), models=("m0",))

    assert [request.id for request in log.requests] == ["r2", "r4", "r8", "r10"]
    assert any(note.startswith("4 requests were left out by --session: what would have been") for note in log.notes)
    assert any(note.startswith("4 requests were left out by --of-model") for note in log.notes)
    assert "No request is of the session 's9'." in log.notes


def test_a_name_that_no_request_has_is_answered_with_the_nearest() -> None:
    """Where a name leaves nothing, the error says how many were left out and names the nearest that there is."""
    with pytest.raises(LogError, match=r"500 requests were left out by --session; did you mean s17\?"):
        read_bytes(SESSIONS, sessions=("s177",))

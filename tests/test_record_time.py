"""Times of a record: units, zones, and what is no time."""

from __future__ import annotations

import pytest

from radixlint.logs._record_time import parse_time


@pytest.mark.parametrize(
    ("value", "time_s", "is_naive"),
    [
        (1796119204, 1796119204.0, False),
        (1796119204000, 1796119204.0, False),
        (1796119204000000, 1796119204.0, False),
        (1796119204000000000, 1796119204.0, False),
        ("1796119204", 1796119204.0, False),
        (0.25, 0.25, False),
        ("1970-01-01T01:00:00+01:00", 0.0, False),
        ("1970-01-01 00:00:02", 2.0, True),
        ("1970-01-01T00:00:00.123456789Z", 0.123456, False),
        ("1970-01-01T23:59:60Z", 86400.0, False),
        ("1970-01-01T02:30:00[Europe/Berlin]", 9000.0, True),
        ("yesterday", None, False),
        ("", None, False),
        (-1, None, False),
        (True, None, False),
        (float("nan"), None, False),
        (float("inf"), None, False),
        ([1], None, False),
        (10**20, None, False),
        (10**400, None, False),
        ("9" * 5000, None, False),
        ("0001-01-01T00:00:00+23:59", -62135683140.0, False),
    ],
)
def test_parse_time(value: object, time_s: float | None, is_naive: bool) -> None:
    """Units are told by size, zones are honoured, naive times are UTC, and nonsense is None."""
    assert parse_time(value) == (time_s, is_naive)

"""Requests of one time: those of one file keep their order, and in which order the files are given does not count."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest
from log_records import asking, json_lines
from made_faults import FAULTS
from made_logs import KINDS, write_jsonl
from msgspec import structs

from radixlint.api.measuring import analyze
from radixlint.logs import read_logs


@pytest.mark.parametrize("seed", range(10))
def test_ties_do_not_depend_on_the_order_of_files(tmp_path: Path, seed: int) -> None:
    """Requests of few times in three files come in one order whatever the order of the files, within a file as written."""
    draw = random.Random(seed)
    times = sorted(draw.choices((1.0, 2.0), k=30))
    paths = [str(tmp_path / f"{k}.jsonl") for k in range(3)]
    for k, path in enumerate(paths):
        lines = [asking(number, ts=at, lone="\ud800") for number, at in enumerate(times) if number % 3 == k]
        Path(path).write_bytes(json_lines(*lines))

    orders = {tuple(request.id for request in read_logs(list(given)).requests) for given in permutations(paths)}

    assert len(orders) == 1
    (order,) = orders
    for k in range(3):
        own = [f"r{number}" for number in range(k, 30, 3)]
        assert [one for one in order if one in own] == own


def test_untimed_requests_stay_in_the_order_of_reading(tmp_path: Path) -> None:
    """Without times the files are read as given, line by line."""
    paths = [str(tmp_path / f"{k}.jsonl") for k in range(2)]
    for k, path in enumerate(paths):
        Path(path).write_bytes(json_lines(asking(2 * k), asking(2 * k + 1)))

    assert [request.id for request in read_logs(paths).requests] == ["r0", "r1", "r2", "r3"]
    assert [request.id for request in read_logs(paths[::-1]).requests] == ["r2", "r3", "r0", "r1"]


def test_the_order_of_files_leaves_the_waterfall_of_ties_alone(tmp_path: Path) -> None:
    """A log with times to five seconds, in three files, has one waterfall and the same breaks in whatever order these come."""
    fault = next(one for one in FAULTS if one.name == "window")
    log = fault.inject(KINDS[fault.kind](60, 17), 1.0, random.Random(1)).requests
    rounded = [structs.replace(one, time_s=(one.time_s or 0.0) // 5 * 5) for one in log]
    paths = [tmp_path / f"{k}.jsonl" for k in range(3)]
    for k, path in enumerate(paths):
        write_jsonl(path, rounded[k::3])

    reports = [analyze([str(path) for path in given]) for given in permutations(paths)]

    assert len({(one.waterfall, one.hit_rate) for one in reports}) == 1
    assert len({tuple((b.cause, b.where, b.lost_tokens, b.examples) for b in one.breaks) for one in reports}) == 1

"""Cold requests and later steps of a turn can be left out of the rate, and are counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from gated_logs import OPEN, faulty, gate, healthy, ids_only, only, usage_only, written
from made_logs import numbered
from msgspec import structs

from radixlint.api.gate_options import GateOptions
from radixlint.api.measuring import analyze
from radixlint.result.gate import GatedRate, Scope

ANY = GateOptions(min_hit_rate=0.001)


def rate_of(log: str, scope: Scope) -> GatedRate:
    rate = gate(log, replace(ANY, scope=scope)).rate
    assert rate is not None
    return rate


def test_warm_leaves_out_one_request_an_application(tmp_path: Path) -> None:
    """Two desks with instructions of their own are two applications: two requests are left out, and the rate rises."""
    both = [*healthy("rag", 20), *(structs.replace(r, namespace="other") for r in healthy("chat", 20, seed=2))]
    log = written(tmp_path / "log.jsonl", numbered(both))

    cold, warm = rate_of(log, Scope()), rate_of(log, Scope(is_warm=True))

    assert [(one.reason, one.requests) for one in warm.left_out] == [("the first of their application", 2)]
    assert warm.requests == cold.requests - 2
    assert (warm.rate or 0) > (cold.rate or 0)


def test_a_fault_does_not_hide_as_a_cold_start(tmp_path: Path) -> None:
    """A new value in each request leaves one application: all but its first request count."""
    rate = rate_of(written(tmp_path / "log.jsonl", faulty("nonce-words")), Scope(is_warm=True))

    assert [one.requests for one in rate.left_out] == [1]


def test_without_texts_a_namespace_is_an_application(tmp_path: Path) -> None:
    """Of token ids, and of usage alone, the first request is left out."""
    ids = ids_only(tmp_path / "ids.jsonl", [list(range(64))] * 4)
    usage = usage_only(tmp_path / "usage.jsonl", [0, 800, 800])

    assert rate_of(ids, Scope(is_warm=True)).requests == 3
    assert rate_of(usage, Scope(is_warm=True)).rate == 0.8


def test_the_first_requests_of_each_session_can_be_left_out(tmp_path: Path) -> None:
    """``skip_first`` leaves out as many of each session as there are, at most N; all of them: could not check."""
    requests = healthy("chat", 60)
    log = written(tmp_path / "log.jsonl", requests)
    sizes = Counter(request.session for request in requests)
    expected = sum(min(2, size) for size in sizes.values())

    assert rate_of(log, Scope(skip_first=2)).left_out[0].requests == expected
    assert gate(log, replace(ANY, scope=Scope(skip_first=max(sizes.values())))).status is OPEN


def test_without_sessions_the_first_of_the_application_are_left_out(tmp_path: Path) -> None:
    """A log that names no session has its first requests left out once."""
    log = written(tmp_path / "log.jsonl", [structs.replace(r, session=None) for r in healthy(requests=20)])

    assert rate_of(log, Scope(skip_first=3)).left_out[0].requests == 3


def test_first_of_turn_is_the_part_that_analyze_shows(tmp_path: Path) -> None:
    """Over the first requests of turns the figures are those of ``turns`` in ``analyze``; other steps are left out."""
    log = written(tmp_path / "log.jsonl", healthy("agent", 60))
    turns = analyze([log]).turns
    assert turns is not None

    rate = rate_of(log, Scope(is_first_of_turn=True))

    assert (rate.rate, rate.requests) == (turns.first.hit_rate.engine, turns.first.requests)
    assert [one.requests for one in rate.left_out] == [turns.later.requests]


def test_first_of_turn_needs_messages(tmp_path: Path) -> None:
    """Token ids do not tell whose turn it is."""
    log = ids_only(tmp_path / "ids.jsonl", [list(range(64))] * 4)

    report = gate(log, replace(ANY, scope=Scope(is_first_of_turn=True)))

    assert only(report, "hit-rate").status is OPEN
    assert "does not tell whose turn" in only(report, "hit-rate").what

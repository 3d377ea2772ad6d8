"""Baselines: how far a rate may fall, which breaks are new, and what does not compare."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gated_logs import BY_NAME, FAILED, OPEN, PASSED, faulty, gate, healthy, ids_only, only, reporting, usage_only, written

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.gate_options import BreakFilter, GateOptions
from radixlint.api.gating import check_log
from radixlint.api.measuring import analyze
from radixlint.reports import TextStyle, analyze_json, baseline_json
from radixlint.result.gate import Scope


def baseline(path: Path, log: str, **changes: Any) -> str:
    """Write the baseline of ``log``, with some fields changed, and return its name."""
    report = gate(log, GateOptions(will_write=True))
    assert report.status is PASSED
    document = json.loads(baseline_json.render(report, TextStyle()))
    path.write_text(json.dumps({**document, **changes}), encoding="utf-8")
    return str(path)


def analyzed(path: Path, log: str, top: int = 5) -> str:
    """Write what ``analyze`` says of ``log``, and return its name."""
    path.write_text(analyze_json.render(analyze([log], AnalyzeOptions(top=top, mend=0)), TextStyle()), encoding="utf-8")
    return str(path)


@pytest.fixture
def log(tmp_path: Path) -> str:
    return written(tmp_path / "log.jsonl", healthy())


@pytest.mark.parametrize("make", [baseline, analyzed])
def test_a_log_is_as_good_as_itself_and_a_fault_is_new(tmp_path: Path, log: str, make: Any) -> None:
    """Against a baseline of its own a log passes; one with a clock in front fails both checks, with the clock to blame."""
    options = GateOptions(baselines=(make(tmp_path / "base.json", log),))
    broken = gate(written(tmp_path / "broken.jsonl", faulty("clock-second")), options)

    assert [check.status for check in gate(log, options).checks] == [PASSED, PASSED]
    assert [(check.name, check.status) for check in broken.checks] == [("baseline-rate", FAILED), ("baseline-breaks", FAILED)]
    assert [check.breaks[0].cause for check in broken.checks] == ["clock", "clock"]


def test_a_known_break_is_not_new(tmp_path: Path) -> None:
    """What the baseline has already does not fail again, and the filters hold for new breaks too."""
    known = written(tmp_path / "known.jsonl", faulty("clock-second"))
    other = written(tmp_path / "other.jsonl", faulty("uuid"))
    options = GateOptions(baselines=(baseline(tmp_path / "base.json", known),))
    filtered = replace(options, counted_breaks=BreakFilter(causes=("tool-order",)))

    assert only(gate(known, options), "baseline-breaks").status is PASSED
    assert only(gate(other, options), "baseline-breaks").breaks[0].cause == "id"
    assert only(gate(other, filtered), "baseline-breaks").status is PASSED


def test_the_rate_may_fall_by_the_tolerance_below_the_median(tmp_path: Path) -> None:
    """Of three baselines the middle one counts; a fall by just the tolerance passes, by more it fails."""
    names = [
        baseline(tmp_path / f"{i}.json", written(tmp_path / f"{i}.jsonl", reporting(healthy(), rate)))
        for i, rate in enumerate((0.2, 0.9, 0.7))
    ]
    options = GateOptions(baselines=tuple(names), tolerance=0.05)
    statuses = {
        rate: only(gate(written(tmp_path / "now.jsonl", reporting(healthy(), rate)), options), "baseline-rate").status
        for rate in (0.65, 0.649)
    }

    assert statuses == {0.65: PASSED, 0.649: FAILED}


def test_a_rate_that_nothing_could_miss_is_no_baseline(tmp_path: Path) -> None:
    """A rate of 0 is not written, and one that less the tolerance is 0 could not be checked: neither could ever fail."""
    none = written(tmp_path / "none.jsonl", reporting(healthy(), 0.0))
    little = baseline(tmp_path / "little.json", written(tmp_path / "little.jsonl", reporting(healthy(), 0.04)))

    assert only(gate(none, GateOptions(will_write=True)), "write-baseline").status is OPEN
    vacuous = only(gate(none, GateOptions(baselines=(little,), tolerance=0.05)), "baseline-rate")
    assert vacuous.status is OPEN
    assert "nothing that a rate could miss" in vacuous.what
    assert only(gate(none, GateOptions(baselines=(little,), tolerance=0.01)), "baseline-rate").status is FAILED


def test_what_an_analysis_did_not_list_is_not_called_new(tmp_path: Path) -> None:
    """Where the baseline lists its largest break alone, a smaller one may have been there; a larger one was not."""
    requests = faulty("clock-second", share=0.5)
    draw = random.Random(3)
    both = BY_NAME["tool-order"].inject(healthy("agent", 60), 0.3, draw).requests
    mixed = written(tmp_path / "mixed.jsonl", [*requests, *both])
    found = analyze([mixed], AnalyzeOptions(mend=0)).breaks
    assert len({place.cause for place in found}) > 1
    options = GateOptions(baselines=(analyzed(tmp_path / "base.json", mixed, top=1),))

    check = only(gate(mixed, options), "baseline-breaks")

    assert check.status is PASSED
    assert "does not list" in check.what
    alone = analyzed(tmp_path / "alone.json", written(tmp_path / "agent.jsonl", healthy("agent")), top=1)
    assert only(gate(mixed, GateOptions(baselines=(alone,))), "baseline-breaks").figure == len(found)


def test_places_in_longer_talks_are_not_new(tmp_path: Path) -> None:
    """Numbers of messages differ with the length of a conversation and make no new place."""
    known = written(tmp_path / "log.jsonl", faulty("edited"))
    name = baseline(tmp_path / "base.json", known)
    document = json.loads(Path(name).read_text(encoding="utf-8"))
    assert document["breaks"]
    for place in document["breaks"]:
        place["where"] = place["where"].replace("messages[", "messages[7")
    Path(name).write_text(json.dumps(document), encoding="utf-8")

    assert only(gate(known, GateOptions(baselines=(name,))), "baseline-breaks").status is PASSED


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"tokenizer": "cl100k_base"}, "tokens of cl100k_base"),
        ({"layout": "raw"}, "layout raw"),
        ({"requests": 1}, "fewer than two"),
        ({"schema_version": 2}, "schema version 2"),
        ({"hit_rate": {"shareable": 2.0, "engine": None, "reported": None}}, "no report"),
        ({"breaks": [{"cause": "clock", "where": "x", "lost_tokens": -1}]}, "no report"),
    ],
)
def test_what_does_not_compare_could_not_be_checked(tmp_path: Path, log: str, changes: dict[str, Any], word: str) -> None:
    """Another tokenizer or layout, too small a log, another version and impossible figures are told, and never a pass."""
    report = gate(log, GateOptions(baselines=(baseline(tmp_path / "base.json", log, **changes),)))

    assert [check.status for check in report.checks] == [OPEN, OPEN]
    assert word in report.checks[0].what


def test_another_engine_could_not_be_checked(tmp_path: Path, log: str) -> None:
    """A baseline under other cache rules does not compare, and the difference is named."""
    name = baseline(tmp_path / "base.json", log)

    report = check_log((log,), GateOptions(baselines=(name,)), AnalyzeOptions(PolicyOptions(block_tokens=64)))

    assert report.status is OPEN
    assert "block_tokens 16 against 64" in report.checks[0].what


@pytest.mark.parametrize("data", [None, b"", b"{", b"[]", b"\xff\xfe", b'{"findings": []}', b'{"x":' * 100_000])
def test_unreadable_baselines_could_not_be_checked(tmp_path: Path, log: str, data: bytes | None) -> None:
    """No file, no JSON, another report, and JSON of any depth: could not check, with the name of the file."""
    path = tmp_path / "base.json"
    if data is not None:
        path.write_bytes(data)

    report = gate(log, GateOptions(baselines=(str(path),)))

    assert report.status is OPEN
    assert report.checks[0].what.startswith(str(path))


def test_a_rate_over_other_requests_is_not_compared(tmp_path: Path, log: str) -> None:
    """Warm against cold: the rates could not be compared, the breaks can."""
    options = GateOptions(baselines=(baseline(tmp_path / "base.json", log),), scope=Scope(is_warm=True))

    assert [check.status for check in gate(log, options).checks] == [OPEN, PASSED]


def test_logs_without_texts_compare_their_rates_alone(tmp_path: Path, log: str) -> None:
    """Counts alone tell no breaks, so there is no check on them; ids tell theirs, which are not those of texts."""
    usage = usage_only(tmp_path / "usage.jsonl", [500, 700, 600])
    ids = ids_only(tmp_path / "ids.jsonl", [[*range(200), i] for i in range(9)])
    own = {one: baseline(tmp_path / f"{i}.json", one) for i, one in enumerate((usage, ids))}

    for name, names in ((usage, ["baseline-rate"]), (ids, ["baseline-rate", "baseline-breaks"])):
        options = GateOptions(baselines=(own[name], analyzed(tmp_path / "analyzed.json", name)))
        assert [(check.name, check.status) for check in gate(name, options).checks] == [(one, PASSED) for one in names]
    against_ids = gate(log, GateOptions(baselines=(own[ids],)))
    assert only(against_ids, "baseline-breaks").status is OPEN


def test_a_baseline_holds_no_text_of_prompts(tmp_path: Path) -> None:
    """The file has causes, places and figures; none of the words around a break."""
    name = baseline(tmp_path / "base.json", written(tmp_path / "log.jsonl", faulty("live-state")))
    document = json.loads(Path(name).read_text(encoding="utf-8"))

    assert document["breaks"]
    assert all(set(place) == {"cause", "where", "lost_tokens"} for place in document["breaks"])

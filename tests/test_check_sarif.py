"""SARIF: valid by the official schema, addresses that any system reads, fingerprints that outlive edits elsewhere."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema
import msgspec
import pytest
from check_values import CLOCK, FIXABLE, LOGGED, NAMES, NOTE, hostile_report, report_of

from radixlint.catalog import load_rules
from radixlint.prompt import Span
from radixlint.reports import TextStyle, check_sarif
from radixlint.result.finding import CheckReport, Edit, Finding, Related
from radixlint.safe_text import safe_line

SCHEMA = Path(__file__).parent / "fixtures" / "sarif" / "sarif-2.1.0.json"
URI = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+\Z")


@cache
def validator() -> Any:
    """Return what checks documents against the official schema."""
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def run_of(report: CheckReport) -> dict[str, Any]:
    """Return the one run of a report, after the schema has passed it."""
    document = json.loads(check_sarif.render(report, TextStyle()))
    assert [error.message for error in validator().iter_errors(document)] == []
    (run,) = document["runs"]
    return dict(run)


def fingerprints(*findings: Finding, **changes: object) -> list[str]:
    """Return the fingerprints of findings, in the order of the results."""
    results = run_of(report_of(*findings, **changes))["results"]
    return [fingerprint for result in results for fingerprint in result["partialFingerprints"].values()]


def test_the_schema_refuses_what_is_wrong() -> None:
    """The validator of these tests does find faults."""
    document = json.loads(check_sarif.render(report_of(CLOCK), TextStyle()))
    document["runs"][0]["results"][0]["level"] = "bad"

    assert [error.instance for error in validator().iter_errors(document)] == ["bad"]


def test_a_result_has_all_that_code_scanning_shows() -> None:
    """Rule, level, message, place, related place, fix and what the finding costs; columns are code points."""
    run = run_of(report_of(LOGGED, FIXABLE, NOTE, rules=load_rules()))
    result = run["results"][0]
    by_id = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}

    assert run["columnKind"] == "unicodeCodePoints"
    assert [found["level"] for found in run["results"]] == ["note", "error", "warning"]
    result = run["results"][1]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "RL201"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "p/a.j2", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 18},
    }
    assert result["relatedLocations"][0]["message"]["text"] == "set here"
    assert {"lostTokens": 160, "measuredLostTokens": 1234, "measuredBrokenRate": 0.25}.items() <= result["properties"].items()
    assert "## Bad" in by_id["RL201"]["help"]["markdown"]
    assert by_id["RL201"]["properties"]["precision"] == "high"


def test_the_way_of_a_value_is_a_code_flow() -> None:
    """A value that came through other places has one flow, from its source through each; other related places are no steps."""
    steps = (Related(Span("p/a.py", 4, 1, 4, 9), "made here", is_step=True), Related(Span("p/a.py", 9, 1, 9, 4), "a note"))
    flowing, noted = (msgspec.structs.replace(CLOCK, related=related) for related in (steps, steps[1:]))
    (found,) = run_of(report_of(flowing))["results"]
    (thread,) = found["codeFlows"][0]["threadFlows"]
    places = [step["location"]["physicalLocation"] for step in thread["locations"]]

    assert places == [found["locations"][0]["physicalLocation"], found["relatedLocations"][0]["physicalLocation"]]
    assert thread["locations"][1]["location"]["message"]["text"] == "made here"
    assert run_of(report_of(noted))["results"][0]["codeFlows"] == []


def test_a_fix_replaces_what_the_edit_does() -> None:
    """An edit becomes a deleted region and the text to put there, letter by letter; an edit of line ends has those."""
    ends = msgspec.structs.replace(FIXABLE, edits=(Edit(Span("p/a.j2", 1, 1, 2, 1), "\x1b\n", "\r\n"),))
    first, second = (result["fixes"][0]["artifactChanges"][0] for result in run_of(report_of(FIXABLE, ends))["results"])

    assert first["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 10},
            "insertedContent": {"text": " | sort"},
        }
    ]
    assert second["replacements"][0]["insertedContent"]["text"] == "\x1b\r\n"


def test_hidden_findings_are_marked_and_stand_last() -> None:
    """What a comment or a baseline hides is in the report, as suppressed in the source or outside of it."""
    silenced = msgspec.structs.replace(CLOCK, rule="RL102")
    known = msgspec.structs.replace(CLOCK, rule="RL103")
    results = run_of(report_of(NOTE, CLOCK, silenced=(silenced,), known=(known,)))["results"]

    kinds = [(result["ruleId"], [entry["kind"] for entry in result["suppressions"]]) for result in results]
    assert kinds == [("RL101", []), ("RL201", []), ("RL102", ["inSource"]), ("RL103", ["external"])]


def test_a_fingerprint_outlives_what_happens_around_its_line() -> None:
    """Another line number, other blanks, another message or a hidden twin change none; other words, file or rule do."""
    (usual,) = fingerprints(CLOCK)
    moved = msgspec.structs.replace(
        CLOCK, span=Span("p/a.j2", 5, 9, 5, 20), frame_line=4, message="x", frame=("", "  It  is {{ now() }}.", "")
    )
    other_words = msgspec.structs.replace(CLOCK, frame=("", "It is now {{ now() }}.", ""))
    other_file = msgspec.structs.replace(CLOCK, span=msgspec.structs.replace(CLOCK.span, path="p/b.j2"))

    assert fingerprints(moved) == [usual]
    assert usual not in (*fingerprints(other_words), *fingerprints(other_file), *fingerprints(NOTE))
    assert fingerprints(CLOCK, silenced=(NOTE,))[0] == usual
    assert len(set(fingerprints(CLOCK, CLOCK, CLOCK))) == 3


@pytest.mark.parametrize("name", [*NAMES, "a b/c#d?e.j2", "http://x/y.j2", "c:\\x.j2"])
def test_addresses_are_relative_and_give_the_name_back(name: str) -> None:
    """An address holds only what an address may hold, names no host or scheme, and its bytes are those of the name."""
    finding = msgspec.structs.replace(CLOCK, span=msgspec.structs.replace(CLOCK.span, path=name))
    uri = run_of(report_of(finding))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]

    assert URI.match(uri)
    assert ":" not in uri
    assert unquote_to_bytes(uri) == name.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("name", ["/srv/x y.j2", "//host/x.j2"])
def test_an_absolute_path_is_a_file_of_no_host(name: str) -> None:
    """A path from the root is an address of its own, without a base."""
    finding = msgspec.structs.replace(CLOCK, span=msgspec.structs.replace(CLOCK.span, path=name))
    place = run_of(report_of(finding))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]

    assert place == {"uri": "file:///" + name.lstrip("/").replace(" ", "%20")}
    assert urlsplit(place["uri"]).netloc == ""


def test_words_of_strangers_make_no_link_and_no_control_character() -> None:
    """Messages and notes are on one line, without what a reader would turn into a link or a terminal into a command."""
    linked = msgspec.structs.replace(CLOCK, message="see [here](https://example.org)")
    hostile, run = run_of(hostile_report()), run_of(report_of(linked))
    said = [result["message"]["text"] for result in (*hostile["results"], *run["results"])]
    said += [note["message"]["text"] for note in hostile["invocations"][0]["toolExecutionNotifications"]]

    assert [text for text in said if safe_line(text) != text or "](" in text] == []


def test_skipped_files_and_notes_are_notifications() -> None:
    """What was not read is told with its place, as a warning; a note is a note."""
    (invocation,) = run_of(report_of(notes=("a note",)))["invocations"]
    skipped, note = invocation["toolExecutionNotifications"]

    assert (skipped["level"], skipped["message"]["text"]) == ("warning", "Skipped: binary")
    assert skipped["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "p/b.bin"
    assert (note["level"], note["message"]["text"]) == ("note", "a note")
    assert invocation["executionSuccessful"] is True


def test_no_more_results_than_code_scanning_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results over the limit are left out, hidden ones first, and their number is told."""
    monkeypatch.setattr(check_sarif, "MAX_RESULTS", 2)
    run = run_of(report_of(NOTE, CLOCK, silenced=(FIXABLE,)))

    assert [result["ruleId"] for result in run["results"]] == ["RL101", "RL201"]
    assert run["invocations"][0]["toolExecutionNotifications"][-1]["message"]["text"].startswith("1 result more")

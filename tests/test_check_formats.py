"""The forms of ``check`` for other tools: what each says, and that no text of a prompt gets out of its place in any of them."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import msgspec
import pytest
from check_values import CLOCK, FIXABLE, FORGED, LOGGED, NAMES, NOTE, hostile_report, report_of

from radixlint import reports
from radixlint.cli.output import format_names
from radixlint.config.setting_keys import OUTPUT_FORMATS
from radixlint.plugins import load_plugin
from radixlint.prompt import Span
from radixlint.reports import TextStyle
from radixlint.result.finding import CheckReport

JSON_FORMATS = ("json", "gitlab", "sarif")


def written(name: str, report: CheckReport) -> str:
    """Return ``report`` in the form ``name``, plain and 100 columns wide."""
    return str(load_plugin(reports, f"check-{name}").render(report, TextStyle()))


def test_the_forms_are_those_that_a_config_file_may_name() -> None:
    """Each form that exists can be set as ``output-format``, and no other."""
    assert sorted(format_names("check")) == sorted(OUTPUT_FORMATS)


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_no_text_of_a_prompt_reaches_a_terminal_or_forges_a_line(name: str) -> None:
    """No form holds a raw control, bidi or lone surrogate character, and no line starts a workflow command that is not ours."""
    text = written(name, hostile_report())

    assert [
        c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2066" or 0xD800 <= ord(c) < 0xE000)
    ] == []
    commands = [line for line in text.split("\n") if line.lstrip().startswith("::")]
    assert len(commands) == (len(NAMES) if name == "github" else 0)


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_a_report_without_findings_is_whole(name: str) -> None:
    """Nothing found is a valid document too, and ends in one newline if it holds anything."""
    text = written(name, report_of())

    if name in JSON_FORMATS:
        json.loads(text)
    elif name == "junit":
        assert len(ElementTree.fromstring(text).findall("testsuite/testcase")) == 2
    assert text == "" or (text.endswith("\n") and not text.endswith("\n\n"))


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_thousands_of_findings_are_all_told(name: str) -> None:
    """No form leaves out an error, however many there are."""
    count = 2000
    every = (msgspec.structs.replace(CLOCK, rule=f"RL{n}", related=(), frame=()) for n in range(10_000, 10_000 + count))
    text = written(name, report_of(*every))

    assert len(set(re.findall(r"RL1\d{4}", text))) == count


def test_full_is_text() -> None:
    """The two names give the same bytes."""
    report = report_of(CLOCK, FIXABLE, NOTE)

    assert written("full", report) == written("text", report)


def test_concise_lines() -> None:
    """One line a finding: place, code, the mark of a safe fix, message; then the lines that sum up."""
    unsafe = msgspec.structs.replace(FIXABLE, fix_safety="unsafe")
    lines = written("concise", report_of(CLOCK, FIXABLE, unsafe)).split("\n")

    assert lines[0] == "p/a.j2:2:7: RL201 `now()` stands before 160 static tokens"
    assert lines[1].startswith("p/a.j2:2:7: RL303 [*] `now()`")
    assert lines[2].startswith("p/a.j2:2:7: RL303 `now()`")
    assert lines[3].startswith("2 files, 2 prompts: 1 error, 2 warnings, 1 skipped")
    assert lines[4:] == ["[*] 1 fixable with --fix (1 more with --unsafe-fixes)", ""]


def test_the_closing_line_names_only_the_options_that_help() -> None:
    """Unsafe fixes alone are not promised for --fix; without fixes there is no such line."""
    unsafe = msgspec.structs.replace(FIXABLE, fix_safety="unsafe")

    assert written("text", report_of(unsafe)).endswith("\n1 fixable with --fix --unsafe-fixes\n")
    assert "fixable" not in written("text", report_of(CLOCK))


def test_what_is_left_out_is_counted() -> None:
    """Findings that a comment, a baseline or unchanged lines hide are numbers in the closing line, and in JSON."""
    report = report_of(suppressed=2, known=(CLOCK, CLOCK, CLOCK), unchanged=4)
    document = json.loads(written("json", report))

    assert "no findings, 2 suppressed, 3 in the baseline, 4 on unchanged lines, 1 skipped" in written("concise", report)
    assert [document[key] for key in ("suppressed", "known", "unchanged")] == [2, 3, 4]


def test_measured_tokens_stand_beside_the_finding() -> None:
    """What a log says is a line of its own, with its evidence."""
    assert "\n  log: 25.0% of 200 requests broke here, 1,234 tokens lost (simulated)\n" in written("text", report_of(LOGGED))
    assert "log:" not in written("text", report_of(CLOCK))


@pytest.mark.parametrize("width", [80, 120])
def test_blocks_fit_the_screen(width: int) -> None:
    """Only the first line of a block and the closing line may be longer than the screen."""
    long = msgspec.structs.replace(FIXABLE, message="some words " * 40, help="more words " * 40, measured=LOGGED.measured)
    text = load_plugin(reports, "check-text").render(report_of(CLOCK, long, NOTE), TextStyle(width))

    assert [line for line in text.split("\n") if len(line) > width] == []


def test_json_lines_are_the_findings_of_json() -> None:
    """Each line is one finding with the fields of the JSON report, in its order."""
    report = report_of(CLOCK, FIXABLE, NOTE)
    lines = written("json-lines", report).splitlines()

    assert [json.loads(line) for line in lines] == json.loads(written("json", report))["findings"]


def test_github_annotations() -> None:
    """Severity decides the command, properties and message are escaped, the costliest stand first, a range has no columns."""
    cheap = msgspec.structs.replace(CLOCK, lost_tokens=1, span=Span("a,b:c%.j2", 1, 1, 3, 2), message="100% sure\nreally")
    lines = written("github", report_of(cheap, NOTE, CLOCK)).split("\n")

    assert lines[0] == (
        "::error title=RL201 volatile-time-before-static,file=p/a.j2,line=2,endLine=2,col=7,endColumn=18::"
        "`now()` stands before 160 static tokens%0AMove it to the end."
    )
    assert lines[1].startswith(
        "::error title=RL201 volatile-time-before-static,file=a%2Cb%3Ac%25.j2,line=1,endLine=3::100%25 sure%0A"
    )
    assert lines[2].startswith("::notice title=RL101 ")
    assert lines[3].startswith("3 files, ")
    assert lines[4:] == [""]


def test_github_undoes_to_what_was_meant() -> None:
    """Read as GitHub reads it, a command has its five properties and the whole message, however hostile the words."""
    first = written("github", hostile_report()).split("\n")[0]
    match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", first)
    assert match is not None
    properties = dict(part.split("=", 1) for part in match[2].split(","))

    assert set(properties) == {"title", "file", "line", "endLine", "col", "endColumn"}
    assert match[3].replace("%0A", "\n").replace("%25", "%").count("forged") == 2 * FORGED.count("forged")


def test_gitlab_code_quality() -> None:
    """An entry has name, severity, place and a fingerprint that no other has and that a move of the line does not change."""
    moved = msgspec.structs.replace(CLOCK, span=Span("p/a.j2", 12, 7, 12, 18), frame_line=11)
    first, second, note = json.loads(written("gitlab", report_of(CLOCK, CLOCK, NOTE)))
    (alone,) = json.loads(written("gitlab", report_of(moved)))

    assert first["check_name"] == "RL201"
    assert [entry["severity"] for entry in (first, note)] == ["major", "info"]
    assert first["location"]["path"] == "p/a.j2"
    assert first["location"]["lines"]["begin"] == first["location"]["positions"]["begin"]["line"] == 2
    assert len({entry["fingerprint"] for entry in (first, second, note)}) == 3
    assert alone["fingerprint"] == first["fingerprint"]


def test_junit_suites() -> None:
    """A suite a file: a failed case a finding, a passed one for a note and for a clean file, a skipped one; counts agree."""
    root = ElementTree.fromstring(written("junit", report_of(CLOCK, FIXABLE, NOTE)))
    cases = root.findall("testsuite/testcase")

    assert [suite.get("name") for suite in root] == ["p/a.j2", "p/clean.j2", "p/b.bin"]
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("5", "2", "1")
    assert len(cases) == 5
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.get("message") == CLOCK.message
    assert failure.text == f"p/a.j2:2:7: {CLOCK.message}\nhelp: {CLOCK.help}"
    assert [case.find("failure") is None for case in cases] == [False, False, True, True, True]


def test_junit_is_valid_for_any_text() -> None:
    """Characters that XML cannot hold are written as escapes; the document parses and keeps each name apart."""
    root = ElementTree.fromstring(written("junit", hostile_report()))

    assert len({suite.get("name") for suite in root}) == len({*NAMES, "clean" + NAMES[-1]})
    assert r"\ufffe" in "".join(root.itertext())

"""Request bodies of every API through the whole check: healthy ones are silent, a planted fault is found on its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from request_bodies import HEALTHY, MARK, PLANTED, PROSE, Body, Planted, planted, text

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport


def check(folder: Path, body: object, name: str = "body.json") -> CheckReport:
    """Check one body, written with two columns a level."""
    written = body if isinstance(body, str) else json.dumps(body, indent=2)
    (folder / name).write_text(written, encoding="utf-8")
    return check_paths(CheckOptions(arguments=(name,), settings=Settings(), start=folder))


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_body_is_silent(tmp_path: Path, name: str) -> None:
    """Tool results, images, thinking, old times in turns that are over, and marks that move with the turns are no faults."""
    report = check(tmp_path, HEALTHY[name]())

    assert report.prompts >= 1
    assert (report.findings, report.notes) == ((), ())


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_body_in_yaml_is_silent(tmp_path: Path, name: str) -> None:
    """YAML is read as JSON is: every JSON body is YAML."""
    report = check(tmp_path, HEALTHY[name](), "body.yaml")

    assert report.prompts >= 1
    assert report.findings == ()


def expected_line(written: str, sign: str) -> int:
    """Return the line of ``sign``, of its last or n-th place where ``@-1`` or ``@n`` says so."""
    word, _, number = sign.partition("@")
    lines = [at for at, line in enumerate(written.split("\n"), 1) if word in line]
    return lines[int(number or 0)] if number == "-1" else lines[int(number) - 1 if number else 0]


@pytest.mark.parametrize("fault", PLANTED.values(), ids=PLANTED)
@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_a_planted_fault_is_found_on_its_line(tmp_path: Path, fault: Planted, suffix: str) -> None:
    """The rule of the fault reports its place, and no other rule any other place."""
    body = planted(fault)
    report = check(tmp_path, body, f"body.{suffix}")
    line = expected_line(json.dumps(body, indent=2), fault.line)
    if fault.rule in ("RL603", "RL606"):
        line -= 2  # the mark opens two lines ahead of its time to live

    assert fault.rule in {finding.rule for finding in report.findings}
    assert {finding.span.line for finding in report.findings if finding.rule == fault.rule} == {line}
    assert {finding.span.line for finding in report.findings if finding.severity != "info"} <= {line}


@pytest.mark.parametrize(
    ("model", "expected"),
    [("claude-opus-5", []), ("claude-opus-4-8", []), ("claude-opus-4-5", ["4,096"]), ("claude-haiku-4-5-20251001", ["4,096"])],
)
def test_the_minimum_is_the_model_s(tmp_path: Path, model: str, expected: list[str]) -> None:
    """The same marked text is long enough for one model and too short for another; the figure and its date are shown."""
    body = {"model": model, "system": [text(PROSE[:7_000], is_marked=True)], "messages": [{"role": "user", "content": "Hi."}]}
    found = check(tmp_path, body).findings

    assert [f.rule for f in found] == ["RL602"] * len(expected)
    assert all(figure in f.message and "checked 20" in f.message for f, figure in zip(found, expected, strict=True))


def test_a_thin_margin_is_a_word_only(tmp_path: Path) -> None:
    """Close under the minimum the estimate may be wrong: info, far under it a warning, closer than the margin silence."""

    def severities(characters: int) -> list[str]:
        system = [text(PROSE[:characters], is_marked=True)]
        body = {"model": "claude-sonnet-4-5", "system": system, "messages": [{"role": "user", "content": "Hi."}]}
        return [str(f.severity) for f in check(tmp_path, body).findings]

    found = [severities(characters) for characters in range(1_000, 8_000, 500)]

    assert found == sorted(found, key=[["warning"], ["info"], []].index)
    assert {tuple(s) for s in found} == {("warning",), ("info",), ()}


def test_marks_of_an_unknown_provider_are_left_alone(tmp_path: Path) -> None:
    """Nothing is known about the cache of a model that no provider file names."""
    system = {"role": "system", "content": [text("Rules.", is_marked=True)] * 6}
    body: Body = {"model": "house-model", "messages": [system, {"role": "user", "content": "Hi."}]}

    assert check(tmp_path, body).findings == ()


@pytest.mark.parametrize("placeholder", ["{{ question }}", "{{question}}", "{question}", "${question}"])
def test_the_question_of_a_template_stands_behind_the_mark(tmp_path: Path, placeholder: str) -> None:
    """In every style of placeholders a marked question is found at its tag, one behind the mark is none."""

    def rules(is_marked: bool) -> list[tuple[str, int, int]]:
        content = [text(PROSE, is_marked=not is_marked), text(placeholder, is_marked=is_marked)]
        body: Body = {"model": "claude-opus-5", "max_tokens": 8, "messages": [{"role": "user", "content": content}]}
        found = [f for f in check(tmp_path, body).findings if f.rule.startswith("RL6")]
        return [(f.rule, f.span.line, f.span.column) for f in found]

    assert rules(is_marked=False) == []
    assert rules(is_marked=True) == [("RL601", 14, 20)]


def test_a_mark_in_the_newest_turn_of_a_template_is_right(tmp_path: Path) -> None:
    """Where the history is filled in, the mark on the newest turn is read by the next request."""
    content = [text("{{ question }}", is_marked=True)]
    messages = [{"role": "user", "content": "{{ history }}"}, {"role": "user", "content": content}]
    body = {"model": "claude-opus-5", "system": [text(PROSE, is_marked=True)], "messages": messages}

    assert check(tmp_path, body).findings == ()


def test_the_automatic_mark_counts_as_one(tmp_path: Path) -> None:
    """Four marks and the one at the top level are one too many; the wire order decides which."""
    system = [text(f"Part {number}", is_marked=True) for number in range(4)]
    body = {"model": "claude-any", "cache_control": MARK, "system": system, "messages": [{"role": "user", "content": "Hi."}]}
    found = [f for f in check(tmp_path, body).findings if f.rule == "RL603"]

    assert [(f.span.line, f.span.column) for f in found] == [(3, 3)]

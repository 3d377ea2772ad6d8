"""A baseline hides what it holds and nothing else, tells what is gone, and is refused with a clear word if it is damaged."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from check_values import CLOCK, FIXABLE, NOTE, report_of

from radixlint.api.finding_baseline import baseline_text, read_baseline
from radixlint.errors import ConfigError
from radixlint.lint import PARSE_RULE
from radixlint.prompt import Span
from radixlint.result.finding import CheckReport, Finding
from radixlint.result.rule import Rule

MOVED = msgspec.structs.replace(CLOCK, span=Span("p/a.j2", 9, 1, 9, 4), frame_line=8, message="another")


def rules(*codes: str) -> tuple[Rule, ...]:
    """Return what looks like the rules with these codes."""
    return tuple(type("Ran", (), {"id": code})() for code in codes)


def kept(start: Path, before: CheckReport, after: CheckReport) -> CheckReport:
    """Return ``after`` without what a baseline of ``before`` holds."""
    (start / "baseline.json").write_text(baseline_text(before, start / "baseline.json", start), encoding="utf-8")
    return read_baseline("baseline.json", start).without_known(after)


def test_known_findings_are_set_aside_wherever_they_moved(tmp_path: Path) -> None:
    """A finding on another line is still known; the same line with other words, or in another file, is new."""
    other = msgspec.structs.replace(CLOCK, frame=("", "Now: {{ now() }}", ""))
    elsewhere = msgspec.structs.replace(CLOCK, span=msgspec.structs.replace(CLOCK.span, path="p/z.j2"))
    left = kept(tmp_path, report_of(CLOCK, NOTE), report_of(MOVED, NOTE, other, elsewhere))

    assert left.findings == (other, elsewhere)
    assert left.known == (MOVED, NOTE)


def test_equal_findings_are_counted(tmp_path: Path) -> None:
    """Two of a kind in the baseline hide two, the third is new."""
    left = kept(tmp_path, report_of(CLOCK, CLOCK), report_of(CLOCK, MOVED, CLOCK))

    assert (len(left.known), len(left.findings)) == (2, 1)


def test_a_file_that_does_not_parse_is_never_known(tmp_path: Path) -> None:
    """Nobody knows what else is wrong in it: such a finding is not written, nor hidden if someone wrote it."""
    broken = msgspec.structs.replace(CLOCK, rule=PARSE_RULE)

    assert json.loads(baseline_text(report_of(broken), tmp_path / "b.json", tmp_path))["findings"] == []
    assert kept(tmp_path, report_of(broken), report_of(broken)).findings == (broken,)


def test_what_is_gone_is_told_where_it_would_have_been_found(tmp_path: Path) -> None:
    """An entry is stale if its rule ran on its file, or the file is no more; not if it was not asked for."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.j2").touch()
    before = report_of(CLOCK, FIXABLE)
    one_rule = kept(tmp_path, before, report_of(rules=rules("RL201"), paths=("p/a.j2",)))
    both = kept(tmp_path, before, report_of(rules=rules("RL201", "RL303"), paths=("p/a.j2",)))
    other_file = kept(tmp_path, before, report_of(rules=rules("RL201", "RL303"), paths=("p/c.j2",)))
    (tmp_path / "p" / "a.j2").unlink()
    deleted = kept(tmp_path, before, report_of(rules=rules("RL201", "RL303"), paths=("p/c.j2",)))

    assert one_rule.notes == ("baseline.json: 1 finding of it is no longer there; --write-baseline writes it anew",)
    assert both.notes == ("baseline.json: 2 findings of it are no longer there; --write-baseline writes it anew",)
    assert other_file.notes == ()
    assert deleted.notes == both.notes


def test_a_baseline_is_read_from_any_folder(tmp_path: Path) -> None:
    """Paths are relative to the file that holds them, not to where the command runs."""
    inner = tmp_path / "p"
    inner.mkdir()
    (tmp_path / "baseline.json").write_text(
        baseline_text(report_of(CLOCK), tmp_path / "baseline.json", tmp_path), encoding="utf-8"
    )
    here = msgspec.structs.replace(CLOCK, span=msgspec.structs.replace(CLOCK.span, path="a.j2"))

    assert read_baseline("../baseline.json", inner).without_known(report_of(here)).findings == ()


def test_bytes_do_not_depend_on_the_order_of_findings(tmp_path: Path) -> None:
    """The same findings give the same file, sorted by path and rule, in plain ASCII."""
    odd = msgspec.structs.replace(CLOCK, span=Span("ä\udcff.j2", 1, 1, 1, 2))
    every: tuple[Finding, ...] = (CLOCK, NOTE, FIXABLE, odd)
    texts = {baseline_text(report_of(*order), tmp_path / "b", tmp_path) for order in (every, every[::-1])}

    (text,) = texts
    assert text.isascii()
    assert [entry["rule"] for entry in json.loads(text)["findings"]] == ["RL101", "RL201", "RL303", "RL201"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no such file (--write-baseline FILE makes one)"),
        (b"", "no JSON"),
        (b"{", "b.json:1:2: no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "no baseline of `radixlint check`"),
        (b'{"kind": "x"}', "no baseline of `radixlint check`"),
        (b'{"kind": "radixlint-baseline", "schema_version": 2}', "another version"),
        (b'{"kind": "radixlint-baseline", "schema_version": 1}', "`findings`: "),
        (b'{"kind": "radixlint-baseline", "schema_version": 1, "findings": [{"rule": 1}]}', "`findings`: "),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes | None, words: str) -> None:
    """One line says which file, what is wrong and what to do."""
    if content is not None:
        (tmp_path / "b.json").write_bytes(content)

    with pytest.raises(ConfigError) as caught:
        read_baseline("b.json", tmp_path)
    assert str(caught.value).startswith("b.json")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("count", [0, -1, "2", None])
def test_a_count_is_a_number_of_findings(tmp_path: Path, count: object) -> None:
    """A count under 1, or none, is refused."""
    entry = {"rule": "RL1", "name": "n", "path": "p", "key": "k", "count": count}
    document = {"kind": "radixlint-baseline", "schema_version": 1, "findings": [entry]}
    (tmp_path / "b.json").write_text(json.dumps(document), encoding="utf-8")

    with pytest.raises(ConfigError):
        read_baseline("b.json", tmp_path)

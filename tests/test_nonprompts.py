"""What is no prompt gives no finding; what is one is found, in whatever words, language and folder it comes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport, Severity

FIXTURES = Path(__file__).parent / "fixtures" / "nonprompts"


def _write(packed: str, root: Path) -> set[str]:
    """Write the files of a fixture, each under a line with its path; return their paths."""
    parts = re.split(r"^=== ", (FIXTURES / packed).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    files = dict(part.split("\n", 1) for part in parts)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return set(files)


def _check(root: Path) -> CheckReport:
    return check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=root))


def _faulty(report: CheckReport) -> set[str]:
    return {finding.span.path for finding in report.findings if finding.severity is not Severity.INFO}


@pytest.mark.parametrize("packed", ["others.txt", "more_others.txt"])
def test_other_files_have_no_faults(packed: str, tmp_path: Path) -> None:
    """Pages, mails, settings, code, manuals and lists of texts give no error and no warning."""
    _write(packed, tmp_path)

    assert _faulty(_check(tmp_path)) == set()


@pytest.mark.parametrize("packed", ["spoken.txt", "more_spoken.txt"])
def test_prompts_keep_their_faults(packed: str, tmp_path: Path) -> None:
    """A volatile value at the head of a prompt is an error or a warning in every format, language and way of speaking."""
    assert _write(packed, tmp_path) == _faulty(_check(tmp_path))


PAGE = (
    "<!DOCTYPE html>\n<p>Rendered {{ now() }} for the people of the town.</p>\n" + "<p>Doors open at nine on all days.</p>\n" * 20
)


def test_a_mark_makes_a_prompt(tmp_path: Path) -> None:
    """The comment ``radixlint: prompt`` settles it where the signs say otherwise."""
    (tmp_path / "page.j2").write_text(PAGE, encoding="utf-8")
    (tmp_path / "marked.j2").write_text("{# radixlint: prompt #}\n" + PAGE, encoding="utf-8")

    assert _faulty(_check(tmp_path)) == {"marked.j2"}


def test_a_name_keeps_a_file_from_being_passed_over(tmp_path: Path) -> None:
    """A file in a folder of prompts that looks like another format is doubted, and its findings say why."""
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "page.j2").write_text(PAGE, encoding="utf-8")
    report = _check(tmp_path)

    assert _faulty(report) == set()
    assert any("may be no prompt: its text is of another format" in finding.message for finding in report.findings)

"""Healthy programs have no warning and no error; a twin with one planted defect has that finding, at its place, and no other."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from code_plants_of_calls import OF_CALLS
from code_plants_of_frames import OF_FRAMES
from code_plants_of_texts import OF_TEXTS
from plant_code_defects import HEALTHY, Plant

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport, Finding, Severity

PLANTS = (*OF_CALLS, *OF_FRAMES, *OF_TEXTS)
FILES = sorted(path.relative_to(HEALTHY).as_posix() for path in HEALTHY.rglob("*") if path.suffix in (".py", ".ipynb"))
# A history of which nothing says that a model reads it.
KNOWN_NOTES = {("compiler_messages.py", "RL701")}
# Files that show how other programs use the same words: nothing of them is a prompt.
NO_BUILDERS = {"web_views.py", "order_mail.py", "compiler_messages.py"}
# Its signature is fixed text, which its class sends.
FIXED = {"species_dspy.py"}


def _check(folder: Path, *names: str) -> CheckReport:
    return check_paths(CheckOptions(arguments=names, settings=Settings(), start=folder))


def _place(finding: Finding) -> tuple[str, str, int, int]:
    return (finding.rule, finding.span.path, finding.span.line, finding.span.column)


def _failures(report: CheckReport) -> list[tuple[str, str, int, int]]:
    return [_place(finding) for finding in report.findings if finding.severity is not Severity.INFO]


def test_the_corpus_has_no_warnings() -> None:
    """No healthy program has a warning or an error, and no note but the known ones; none is without prompts but those known."""
    report = _check(HEALTHY, ".")

    assert _failures(report) == []
    assert {(finding.span.path, finding.rule) for finding in report.findings} <= KNOWN_NOTES
    assert len(FILES) >= 44
    assert {file.split("/")[0] for file in FILES} - {path.split("/")[0] for path in report.paths} <= NO_BUILDERS | FIXED


@pytest.mark.parametrize("file", FILES)
def test_each_healthy_program_has_no_warnings(file: str) -> None:
    """A healthy program by itself has none either, though what it imports is followed as before."""
    assert _failures(_check(HEALTHY, file)) == []


def test_each_builder_has_a_twin() -> None:
    """Each program or package that builds prompts has a planted defect, and no kind is planted twice in one."""
    planted = {plant.file.split("/")[0] for plant in PLANTS}

    assert {file.split("/")[0] for file in FILES} - planted == NO_BUILDERS
    assert len({str(plant) for plant in PLANTS}) == len(PLANTS)


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_the_planted_defect_is_found(plant: Plant, tmp_path: Path) -> None:
    """The twin has the finding of the planted defect on its line and column, and no other warning or error."""
    folder = tmp_path / "twin"
    copytree(HEALTHY, folder)
    place = (plant.rule, *plant.grow(folder))
    report = _check(folder, ".")

    assert place in map(_place, report.findings)
    assert set(_failures(report)) <= {place}

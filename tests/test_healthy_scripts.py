"""Healthy programs of TypeScript and JavaScript give nothing; each with one planted defect gives it on its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from plant_code_defects import Plant
from plant_script_defects import HEALTHY, PLANTS

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport, Severity

SOURCES = sorted(path.relative_to(HEALTHY).as_posix() for path in HEALTHY.rglob("*") if path.is_file())


def checked(folder: Path, *names: str) -> CheckReport:
    """Return the report on files of a folder."""
    return check_paths(CheckOptions(names or (".",), Settings(jobs=1), folder))


def test_healthy_programs_give_no_warnings() -> None:
    """Nothing in the corpus is a warning or an error, and each of its programs has a prompt."""
    report = checked(HEALTHY)
    loud = [finding for finding in report.findings if finding.severity is not Severity.INFO]
    assert loud == []
    assert report.prompts >= 14


def test_each_program_has_a_twin() -> None:
    """Every file that holds a prompt is planted in at least once."""
    planted = {plant.file for plant in PLANTS}
    assert len(planted) >= 14
    assert planted <= set(SOURCES)


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_a_planted_defect_is_found_where_it_is(plant: Plant, tmp_path: Path) -> None:
    """The rule tells the planted value at its line and column, as a warning or an error, or as a note on a day."""
    folder = tmp_path / "tree"
    shutil.copytree(HEALTHY, folder)
    file, line, column = plant.grow(folder)
    found = {
        (f.span.path, f.span.line, f.span.column, f.rule) for f in checked(folder).findings if f.severity is not Severity.INFO
    }
    assert (file, line, column, plant.rule) in found

"""Healthy prompts of all formats have no finding; a twin with one planted defect has that finding, at its place."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from plant_defects import HEALTHY, Plant, plants

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport

FILES = sorted(path.relative_to(HEALTHY).as_posix() for path in HEALTHY.rglob("*") if path.is_file())
PLANTS = plants()


def _check(folder: Path, *names: str) -> CheckReport:
    return check_paths(CheckOptions(arguments=names, settings=Settings(), start=folder))


def test_the_corpus_is_silent_as_a_folder() -> None:
    """All files are read as prompts; together they have no finding, not even a note."""
    report = _check(HEALTHY, ".")

    assert (report.findings, report.skipped, report.notes) == ((), (), ())
    assert sorted(report.paths) == FILES
    assert len(FILES) >= 44


@pytest.mark.parametrize("file", FILES)
def test_each_healthy_file_is_silent(file: str) -> None:
    """A healthy file by itself has no finding and no note."""
    report = _check(HEALTHY, file)

    assert report.prompts >= 1
    assert (report.findings, report.skipped, report.notes) == ((), (), ())


def test_each_file_has_twins() -> None:
    """Every file has a defect of its own planted in it, most of several kinds."""
    assert {plant.file for plant in PLANTS} == set(FILES)
    assert len(PLANTS) >= 5 * len(FILES)
    assert len({str(plant) for plant in PLANTS}) == len(PLANTS)


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_the_planted_defect_is_found(plant: Plant, tmp_path: Path) -> None:
    """The twin has the finding of the planted defect on its line and column, and no other."""
    folder = tmp_path / "twin"
    copytree(HEALTHY, folder)
    text, line, column = plant.grow()
    (folder / plant.file).write_text(text, encoding="utf-8")
    if plant.beside is not None:
        name, old, new = plant.beside
        (folder / name).write_text((folder / name).read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    report = _check(folder, plant.file)

    assert [(f.rule, f.span.line, f.span.column) for f in report.findings] == [(plant.rule, line, column)]

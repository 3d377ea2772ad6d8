"""Recorded cases of programs: the bad ones have the expected finding on its line, the good ones none above a note."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from shared_data import shared_folder

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Severity

VARIABLE = "RADIXLINT_CASES"
BUGS = [
    ("01-clock-in-system-header/app.py", {"RL201"}, 9),
    ("02-tool-order-shuffle/agent.py", {"RL305", "RL802"}, 12),
    ("02-tool-order-shuffle/agent.py", {"RL302", "RL802"}, 20),
    ("05-args-key-order/history.py", {"RL401"}, 15),
    ("06-sliding-window/window.py", {"RL701"}, 7),
]


def _found(folder: Path, file: str, *, is_loud: bool = False) -> list[tuple[str, str, int]]:
    report = check_paths(CheckOptions(arguments=(file,), settings=Settings(), start=folder))
    return [(f.rule, f.name, f.span.line) for f in report.findings if not (is_loud and f.severity is Severity.INFO)]


@pytest.mark.parametrize(("file", "rules", "line"), BUGS)
def test_program_behind_a_known_bug(file: str, rules: set[str], line: int) -> None:
    """The static half of a bug is found on its line."""
    found = _found(shared_folder(VARIABLE) / "bugs", file)

    assert any(rule in rules and at == line for rule, _, at in found)


def test_programs_of_the_lint_cases() -> None:
    """Each bad program has its finding on the expected line and no other warning elsewhere; each good one has none."""
    folder = shared_folder(VARIABLE) / "lint"
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"].endswith(".py")]
    wrong = []
    for row in rows:
        loud = _found(folder, row["file"], is_loud=True)
        is_clean = row["expected"] == "clean"
        named = {(name, line) for _, name, line in _found(folder, row["file"])}
        is_found = is_clean or (row["expected"], int(row["line"])) in named
        allowed = set() if is_clean else {int(row["line"])}
        if not is_found or not {line for _, _, line in loud} <= allowed:
            wrong.append((row["file"], loud))

    assert len(rows) >= 12
    assert wrong == []

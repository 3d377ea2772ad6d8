"""Data of other people that tests may use but the project does not hold: found through environment variables, missed loudly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

MARK = "data not at hand: "


def shared_folder(variable: str) -> Path:
    """Return the folder that the environment ``variable`` names; skip the test, loudly, where it is not set.

    A variable that names no folder is a mistake and fails the test.
    """
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{MARK}{variable} is not set")
    folder = Path(value)
    assert folder.is_dir(), f"{variable} names no folder"
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end which data was missing and how many tests did not run for it, whatever flags pytest was given."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = [report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)]
    missing = [reason.partition(MARK)[2] for reason in reasons if MARK in reason]
    if missing:
        terminalreporter.section("NOT CHECKED", yellow=True, bold=True)
    for reason in sorted(set(missing)):
        terminalreporter.line(f"{missing.count(reason)} tests against shared data did not run: {reason}", yellow=True)

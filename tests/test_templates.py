"""The examples in ``templates/``: each bad one shows its fault, each good one is silent, all formats and rules occur."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.checking import CheckOptions, check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport, Severity

FOLDER = Path(__file__).resolve().parent.parent / "templates"
BAD = sorted(path.name for path in FOLDER.glob("*.bad.*"))
GOOD = sorted(path.name for path in FOLDER.glob("*.good.*"))
RULES = {"RL001", "RL101", "RL103", "RL104", "RL201", "RL202", "RL203", "RL301", "RL303", "RL804", "RL901", "RL951"}
EXPECTED = {
    "agent-tool-map": "RL303",
    "claims-openai": "RL203",
    "contract-plan": "RL104",
    "handbook-answers": "RL901",
    "incident-anthropic": "RL203",
    "newsroom-reader": "RL101",
    "planner-tools-late": "RL804",
    "recipe-fewshot": "RL301",
    "shop-tenant": "RL951",
    "sql-broken": "RL001",
    "support-clock": "RL201",
    "travel-history": "RL103",
    "triage-request-id": "RL202",
    "tutor-student": "RL101",
}


def _check(*names: str) -> CheckReport:
    return check_paths(CheckOptions(arguments=names, settings=Settings(), start=FOLDER))


def test_pairs_over_all_formats() -> None:
    """There are at least ten pairs, none without a partner, and every accepted suffix occurs."""
    assert [name.replace(".bad.", ".good.") for name in BAD] == GOOD
    assert {name.split(".")[0] for name in BAD} == set(EXPECTED)
    assert len(BAD) >= 10
    assert {Path(name).suffix for name in BAD} == {".j2", ".jinja", ".jinja2", ".yaml", ".json", ".md", ".txt"}


@pytest.mark.parametrize("name", BAD)
def test_bad_examples_show_their_fault(name: str) -> None:
    """Each bad example has the finding it is named for, as warning or error, and it costs tokens."""
    report = _check(name)
    found = [finding for finding in report.findings if finding.rule == EXPECTED[name.split(".")[0]]]

    assert report.files == 1
    assert found != []
    assert found[0].severity is not Severity.INFO
    assert found[0].lost_tokens > 64 or found[0].rule == "RL001"


@pytest.mark.parametrize("name", GOOD)
def test_good_examples_are_silent(name: str) -> None:
    """A good example is read as a prompt and has no finding at all, not even a note."""
    report = _check(name)

    assert report.prompts == 1
    assert (report.findings, report.skipped, report.notes) == ((), (), ())


def test_every_rule_is_hit() -> None:
    """Over the whole folder each rule of the first set occurs."""
    assert {finding.rule for finding in _check(".").findings} == RULES

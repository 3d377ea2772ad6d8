"""The examples in ``templates/``: each bad one shows a fault, each good one is silent, all formats and rules occur."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.catalog import load_rules
from radixlint.config import Settings
from radixlint.prompt import Confidence
from radixlint.result.finding import CheckReport, Severity
from radixlint.result.rule import Rule

FOLDER = Path(__file__).resolve().parent.parent / "templates"
BAD = sorted(path.name for path in FOLDER.glob("*.bad.*"))
GOOD = sorted(path.name for path in FOLDER.glob("*.good.*"))


@cache
def _check(*names: str) -> CheckReport:
    return check_paths(CheckOptions(arguments=names, settings=Settings(), start=FOLDER))


def test_pairs_over_all_formats() -> None:
    """There are at least ten pairs, none without a partner, nothing else, and the common suffixes occur."""
    assert [name.replace(".bad.", ".good.") for name in BAD] == GOOD
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted((*BAD, *GOOD))
    assert len(BAD) >= 10
    assert {Path(name).suffix for name in BAD} >= {".j2", ".jinja", ".jinja2", ".yaml", ".json", ".md", ".txt"}


@pytest.mark.parametrize("name", BAD)
def test_bad_examples_show_a_fault(name: str) -> None:
    """Each bad example has findings of one rule only, beside the other bad ones, and what a warning or error costs is counted."""
    found = [finding for finding in _check(*BAD).findings if finding.span.path == name]
    loud = [finding for finding in found if finding.severity is not Severity.INFO]

    assert _check(name).files == 1
    assert len({finding.rule for finding in loud or found}) == 1
    assert all(finding.lost_tokens > 0 or finding.strip is None for finding in loud)


@pytest.mark.parametrize("name", GOOD)
def test_good_examples_are_silent(name: str) -> None:
    """A good example is read as a prompt and has no finding at all, not even a note."""
    report = _check(name)

    assert report.prompts >= 1
    assert (report.findings, report.skipped, report.notes) == ((), (), ())


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_every_rule_is_hit(rule: Rule) -> None:
    """Each rule of the catalogue has a bad example that shows it, as loud as the rule can be."""
    is_note = rule.severity is Severity.INFO or rule.confidence is Confidence.LOW
    found = {finding.rule for finding in _check(*BAD).findings if is_note or finding.severity is not Severity.INFO}

    assert rule.id in found

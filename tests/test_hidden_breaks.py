"""One cause may hide another: a reader is told, and all fixes together reach behind the first."""

from __future__ import annotations

import random

import pytest
from made_faults import FAULTS
from made_logs import KINDS

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import measure
from radixlint.result.cause import Cause
from radixlint.result.measurement import AnalyzeReport
from radixlint.traffic import LogRead

BY_NAME = {fault.name: fault for fault in FAULTS}


def report(*faults: str) -> AnalyzeReport:
    """Return what is said of questions over documents with ``faults``, one upon the other."""
    log = KINDS["rag"](200, 77)
    for name in faults:
        log = BY_NAME[name].inject(log, 1.0, random.Random(77)).requests
    return measure(LogRead("made", len(log), tuple(log), {}), AnalyzeOptions(PolicyOptions(), top=5))


def hidden(found: AnalyzeReport) -> list[str]:
    return [note for note in found.notes if note.startswith("Other breaks stand behind")]


@pytest.mark.parametrize("fault", ["clock-second", "sections", "tenant-first"])
def test_a_fault_alone_hides_nothing(fault: str) -> None:
    """Behind a single fault the instructions go on alike, and nothing is said."""
    found = report(fault)

    assert found.breaks
    assert hidden(found) == []


def test_a_hidden_break_is_told_and_mended_with_the_first() -> None:
    """A clock above shuffled sections is one break with others behind it; the fixes of both bring what a healthy log has."""
    found, healthy = report("sections", "clock-second"), report()

    assert [one.cause for one in found.breaks] == [Cause.CLOCK]
    (note,) = hidden(found)
    assert note.startswith("Other breaks stand behind clock at messages[0] system line 1: ")
    assert found.together is not None
    assert "section-order" in found.together.title
    assert found.together.after.shareable_rate == pytest.approx(healthy.hit_rate.shareable, abs=0.01)


def test_three_faults_at_once_are_told_as_more_than_one() -> None:
    """Where the largest break fits no pattern, the report says that other breaks stand behind it."""
    found = report("clock-second", "tenant-first", "sections")

    assert any(f"behind {found.breaks[0].cause} at {found.breaks[0].where}" in note for note in hidden(found))

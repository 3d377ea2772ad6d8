"""What is said of prompts that are cleared, and that nothing is cleared of a break that the same report names."""

from __future__ import annotations

import random

import pytest
from made_faults import FAULTS
from made_logs import KINDS
from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import measure
from radixlint.explain.cleared_text import sentence
from radixlint.result.cause import Cause
from radixlint.traffic import LogRead, Usage


@pytest.mark.parametrize(
    ("requests", "broken", "end"),
    [
        (1, 0, "the prompt was intact as far as the log shows (it does not tell tools)"),
        (1, 1, "the prompt was intact as far as the log shows (it does not tell tools), only up to its break"),
        (3, 0, "the prompts were intact as far as the log shows (it does not tell tools)"),
        (3, 2, "the prompts were intact as far as the log shows (it does not tell tools), 2 of them only up to a break"),
        (3, 3, "the prompts were intact as far as the log shows (it does not tell tools), only up to their breaks"),
    ],
)
def test_prompts_with_a_break_are_cleared_up_to_it(requests: int, broken: int, end: str) -> None:
    """The sentence says for how many of the requests only what stands in front of a break was intact."""
    assert sentence(Cause.TTL, "a gap of 9 min", requests, ("tools",), broken=broken).endswith(end)


@pytest.mark.parametrize("is_faulty", [False, True])
def test_a_report_does_not_clear_what_it_blames(is_faulty: bool) -> None:
    """A cache that never hits is named; where windows slide as well, their prompts are not called intact throughout."""
    fault = next(one for one in FAULTS if one.name == "window")
    healthy = KINDS[fault.kind](200, 17)
    made = fault.inject(healthy, 1.0, random.Random(1)).requests if is_faulty else healthy
    log = [structs.replace(one, usage=Usage(None, 0, 20)) for one in made]

    found = measure(LogRead("made", len(log), tuple(log), {}), AnalyzeOptions(PolicyOptions(), top=5))

    (cleared,) = [one for one in found.cleared if one.cause == Cause.ENGINE]
    assert bool(found.breaks) == is_faulty
    assert ("only up to" in cleared.what) == is_faulty

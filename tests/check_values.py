"""Findings and reports of ``check`` made by hand, for the tests of its forms."""

from __future__ import annotations

import msgspec

from radixlint.prompt import Confidence, Lifetime, Span
from radixlint.result.finding import CheckReport, Edit, Finding, Measured, Related, Severity, Skipped

# Ends a workflow command and starts another, in every way there is, and what a terminal must not see.
FORGED = (
    "a\n::error file=x::forged\r::set-output name=y::z%0A::warning::w"
    " \x1b]0;t\x07\x1b[2J \u202e\u2066 \x85\x9b31m \ud800 \ufffe <b a=\"'&>]]>"
)
NAMES = ("p/a.j2", "p/ä %,:#?.j2", "--help.j2", "esc\x1b[31m\n::error::x\udcff.j2")

CLOCK = Finding(
    "RL201",
    "volatile-time-before-static",
    Span("p/a.j2", 2, 7, 2, 18),
    Severity.ERROR,
    Confidence.HIGH,
    Lifetime.CALL,
    160,
    "`now()` stands before 160 static tokens",
    "Move it to the end.",
    related=(Related(Span("p/a.j2", 1, 1, 1, 4), "set here"),),
    frame=("Rules.", "It is {{ now() }}.", "More"),
    frame_line=1,
    mark="differs on every call",
    scope="call",
)
FIXABLE = msgspec.structs.replace(
    CLOCK, rule="RL303", fix_safety="safe", severity=Severity.WARNING, edits=(Edit(Span("p/a.j2", 2, 10, 2, 10), " | sort"),)
)
NOTE = msgspec.structs.replace(CLOCK, rule="RL101", severity=Severity.INFO, confidence=Confidence.LOW, lost_tokens=7)
LOGGED = msgspec.structs.replace(CLOCK, measured=Measured(200, 0.25, 1234))


def report_of(*findings: Finding, **changes: object) -> CheckReport:
    """Return a report of ``findings`` in three files, of which one is clean and one skipped."""
    paths = tuple(sorted({"p/clean.j2", *(finding.span.path for finding in findings)}))
    report = CheckReport(findings, len(paths), 2, 0, (Skipped("p/b.bin", "binary"),), "o200k_base", paths=paths)
    return msgspec.structs.replace(report, **changes)  # type: ignore[arg-type]


def hostile_findings() -> tuple[Finding, ...]:
    """Return findings in files of odd names, every text of which is ``FORGED``."""
    return tuple(
        msgspec.structs.replace(
            CLOCK,
            span=msgspec.structs.replace(CLOCK.span, path=name),
            message=FORGED,
            help=FORGED,
            mark=FORGED,
            frame=(FORGED.replace("\n", " ").replace("\r", " "),) * 3,
            related=(Related(Span(name, 1, 1, 1, 2), FORGED),),
            edits=(Edit(Span(name, 1, 1, 1, 1), FORGED),),
        )
        for name in NAMES
    )


def hostile_report() -> CheckReport:
    """Return a report all of whose words came from strangers."""
    skipped = tuple(Skipped(name, FORGED) for name in NAMES)
    return report_of(*hostile_findings(), skipped=skipped, notes=(FORGED,), paths=(*NAMES, "clean" + NAMES[-1]), prompts=4)

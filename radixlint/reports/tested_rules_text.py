"""What trying rules gave, for people: one line a fault, one line of counts."""

from __future__ import annotations

from radixlint.reports import TextStyle
from radixlint.result.tested_rules import TestedRules
from radixlint.safe_text import safe_line


def render(report: TestedRules, style: TextStyle) -> str:
    """Return the faults in order, then the counts."""
    lines = [safe_line(f"{fault.place}: {fault.rule} {fault.problem}") for fault in report.faults]
    counts = [_counted(report.rules, "rule"), _counted(report.examples, "example"), _counted(report.files, "marked file")]
    verdict = f"{_counted(len(report.faults), 'fault')}" if report.faults else "all as they should be"
    return "\n".join([*lines, f"{', '.join(counts)}: {verdict}"]) + "\n"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"

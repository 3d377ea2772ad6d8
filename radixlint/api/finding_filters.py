"""Which findings a run tells: those that a baseline does not hold, and that stand on changed lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from radixlint.lint import PARSE_RULE
from radixlint.result.finding import CheckReport, Finding

if TYPE_CHECKING:
    from radixlint.api.changed_lines import ChangedLines

Keep = Callable[[CheckReport], CheckReport]


class FindingFilters(Struct, frozen=True):
    """What to leave out: the findings that the file ``baseline`` holds, those on lines unchanged since ``diff_ref``.

    ``whole`` are paths whose findings are told wherever they stand: their text is not the file's.
    """

    baseline: str | None = None
    diff_ref: str | None = None
    whole: frozenset[str] = frozenset()


def kept_by(filters: FindingFilters, start: Path) -> Keep:
    """Return what takes findings out of a report; it may be asked several times, also after files were changed.

    Raises:
        ConfigError: the baseline cannot be read.
        RadixlintError: there is no repository, or no such commit in it.
    """
    steps: list[Keep] = []
    # First: it tells of entries that match nothing, and so has to see all findings.
    if filters.baseline is not None:
        from radixlint.api.finding_baseline import read_baseline

        steps.append(read_baseline(filters.baseline, start).without_known)
    if filters.diff_ref is not None:
        from radixlint.api.changed_lines import ChangedLines

        changed = ChangedLines(filters.diff_ref, start)
        steps.append(lambda report: _on_changed_lines(report, changed, filters.whole))

    def keep(report: CheckReport) -> CheckReport:
        for step in steps:
            report = step(report)
        return report

    return keep


def _on_changed_lines(report: CheckReport, changed: ChangedLines, whole: frozenset[str]) -> CheckReport:
    kept = tuple(f for f in report.findings if f.span.path in whole or _is_new(f, changed))
    return replace(report, findings=kept, unchanged=report.unchanged + len(report.findings) - len(kept))


def _is_new(finding: Finding, changed: ChangedLines) -> bool:
    """Whether the place or one that explains it changed; where a file stops to parse says little of the line at fault."""
    if finding.rule == PARSE_RULE:
        return changed.has_any(finding.span.path)
    return any(changed.has(span) for span in (finding.span, *(related.span for related in finding.related)))

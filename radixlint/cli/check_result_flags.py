"""Which findings of ``check`` are told, and which make the exit code 1: the options and what they decide."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, say
from radixlint.cli.help_sections import section
from radixlint.cli.output import write_whole

if TYPE_CHECKING:
    from radixlint.api.check_options import CheckOptions
    from radixlint.api.finding_filters import Keep
    from radixlint.config import Settings
    from radixlint.result.finding import CheckReport

_which = section("Which findings")
_report = section("Report and exit code")

_OPTIONS: Final = (
    _report("--fail-on", type=click.Choice(["error", "warning"]), help="Lowest severity that exits 1.  [default: warning]"),
    _report(
        "--max-warnings",
        type=click.IntRange(min=0),
        metavar="N",
        help="Exit 1 for warnings only if there are more than N, whatever --fail-on says.",
    ),
    _report("--exit-zero", is_flag=True, help="Exit 0 even with findings."),
    _which("--baseline", metavar="FILE", help="Tell only findings that FILE does not hold."),
    _which("--write-baseline", metavar="FILE", help="Write all findings to FILE, for --baseline, and exit 0."),
    _which("--diff-ref", metavar="REF", help="Tell only findings on lines changed since the branch left REF, by git."),
)


class ResultFlags(NamedTuple):
    """What the user wants to hear of, and what is to fail."""

    fail_on: str | None
    max_warnings: int | None
    exit_zero: bool
    baseline: str | None
    write_baseline: str | None
    diff_ref: str | None

    @property
    def is_more_than_files(self) -> bool:
        """Whether the result depends on more than the files read, or more than the report is written."""
        return self.diff_ref is not None or self.write_baseline is not None

    def keep(self, options: CheckOptions) -> Keep:
        """Return what takes the findings out that are not to be told.

        Raises:
            RadixlintError: the baseline cannot be read; git knows no such commit.
        """
        from radixlint.api.finding_filters import FindingFilters, kept_by

        stdin = frozenset({options.stdin_name} if "-" in options.arguments else ())
        return kept_by(FindingFilters(self.baseline, self.diff_ref, stdin), options.start)

    def store(self, report: CheckReport, start: Path) -> CheckReport:
        """Write the baseline, if one is to be written, and return the report as it is with it.

        Raises:
            RadixlintError: it cannot be written.
        """
        if self.write_baseline is None:
            return report
        from radixlint.api.finding_baseline import baseline_text, read_baseline

        target = start / self.write_baseline
        write_whole(target, baseline_text(report, target, start))
        return read_baseline(self.write_baseline, start).without_known(report)

    def exit_code(self, report: CheckReport, settings: Settings) -> int:
        """Return the exit code, and say so where a number of warnings is the reason."""
        severities = [finding.severity.value for finding in report.findings]
        limit = settings.max_warnings if self.max_warnings is None else self.max_warnings
        warnings = severities.count("warning")
        # A number of warnings that is allowed stands above what the level says of the first one.
        allowed = 0 if (self.fail_on or settings.fail_on.value) == "warning" else warnings
        is_over = warnings > (allowed if limit is None else limit)
        if is_over and limit:
            say(f"note: {warnings:,} warnings, more than the {limit:,} allowed")
        fails = "error" in severities or is_over
        return EXIT_FINDINGS if fails and not self.exit_zero and self.write_baseline is None else EXIT_CLEAN


def result_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the six options to a command; it takes them as one argument, ``result_flags``."""

    @functools.wraps(command)
    def joined(*arguments: Any, **given: Any) -> Any:
        flags = ResultFlags(**{name: given.pop(name) for name in ResultFlags._fields})
        if flags.write_baseline is not None and (flags.baseline is not None or flags.diff_ref is not None):
            raise click.UsageError("--write-baseline takes all findings: it goes with neither --baseline nor --diff-ref")
        return command(*arguments, result_flags=flags, **given)

    for option in reversed(_OPTIONS):
        joined = option(joined)
    return joined

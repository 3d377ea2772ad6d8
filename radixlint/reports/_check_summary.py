"""The last lines of ``check``: how much was read and found, what was left out, and what can be fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from radixlint.reports._figures import SEVERITY_COLORS, counted
from radixlint.reports._prompt_findings import by_prompt, strip_of
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport, Finding, Severity

if TYPE_CHECKING:
    from rich.text import Text


def fix_mark(finding: Finding, report: CheckReport) -> str:
    """Return the mark, with a blank, of a finding that ``--fix``, with what else was asked for, repairs; else nothing."""
    return "[*] " if finding.edits and (report.takes_unsafe or finding.fix_safety == "safe") else ""


def closing_lines(report: CheckReport) -> Iterator[Text]:
    """Yield the line that sums up, and one on fixes if there are any."""
    yield summary(report)
    fixes = _fixes(report)
    if fixes:
        yield fixes


def summary(report: CheckReport) -> Text:
    """Return one line: files, prompts, findings by severity, what is not shown, tokens at stake, evidence and tokenizer."""
    from rich.text import Text

    counts = Counter(finding.severity for finding in report.findings)
    line = Text(no_wrap=True).append(f"{counted(report.files, 'file')}, {counted(report.prompts, 'prompt')}: ", "bold")
    if not report.findings:
        line.append(*("no findings", "bold green") if report.files else ("nothing was checked", "bold"))
    names = ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note"))
    found = [(severity, counted(counts[severity], word)) for severity, word in names if counts[severity]]
    for i, (severity, words) in enumerate(found):
        line.append(", " if i else "").append(words, f"bold {SEVERITY_COLORS[severity]}")
    extras = [(report.suppressed, "suppressed"), (len(report.known), "in the baseline"), (report.unchanged, "on unchanged lines")]
    line.append("".join(f", {number:,} {words}" for number, words in (*extras, (len(report.skipped), "skipped")) if number))
    strips = (strip_of(findings) for findings in by_prompt(report.findings))
    lost = sum(strip.lost_tokens for strip in strips if strip is not None)
    if lost:
        line.append(f"; {counted(lost, 'token')} at stake")
    return line.append(f" ({Evidence.STATIC.value}, {report.tokenizer})", "dim")


def _fixes(report: CheckReport) -> Text | None:
    """Return how many findings can be fixed, and by which option; None if none can."""
    from rich.text import Text

    counts = Counter(finding.fix_safety for finding in report.findings if finding.edits)
    safe, unsafe = counts["safe"], counts["unsafe"]
    if not safe and not unsafe:
        return None
    if unsafe and report.takes_unsafe:
        return Text(f"[*] {safe + unsafe:,} fixable with --fix --unsafe-fixes", "cyan")
    if not safe:
        return Text(f"{unsafe:,} fixable with --fix --unsafe-fixes", "cyan")
    more = f" ({unsafe:,} more with --unsafe-fixes)" if unsafe else ""
    return Text(f"[*] {safe:,} fixable with --fix{more}", "cyan")

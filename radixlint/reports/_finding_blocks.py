"""``check`` for people in full: a block a finding, help once a file, the strip once a prompt, and the lines that sum up."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.prompt import Confidence
from radixlint.reports import TextStyle
from radixlint.reports._check_summary import closing_lines, fix_mark
from radixlint.reports._code_frame import FrameStyle, code_frame
from radixlint.reports._console_text import drawn
from radixlint.reports._figures import SEVERITY_COLORS, counted, percent
from radixlint.reports._prompt_findings import by_prompt, strip_of
from radixlint.reports._prompt_strip import legend, strip_line
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport, Finding, Measured, PromptStrip, Severity
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_STRIP_CELLS: Final = 60
_MIN_STRIP_CELLS: Final = 20
_MAX_NOTES: Final = 10


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the report as text of ``style.width`` columns; colours only if the style wants them."""
    return drawn(_lines(report, style), style)


def _lines(report: CheckReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    strips: list[PromptStrip] = []
    advised: set[tuple[str, str]] = set()
    for findings in by_prompt(report.findings):
        shown, hidden = _without_excess(findings)
        for i, finding in enumerate(shown):
            if i:
                yield Text()
            yield from _block(finding, fix_mark(finding, report), style)
            if (finding.span.path, finding.help) not in advised:
                is_quiet = finding.severity is Severity.INFO
                yield from _wrapped("  help: ", finding.help, style.width, "dim" if is_quiet else "", "cyan")
                advised.add((finding.span.path, finding.help))
        if hidden:
            yield Text(f"\n{counted(hidden, 'more note')} on this prompt; --format json shows all", "dim")
        strip = strip_of(findings)
        if strip is not None:
            strips.append(strip)
            yield from _strip_block(strip, style)
        yield Text()
    if strips:
        yield legend(strips, style.width)
    yield from closing_lines(report)


def _without_excess(findings: list[Finding]) -> tuple[list[Finding], int]:
    """Return the findings to show, and how many notes are left out because a prompt has too many."""
    notes = [finding for finding in findings if finding.severity is Severity.INFO]
    excess = set(map(id, notes[_MAX_NOTES:]))
    return [finding for finding in findings if id(finding) not in excess], len(excess)


def _block(finding: Finding, mark: str, style: TextStyle) -> Iterator[Text]:
    is_quiet = finding.severity is Severity.INFO
    yield _heading(finding, mark)
    yield from _wrapped("  ", finding.message, style.width, "dim" if is_quiet else "")
    if not is_quiet:
        frame = FrameStyle(style.width, SEVERITY_COLORS[finding.severity], safe_line(finding.mark))
        yield from code_frame(finding.frame, finding.frame_line, finding.span, frame)
        for related in finding.related:
            place = f"{related.span.path}:{related.span.line}:{related.span.column}"
            yield from _wrapped("  note: ", f"{place} {related.message}", style.width, "dim")
    if finding.measured is not None:
        yield from _wrapped("  log: ", _in_log(finding.measured), style.width, "bold")


def _in_log(measured: Measured) -> str:
    """Return what a log says of the prompt."""
    broken = f"{percent(measured.broken_rate)} of {counted(measured.requests, 'request')} broke here"
    return f"{broken}, {counted(measured.lost_tokens, 'token')} lost ({Evidence.SIMULATED.value})"


def _heading(finding: Finding, mark: str) -> Text:
    from rich.text import Text

    span, color = finding.span, SEVERITY_COLORS[finding.severity]
    dim = "dim " if finding.severity is Severity.INFO else ""
    # One line whatever the width: other tools read place and code from it.
    line = Text(no_wrap=True).append(safe_line(f"{span.path}:{span.line}:{span.column}"), f"{dim}bold")
    line.append(f" {finding.rule} ", f"{dim}{color}").append(mark, "cyan")
    line.append(finding.severity.value, f"{dim}bold {color}")
    line.append(f" {finding.name}", dim.strip())
    if finding.confidence is not Confidence.HIGH:
        line.append(f" ({finding.confidence.value} confidence)", "dim")
    return line


def _wrapped(lead: str, text: str, width: int, style: str, lead_style: str = "dim") -> Iterator[Text]:
    from rich.text import Text

    room = max(20, width - len(lead))
    for i, line in enumerate(textwrap.wrap(safe_line(text), room, break_long_words=False, break_on_hyphens=False)):
        yield Text().append(lead if i == 0 else " " * len(lead), lead_style).append(line, style)


def _strip_block(strip: PromptStrip, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    place = "at stake" if strip.break_index is None else "behind the break"
    words = Text().append(f"{_at_stake(strip)} {place}", "bold")
    if strip.name != strip.path.rsplit("/", 1)[-1]:  # one of several prompts in the file
        words.append(f" of {safe_line(strip.name)}")
    room = style.width - len(words) - 4
    is_beside = room >= _MIN_STRIP_CELLS
    line = strip_line(strip, min(_STRIP_CELLS, room if is_beside else style.width - 2))
    yield Text()
    yield Text("  ").append_text(line).append("  " if is_beside else "\n  ").append_text(words)


def _at_stake(strip: PromptStrip) -> str:
    """Return how much is lost; where no literal is, the first part behind the break that lives longer."""
    if strip.lost_tokens:
        return f"{strip.lost_tokens:,} of {counted(strip.total_tokens, 'token')}"
    at = 0 if strip.break_index is None else strip.break_index
    behind = (part.label for part in strip.parts[at + 1 :] if part.lifetime > strip.parts[at].lifetime)
    # A value printed anew in each old turn has the history around it, not behind it.
    return safe_line(next(behind, "history"))

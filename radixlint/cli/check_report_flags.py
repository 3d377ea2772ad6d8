"""In which form ``check`` reports, where to, and what it says instead of a report or beside it."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click
from click.core import ParameterSource

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_USAGE, say
from radixlint.cli.help_sections import section
from radixlint.cli.output import deliver, format_option, render
from radixlint.plural import counted

if TYPE_CHECKING:
    from radixlint.config import Settings
    from radixlint.result.finding import CheckReport

_MAX_LINES: Final = 20
_MOST_ALIKE: Final = 3
_STATISTICS: Final = {"text": "text", "full": "text", "concise": "text", "json": "json"}

_files = section("Which files")
_settings = section("Which settings")
_report = section("Report and exit code")

_OPTIONS: Final = (
    format_option("check"),
    _report("--output", "--output-file", "output", metavar="FILE", help="Write to FILE, whole or not at all; default: stdout."),
    _report("--statistics", is_flag=True, help="Count findings by rule instead, as text or JSON."),
    _report("--quiet", "-q", is_flag=True, help="No notes on stderr, errors only."),
    _files("--show-files", is_flag=True, help="List the files that are checked, and stop."),
    _settings("--show-settings", is_flag=True, help="Print the settings and the rules that run, and stop."),
)


class ReportFlags(NamedTuple):
    """What the user wants to read; ``output`` is a file, None or ``-`` for stdout."""

    output_format: str
    output: str | None
    statistics: bool
    quiet: bool
    show_files: bool
    show_settings: bool

    @property
    def is_on_stdout(self) -> bool:
        """Whether the report goes to stdout."""
        return self.output in (None, "-")

    def text(self, report: CheckReport, settings: Settings) -> str:
        """Return the report as it is to be written."""
        name = self.output_format
        is_default = click.get_current_context().get_parameter_source("output_format") is ParameterSource.DEFAULT
        if is_default and settings.output_format is not None:
            name = settings.output_format
        if not self.statistics:
            return render("check", name, report, self.output)
        if name not in _STATISTICS:
            raise click.UsageError(f"--statistics has no form {name!r} (text or json)")
        return render("statistics", _STATISTICS[name], report, self.output)

    def tell(self, report: CheckReport, paths: tuple[str, ...]) -> int:
        """Say on stderr what was skipped and what else there is to know; return 2 if a file that was named was not checked."""
        faults = [f"{item.path}: {item.reason}" for item in report.skipped if item.is_fault]
        passed = [item for item in report.skipped if not item.is_fault]
        reasons = Counter(item.reason for item in passed if item.is_counted)
        lines = [f"{reason} ({counted(number, 'file')})" for reason, number in reasons.items()]
        lines += [f"{item.path}: skipped: {item.reason}" for item in passed if not item.is_counted]
        lines += _joined(report.notes)
        if report.files == 0 and not report.skipped:
            lines.append(f"no prompt found in {', '.join(paths) or 'the current folder'}")
        _say_some("error", faults)
        if not self.quiet:
            _say_some("note", lines)
        return EXIT_USAGE if faults else EXIT_CLEAN

    def list_files(self, report: CheckReport) -> None:
        """Write the names of the files that were checked, one a line."""
        from radixlint.safe_text import safe_line

        deliver("".join(f"{safe_line(path)}\n" for path in report.paths), self.output)


def _joined(notes: Sequence[str]) -> Iterator[str]:
    """Yield notes; of those that say the same of many files the first ones, and how many more there are."""
    same = Counter(map(_words, notes))
    left = {words: number for words, number in same.items() if number > _MOST_ALIKE}
    told: Counter[str] = Counter()
    for note in notes:
        words = _words(note)
        told[words] += 1
        if words not in left or told[words] < _MOST_ALIKE:
            yield note
        elif told[words] == _MOST_ALIKE:
            yield f"{counted(left[words] - _MOST_ALIKE + 1, 'more file')}: {words}; all in --format json"


def _words(note: str) -> str:
    """Return what a note says of its file, without the details behind a colon."""
    _, _, said = note.partition(": ")
    return said.partition(":")[0]


def _say_some(kind: str, lines: list[str]) -> None:
    for line in lines[:_MAX_LINES]:
        say(f"{kind}: {line}")
    if len(lines) > _MAX_LINES:
        say(f"{kind}: {len(lines) - _MAX_LINES} more {kind}s, all in --format json")


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the six options to a command; it takes them as one argument, ``report_flags``."""

    @functools.wraps(command)
    def joined(*arguments: Any, **given: Any) -> Any:
        flags = ReportFlags(**{name: given.pop(name) for name in ReportFlags._fields})
        return command(*arguments, report_flags=flags, **given)

    for option in reversed(_OPTIONS):
        joined = option(joined)
    return joined

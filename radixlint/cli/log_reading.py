"""What every command that reads a log says on stderr about the reading, and the exit code that follows from it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_USAGE, say
from radixlint.plural import counted

if TYPE_CHECKING:
    from rich.progress import Progress

NO_REPORT: Final = (
    ("2", "wrong usage, no readable record, or over 5 % unreadable ones"),
    ("3", "a fault of radixlint"),
)
"""The exit codes of commands that report on a log, but for a report that was written."""
_LEAST_BYTES: Final = 20_000_000


@contextlib.contextmanager
def reading_progress(paths: Sequence[str], *, is_quiet: bool = False) -> Iterator[Callable[[int, int | None], None] | None]:
    """Give what shows on stderr, if that is a terminal, how far the reading of ``paths`` is; ``-`` from a terminal is told.

    Nothing of this if ``is_quiet``.
    """
    if is_quiet:
        yield None
        return
    if "-" in paths and sys.stdin is not None and sys.stdin.isatty():
        say("reading standard input, end with Ctrl-D")
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    line = _ProgressLine()
    try:
        yield line.show
    finally:
        line.stop()


class _ProgressLine:
    """A bar with the time left, on one line that disappears; small logs have none."""

    def __init__(self) -> None:
        self._bar: Progress | None = None

    def show(self, done_bytes: int, total_bytes: int | None) -> None:
        if done_bytes == total_bytes:
            self.stop()
        elif self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done_bytes, total=total_bytes, refresh=True)
        elif max(done_bytes, total_bytes or 0) >= _LEAST_BYTES:
            self._bar = _opened_bar(done_bytes, total_bytes)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _opened_bar(done_bytes: int, total_bytes: int | None) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    console, one_line = Console(file=sys.stderr), Column(no_wrap=True)
    columns = (
        TextColumn("reading", table_column=one_line),
        BarColumn(),
        DownloadColumn(table_column=one_line),
        TimeRemainingColumn(table_column=one_line),
    )
    bar = Progress(*columns, console=console, transient=True, auto_refresh=False, disable=console.is_dumb_terminal)
    bar.add_task("reading", completed=done_bytes, total=total_bytes)
    bar.start()
    return bar


def is_shown(output_format: str, output: str | None) -> bool:
    """Whether the report, which lists what reading altered, stands on the terminal where stderr would say it again."""
    return output_format == "text" and output in (None, "-") and sys.stdout is not None and sys.stdout.isatty()


def tell_reading(records: int, read: int, alterations: Sequence[str], *, is_lenient: bool, is_quiet: bool = False) -> int:
    """Say what was skipped, dropped or altered; return 2 if more than 5 % was skipped and ``is_lenient`` is not set.

    ``alterations`` are sentences with the reasons and first places; the report is written in any case. If ``is_quiet``
    the error alone is said.
    """
    from radixlint.traffic import has_too_many_bad_records

    if read < records and not is_quiet:
        say(f"warning: {records - read:,} of {counted(records, 'record')} skipped")
    for sentence in () if is_quiet else alterations:
        say(f"note: {sentence}")
    if has_too_many_bad_records(records, read) and not is_lenient:
        say("error: over 5 % of the records could not be read (--lenient accepts this; the rates are then lower bounds)")
        return EXIT_USAGE
    return EXIT_CLEAN

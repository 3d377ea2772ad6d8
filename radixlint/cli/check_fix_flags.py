"""``check --fix``, ``--unsafe-fixes``, ``--diff`` and ``--show-fixes``: the options, and what is said about fixes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, say
from radixlint.cli.help_sections import section
from radixlint.cli.output import deliver, render, silence_stdout
from radixlint.plural import counted

if TYPE_CHECKING:
    from radixlint.api.check_options import CheckOptions
    from radixlint.api.fixing import FixRun
    from radixlint.result.finding import CheckReport
    from radixlint.result.fix import FileFix

_fixes = section("Fixes")

_OPTIONS: Final = (
    _fixes("--fix", is_flag=True, help="Apply safe fixes, then report what is left."),
    _fixes("--unsafe-fixes", is_flag=True, help="Also take, or mark as fixable, what changes the order or words of a prompt."),
    _fixes("--diff", is_flag=True, help="Print what --fix would change, write nothing; exit 1 if there is anything."),
    _fixes("--show-fixes", is_flag=True, help="With --fix: list each fix on stderr, as --diff does."),
)


class FixFlags(NamedTuple):
    """What the user asked of fixes."""

    fix: bool
    unsafe: bool
    diff: bool
    show: bool

    @property
    def is_on(self) -> bool:
        """Whether any file is to be fixed, or a diff shown."""
        return self.fix or self.diff


def fix_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the four options to a command; it takes them as one argument, ``fix_flags``."""

    @functools.wraps(command)
    def joined(*arguments: Any, fix: bool, unsafe_fixes: bool, diff: bool, show_fixes: bool, **others: Any) -> Any:
        if fix and diff:
            raise click.UsageError("--fix and --diff exclude each other")
        if show_fixes and not (fix or diff):
            raise click.UsageError("--show-fixes lists fixes that are made: it needs --fix or --diff")
        return command(*arguments, fix_flags=FixFlags(fix, unsafe_fixes, diff, show_fixes), **others)

    for option in reversed(_OPTIONS):
        joined = option(joined)
    return joined


def fixed(options: CheckOptions, flags: FixFlags, keep: Callable[[CheckReport], CheckReport] | None = None) -> FixRun:
    """Check, fix, and check again; ``keep`` leaves out findings that are not to be shown, and so not fixed.

    Raises:
        RadixlintError: as ``fix_paths``.
    """
    from radixlint.api.fixing import fix_paths

    return fix_paths(options, with_unsafe=flags.unsafe, is_dry=flags.diff, keep=keep or (lambda report: report))


def told(run: FixRun, flags: FixFlags, *, is_quiet: bool) -> int:
    """Say what was fixed, on stderr; with --diff print the diff, with - among the files the fixed text, on stdout.

    If ``is_quiet``, no more is said than was asked for. Returns 2 if a file could not be fixed, else the exit code of --diff:
    whether anything would change.
    """
    changed = [file for file in run.files if file.after != file.before]
    if flags.diff:
        deliver(render("fix", "diff", run.files), None)
    elif run.stdin is not None:
        _write(run.stdin)
    if flags.show or (flags.diff and not is_quiet):
        for file in changed:
            for fix in file.applied:
                place = f"{file.path}:{fix.span.line}:{fix.span.column}"
                say(f"{place}: {fix.rule} {fix.name}: {'would be ' if flags.diff else ''}fixed ({fix.safety}){_note(fix.note)}")
    _say_not_fixed(run, is_quiet=is_quiet)
    if not is_quiet:
        say(_in_short(run, changed, flags))
    if run.refused:
        return EXIT_USAGE
    return EXIT_FINDINGS if changed else EXIT_CLEAN


def _say_not_fixed(run: FixRun, *, is_quiet: bool) -> None:
    for error in run.refused:
        say(f"error: {error}")
    for file in () if is_quiet else run.files:
        for fault in file.withdrawn:
            say(f"note: {file.path}:{fault.span.line}:{fault.span.column}: {fault.rule} not fixed: {fault.reason}")


def _in_short(run: FixRun, changed: Sequence[FileFix], flags: FixFlags) -> str:
    """Return how many findings were repaired, how many that only showed then, and how many another option would."""
    count, further = sum(len(file.applied) for file in changed), sum(file.further for file in changed)
    unsafe = 0 if flags.unsafe else sum(bool(f.edits) and f.fix_safety == "unsafe" for f in run.report.findings)
    line = "would fix " if flags.diff else "fixed "
    line += f"{counted(count, 'finding')} in {counted(len(changed), 'file')}" if changed else "nothing"
    if further:
        line += f", {further:,} more after that"
    if unsafe:
        line += f"; {unsafe:,} more fixable with {'--diff' if flags.diff else '--fix'} --unsafe-fixes"
    return line


def say_report(text: str) -> None:
    """Write a report to stderr, where stdout holds a fixed text."""
    click.echo(text, err=True, nl=False)


def _note(note: str) -> str:
    return f": {note}" if note else ""


def _write(data: bytes) -> None:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        silence_stdout()

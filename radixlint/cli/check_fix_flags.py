"""``check --fix``, ``--unsafe-fixes``, ``--diff`` and ``--show-fixes``: the options, and what is said about fixes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, say
from radixlint.cli.help_sections import section
from radixlint.cli.output import deliver, render, silence_stdout

if TYPE_CHECKING:
    from radixlint.api.check_options import CheckOptions
    from radixlint.api.fixing import FixRun
    from radixlint.result.finding import CheckReport

_fixes = section("Fixes")

_OPTIONS: Final = (
    _fixes("--fix", is_flag=True, help="Apply safe fixes, then report what is left."),
    _fixes("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also fixes that change the order or words of a prompt."),
    _fixes("--diff", is_flag=True, help="Print what --fix would change, write nothing; exit 1 if there is anything."),
    _fixes("--show-fixes", is_flag=True, help="List every fix that was applied."),
)


@dataclass(frozen=True, slots=True)
class FixFlags:
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
    """Add the four options to a command; it takes them as one argument, ``fix_flags``.

    The command joins them so, in place of ``report = check_paths(options)``, ``deliver`` and ``_tell``::

        run = fixed(options, fix_flags) if fix_flags.is_on else None
        report = run.report if run else check_paths(options)
        text = render("check", output_format, report, output)
        if run and fix_flags.diff:
            return told(run, fix_flags)
        if run and run.stdin is not None and output is None:
            say_report(text)  # stdout holds the fixed text
        else:
            deliver(text, output)
        if run:
            told(run, fix_flags)
    """

    @functools.wraps(command)
    def joined(*arguments: Any, fix: bool, unsafe_fixes: bool, diff: bool, show_fixes: bool, **others: Any) -> Any:
        if fix and diff:
            raise click.UsageError("--fix and --diff exclude each other")
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


def told(run: FixRun, flags: FixFlags) -> int:
    """Say what was fixed, on stderr; with --diff print the diff, with - among the files the fixed text, on stdout.

    Returns the exit code of --diff: whether anything would change.
    """
    changed = [file for file in run.files if file.after != file.before]
    count = sum(len(file.applied) for file in changed)
    if flags.diff:
        deliver(render("fix", "diff", run.files), None)
    elif run.stdin is not None:
        _write(run.stdin)
    if flags.show or flags.diff:
        for file in changed:
            for fix in file.applied:
                place = f"{file.path}:{fix.span.line}:{fix.span.column}"
                say(f"{place}: {fix.rule} {fix.name}: {'would be ' if flags.diff else ''}fixed ({fix.safety}){_note(fix.note)}")
    for file in run.files:
        for fault in file.withdrawn:
            say(f"note: {file.path}:{fault.span.line}:{fault.span.column}: {fault.rule} not fixed: {fault.reason}")
    verb = "would fix" if flags.diff else "fixed"
    say(f"{verb} {_counted(count, 'finding')} in {_counted(len(changed), 'file')}")
    return EXIT_FINDINGS if changed else EXIT_CLEAN


def say_report(text: str) -> None:
    """Write a report to stderr, where stdout holds a fixed text."""
    click.echo(text, err=True, nl=False)


def _note(note: str) -> str:
    return f": {note}" if note else ""


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _write(data: bytes) -> None:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        silence_stdout()

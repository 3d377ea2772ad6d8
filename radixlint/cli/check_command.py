"""``radixlint check``: options and exit code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, say
from radixlint.cli.check_file_flags import FileFlags, file_options
from radixlint.cli.check_fix_flags import FixFlags, fix_options, fixed, hint_of, say_report, told
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render

if TYPE_CHECKING:
    from radixlint.config import Settings
    from radixlint.result.finding import CheckReport

_MAX_NOTES: Final = 20


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--select", multiple=True, metavar="CODES", help="Run only these rules: codes, names, prefixes (RL2) or ALL.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave these rules out; added to the config file's.")
@click.option("--exclude", multiple=True, metavar="GLOBS", help="Pass these files and folders over; added to the config file's.")
@format_option("check")
@output_option()
@file_options
@fix_options
@click.option("--config", metavar="FILE", help="Read this config file instead of searching for one.")
@click.option("--isolated", is_flag=True, help="Read no config file.")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), help="Lowest severity that exits 1.  [default: warning]")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even with findings.")
@click.option(
    "--stdin-filename", metavar="NAME", default="stdin.j2", show_default=True, help="The name of -; decides its format."
)
def check(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exclude: tuple[str, ...],
    output_format: str,
    output: str | None,
    config: str | None,
    isolated: bool,
    fail_on: str | None,
    exit_zero: bool,
    stdin_filename: str,
    file_flags: FileFlags,
    fix_flags: FixFlags,
) -> int:
    """Check prompt templates and request bodies for what breaks the prefix.

    PATHS are files, folders (the current one if none is given), or - for standard input. Codes and globs may be
    repeated or separated by commas. --select replaces what the config file selects and ignores.

    Exit code: 0 no finding at or above --fail-on, 1 findings, 2 wrong usage or unreadable input.
    """
    from radixlint.api.check_options import CheckOptions
    from radixlint.api.checking import check_paths

    refuse_overwriting([output], paths)
    settings = _settings(config, isolated)
    options = CheckOptions(
        arguments=paths or (".",),
        settings=settings,
        start=Path.cwd(),
        select=_split(select),
        ignore=_split(ignore),
        exclude=_split(exclude),
        stdin_name=stdin_filename,
        read_stdin=_read_stdin,
    )
    options = file_flags.applied(options)
    run = fixed(options, fix_flags) if fix_flags.is_on else None
    if run and fix_flags.diff:
        return told(run, fix_flags)
    report = run.report if run else check_paths(options)
    text = render("check", output_format, report, output)
    if run and run.stdin is not None and output is None:
        say_report(text)
    else:
        deliver(text, output)
    if run:
        told(run, fix_flags)
    elif hint := hint_of(report):
        say(hint)
    _tell(report, paths)
    level = fail_on or settings.fail_on.value
    return EXIT_FINDINGS if not exit_zero and _fails(report, level) else EXIT_CLEAN


def _settings(config: str | None, isolated: bool) -> Settings:
    from radixlint.config import load_settings

    if config is not None and isolated:
        raise click.UsageError("--config and --isolated exclude each other")
    return load_settings(Path.cwd(), Path(config) if config is not None else None, is_isolated=isolated)


def _split(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for value in values for part in value.split(",") if (word := part.strip()))


def _read_stdin(most_bytes: int) -> bytes:
    if sys.stdin.isatty():
        say("reading a prompt from the terminal; end it with Ctrl-D")
    return sys.stdin.buffer.read(most_bytes)


def _tell(report: CheckReport, paths: tuple[str, ...]) -> None:
    lines = [f"{item.path}: skipped: {item.reason}" for item in report.skipped] + list(report.notes)
    for line in lines[:_MAX_NOTES]:
        say(f"note: {line}")
    if len(lines) > _MAX_NOTES:
        say(f"note: {len(lines) - _MAX_NOTES} more notes, all in --format json")
    if report.files == 0 and not report.skipped:
        say(f"note: no prompt file found in {', '.join(paths) or 'the current folder'}")


def _fails(report: CheckReport, level: str) -> bool:
    failing = ("error",) if level == "error" else ("error", "warning")
    return any(finding.severity.value in failing for finding in report.findings)

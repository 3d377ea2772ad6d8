"""``radixlint check``: the order of its steps; each group of options has a module of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_USAGE, say
from radixlint.cli.check_file_flags import FileFlags, file_options
from radixlint.cli.check_fix_flags import FixFlags, fix_options, fixed, say_report, told
from radixlint.cli.check_log_flags import JoinFlags, join_options
from radixlint.cli.check_report_flags import ReportFlags, report_options
from radixlint.cli.check_result_flags import ResultFlags, result_options
from radixlint.cli.check_rule_flags import RuleFlags, rule_options, split
from radixlint.cli.check_speed_flags import SpeedFlags, keep_run, speed_options
from radixlint.cli.help_sections import SectionedCommand, section
from radixlint.cli.output import deliver, refuse_overwriting

if TYPE_CHECKING:
    from radixlint.api.check_options import CheckOptions

_files = section("Which files")


@click.command(
    cls=SectionedCommand,
    has_every_name=True,
    examples=(
        "radixlint check prompts/",
        "radixlint check prompts/ --fix",
        "radixlint check prompts/ --diff --unsafe-fixes",
        "radixlint check prompts/ --select RL2 --format sarif --output radixlint.sarif",
    ),
    exit_codes=(
        ("0", "no finding that fails"),
        ("1", "findings at or above --fail-on; with --diff: something would be fixed"),
        ("2", "wrong usage, or a file that was named could not be checked"),
        ("3", "a fault of radixlint"),
    ),
)
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@_files("--exclude", multiple=True, metavar="GLOBS", help="Pass these files and folders over; added to the config file's.")
@_files("--stdin-filename", metavar="NAME", default="stdin.j2", show_default=True, help="The name of -; decides its format.")
@rule_options
@file_options
@fix_options
@result_options
@join_options
@report_options
@speed_options
def check(
    paths: tuple[str, ...],
    exclude: tuple[str, ...],
    stdin_filename: str,
    file_flags: FileFlags,
    rule_flags: RuleFlags,
    fix_flags: FixFlags,
    result_flags: ResultFlags,
    join_flags: JoinFlags,
    report_flags: ReportFlags,
    speed_flags: SpeedFlags,
) -> int:
    """Check prompt templates and request bodies for what breaks the prefix.

    PATHS are files, folders (the current one if none is given), or - for standard input. Codes and globs may be
    repeated or separated by commas. --select replaces what the config file selects and ignores.
    """
    from radixlint.api.check_options import CheckOptions

    read = [*paths, *join_flags.logs, *filter(None, [result_flags.baseline])]
    refuse_overwriting([report_flags.output, result_flags.write_baseline], read)
    options = CheckOptions(
        arguments=paths or (".",),
        settings=speed_flags.applied(rule_flags.settings(Path.cwd())),
        start=Path.cwd(),
        select=rule_flags.select,
        extend_select=rule_flags.extend_select,
        ignore=rule_flags.ignore,
        exclude=split(exclude),
        stdin_name=stdin_filename,
        read_stdin=_read_stdin,
    )
    if report_flags.show_settings:
        from radixlint.api.shown_settings import shown_settings

        deliver(shown_settings(file_flags.applied(options)), report_flags.output)
        return EXIT_CLEAN
    return _checked(file_flags.applied(options), paths, fix_flags, result_flags, join_flags, report_flags)


def _checked(
    options: CheckOptions,
    paths: tuple[str, ...],
    fix_flags: FixFlags,
    result_flags: ResultFlags,
    join_flags: JoinFlags,
    report_flags: ReportFlags,
) -> int:
    """Check and fix, write what was found, and return the exit code."""
    from msgspec.structs import replace

    from radixlint.api.checking import check_files, check_paths, report_of

    join_flags.refuse_others(paths, is_fixing=fix_flags.is_on)
    if report_flags.show_files:
        report = check_paths(options)
        report_flags.list_files(report)
        return report_flags.tell(report, paths)
    keep = result_flags.keep(options)
    run = fixed(options, fix_flags, keep) if fix_flags.is_on else None
    if run and fix_flags.diff:
        return max(told(run, fix_flags, is_quiet=report_flags.quiet), report_flags.tell(run.report, paths))
    if run:
        report, log_code = result_flags.store(run.report, options.start), EXIT_CLEAN
    else:
        checked = check_files(options)
        report, log_code = join_flags.joined(result_flags.store(keep(report_of(checked)), options.start), checked)
    report = replace(report, takes_unsafe=fix_flags.unsafe)
    text = report_flags.text(report, options.settings)
    if run and run.stdin is not None and report_flags.is_on_stdout:
        say_report(text)  # stdout holds the fixed text
    else:
        deliver(text, report_flags.output)
    if run:
        told(run, fix_flags, is_quiet=report_flags.quiet)
    file_code = max(report_flags.tell(report, paths), EXIT_USAGE if run and run.refused else EXIT_CLEAN)
    is_plain = not (run or join_flags.logs or report_flags.output or result_flags.is_more_than_files)
    code = log_code or file_code or result_flags.exit_code(report, options.settings)
    return keep_run(text, code) if is_plain and options.settings.cache else code


def _read_stdin(most_bytes: int) -> bytes:
    if sys.stdin.isatty():
        say("reading a prompt from the terminal; end it with Ctrl-D")
    return sys.stdin.buffer.read(most_bytes)

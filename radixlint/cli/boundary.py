"""The console boundary: every error becomes one clear line on stderr and one of the documented exit codes."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Final, NoReturn

import click

from radixlint.cli import kept_run
from radixlint.cli.early_stop import EXIT_INTERRUPTED
from radixlint.cli.output import silence_stdout
from radixlint.errors import RadixlintError
from radixlint.safe_text import safe_line

EXIT_CLEAN: Final = 0
EXIT_FINDINGS: Final = 1
EXIT_USAGE: Final = 2
EXIT_BUG: Final = 3


def say(line: str) -> None:
    """Write one line to stderr, escaped; if stderr is gone, there is nobody to tell."""
    shown = safe_line(line)
    if kept_run.current is not None:
        kept_run.current.said.append(shown)
    with contextlib.suppress(OSError):
        click.echo(shown, err=True)


def run_guarded(command: click.Command) -> NoReturn:
    """Run ``command`` and exit: 0 clean, 1 findings or no-go, 2 usage or input, 3 our bug, 130 interrupted."""
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_ClosedInput()))
    code = _run(command)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        if code != EXIT_USAGE:  # else the failed write was told when it happened
            say(f"error: cannot write to standard output: {error.strerror}")
        silence_stdout()
        code = EXIT_USAGE
    sys.exit(code)


class _ClosedInput(io.RawIOBase):
    """Stands in for a standard input that was closed before we started, so that only a command that reads it fails."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        raise RadixlintError("standard input is closed", where="-")


def _run(command: click.Command) -> int:
    try:
        result = command.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except click.ClickException as error:
        say(f"error: {error.format_message()}")
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt) as stop:
        # Click puts its own exception around the one that says how far we got.
        how_far = next((one.args for one in (stop, stop.__cause__) if isinstance(one, KeyboardInterrupt)), ())
        say(", ".join(["stopped", *map(str, how_far)]))
        return EXIT_INTERRUPTED
    except RadixlintError as error:
        for line in error.lines():
            say(f"error: {line}")
        return EXIT_USAGE
    except SystemExit:
        # Click's answer to a reader that has gone is code 1, which here would say that there are findings.
        silence_stdout()
        return EXIT_CLEAN
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        say(f"error: {place}{error.strerror or error}")
        return EXIT_USAGE
    except Exception as error:  # noqa: BLE001 - the one place that turns our own bugs into exit code 3
        return _report_bug(error)
    return result if isinstance(result, int) else EXIT_CLEAN


def _report_bug(error: Exception) -> int:
    if os.environ.get("RADIXLINT_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
        return EXIT_BUG
    say(f"internal error: {type(error).__name__}: {error}")
    say("this is a bug in radixlint; set RADIXLINT_TRACEBACK=1 to see the traceback when you report it")
    return EXIT_BUG

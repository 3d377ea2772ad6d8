"""How a report is written, and where it goes: stdout, or a file that is written whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from radixlint import reports, whole_file
from radixlint.cli.help_sections import section
from radixlint.cli.known_word import KnownWord
from radixlint.errors import RadixlintError
from radixlint.plugins import load_plugin, plugin_names
from radixlint.reports import TextStyle


def format_names(subject: str) -> tuple[str, ...]:
    """Return the formats ``subject`` can be written in, sorted: those of the reports ``<subject>_<format>``; none is imported."""
    start = f"{subject}-"
    return tuple(name.removeprefix(start) for name in plugin_names(reports) if name.startswith(start))


def format_option(subject: str, default: str = "text") -> Callable[[Any], Any]:
    """Return the click option ``--format`` (also ``--output-format``) of a command; its value is named ``output_format``.

    ``--json`` is short for ``--format json``; a format that is named wins.
    """
    names = format_names(subject)
    words = f"How it is written: {', '.join(names)}."
    option = section()(
        *("--format", "--output-format", "output_format"),
        type=KnownWord(names),
        default=default,
        show_default=True,
        metavar="NAME",
        help=words,
    )
    # Eager, so that the default has changed before the option above asks for it.
    short = section()(
        "--json", is_flag=True, is_eager=True, expose_value=False, callback=_take_json, help="Short for --format json."
    )
    return lambda command: option(short(command))


def _take_json(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        context.default_map = {**(context.default_map or {}), "output_format": "json"}


def output_option() -> Callable[[Any], Any]:
    """Return the click option ``--output`` of a command whose report goes to stdout if it is not given."""
    return section()("--output", metavar="FILE", help="Write to FILE, whole or not at all; default: stdout.")


def render(subject: str, output_format: str, value: object, output: str | None = None) -> str:
    """Return ``value`` as the report ``<subject>_<output_format>``, laid out for stdout, or plain if ``output`` is a file."""
    style = terminal_style() if output in (None, "-") else TextStyle()
    return str(load_plugin(reports, f"{subject}-{output_format}").render(value, style))


def deliver(text: str, output: str | None) -> None:
    """Write ``text`` (UTF-8) to the file ``output``, or to stdout if it is None or ``-``.

    A file appears under its name only when all of it was written.

    Raises:
        RadixlintError: the file, or stdout, cannot be written; a reader that has gone is no error, it has what it wanted.
    """
    if output is None or output == "-":
        _write_stdout(text)
        return
    write_whole(Path(output), text)


def _write_stdout(text: str) -> None:
    if sys.stdout is None:
        raise RadixlintError("standard output is closed", hint="--output FILE writes to a file")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        raise RadixlintError(f"cannot write to standard output: {error.strerror}") from error


def silence_stdout() -> None:
    """Send what is still to be written to stdout nowhere: the interpreter flushes it once more at exit, and would complain."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse_overwriting(targets: Iterable[str | None], inputs: Iterable[str]) -> None:
    """Make sure, before anything is read, that no file of ``targets`` is one of ``inputs`` or named twice; ``-`` is no file.

    Raises:
        RadixlintError: a report would destroy what it is made from, or another report.
    """
    taken = [(Path(name), "it is read by this command") for name in inputs if name != "-"]
    for name in targets:
        if name is None or name == "-":
            continue
        target = Path(name)
        for other, reason in taken:
            if target == other or (target.is_file() and other.is_file() and target.samefile(other)):
                raise RadixlintError(f"would be overwritten, and {reason}", where=name, hint="write to another file")
        taken.append((target, "another report goes there"))


def write_whole(path: Path, text: str) -> None:
    """Write ``text`` to a temporary file beside ``path`` and rename it into place; links to files are replaced, not followed.

    What is no regular file (a device, a pipe) is written into. A missing folder is made, one level deep.

    Raises:
        RadixlintError: it cannot be written; what was there before is unchanged.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        path.parent.mkdir(exist_ok=True)
        whole_file.write_whole(path, data, _mode_for(path))
    except OSError as error:
        raise RadixlintError(f"cannot write: {error.strerror}", where=str(path)) from error


def _mode_for(path: Path) -> int:
    """Return the permissions a file had, or those that the user's umask gives a new one."""
    if path.exists() and not path.is_symlink():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def terminal_style() -> TextStyle:
    """Return the style for stdout: its width and colours if it is a terminal, else 100 columns and no colour.

    ``NO_COLOR`` (not empty) switches colour off, ``FORCE_COLOR`` (not empty) switches it on.
    """
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    can_color = is_terminal and os.environ.get("TERM") != "dumb"
    color = bool(os.environ.get("FORCE_COLOR")) or (can_color and not os.environ.get("NO_COLOR"))
    width = shutil.get_terminal_size((100, 24)).columns if is_terminal else 100
    return TextStyle(width=max(40, min(width, 160)), color=color)

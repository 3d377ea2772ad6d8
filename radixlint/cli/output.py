"""Where a report goes: stdout, or a file that is written whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from radixlint.errors import RadixlintError
from radixlint.reports import TextStyle


def deliver(text: str, output: str | None) -> None:
    """Write ``text`` (UTF-8) to the file ``output``, or to stdout if it is None or ``-``.

    A file appears under its name only when all of it was written.

    Raises:
        RadixlintError: the file cannot be written.
    """
    if output is None or output == "-":
        stream = sys.stdout.buffer
        stream.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
        return
    write_whole(Path(output), text)


def write_whole(path: Path, text: str) -> None:
    """Write ``text`` to a temporary file beside ``path`` and rename it into place; links are replaced, not followed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise RadixlintError(f"cannot write: {error.strerror}", where=str(path)) from error
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise RadixlintError(f"cannot write: {error.strerror}", where=str(path)) from error
    except BaseException:
        os.unlink(name)
        raise


def terminal_style() -> TextStyle:
    """Return the style for stdout: its width and colours if it is a terminal, else 100 columns and no colour.

    ``NO_COLOR`` (not empty) switches colour off, ``FORCE_COLOR`` (not empty) switches it on.
    """
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    color = bool(os.environ.get("FORCE_COLOR")) or (is_terminal and not os.environ.get("NO_COLOR"))
    width = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100
    return TextStyle(width=max(40, min(width, 160)), color=color)

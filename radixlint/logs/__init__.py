"""Lines to requests; a log format is a module of this package with ``NAME``, ``ACCEPTS``, ``MISSING``, ``find`` and ``read``.

``find(record)`` returns the envelopes around the request, the request last, or nothing if this is another format;
``read(envelopes, index, tally)`` returns the ``Request`` or raises ``RecordError`` with a short, stable reason.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import BinaryIO

from radixlint.errors import ConfigError
from radixlint.logs._log_reader import Format, read_files
from radixlint.logs._read_options import ReadOptions
from radixlint.plugins import load_plugin, plugin_names
from radixlint.traffic import LogRead

__all__ = ["ReadOptions", "format_names", "read_logs"]


def format_names() -> tuple[str, ...]:
    """Return the names of the log formats, sorted; nothing is loaded."""
    return plugin_names(sys.modules[__name__])


def read_logs(
    paths: Sequence[str],
    options: ReadOptions | None = None,
    *,
    stdin: BinaryIO | None = None,
) -> LogRead:
    """Read the files ``paths`` (``-`` is ``stdin``), plain or gzip, as one log in the order given.

    Bad records are skipped and counted by reason; everything dropped or altered is named in the notes.

    Args:
        paths: what to read; each file holds one JSON object a line.
        options: what of the files is read, and how.
        stdin: what ``-`` stands for.

    Raises:
        LogError: a file cannot be opened or read, or no record at all is readable.
        ConfigError: there is no such format.
    """
    options = options or ReadOptions()
    format = options.format  # noqa: A001 - the name of the command's option
    if format is not None and format not in format_names():
        raise ConfigError(f"unknown log format {format!r}", hint=f"known: {', '.join(format_names())}")
    return read_files(
        paths, [_load(name) for name in (format_names() if format is None else (format,))], stdin, options.max_record_bytes
    )


def _load(name: str) -> Format:
    module = load_plugin(sys.modules[__name__], name)
    return Format(name=module.NAME, accepts=module.ACCEPTS, missing=module.MISSING, find=module.find, read=module.read)

"""Lines to requests: what a format is, and how to add one, stands in ``_log_format``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import BinaryIO

from radixlint.errors import ConfigError
from radixlint.logs._log_format import Format, formats_of
from radixlint.logs._log_reader import read_files
from radixlint.logs._metered_stream import Progress
from radixlint.logs._read_options import ReadOptions
from radixlint.logs._record_time import parse_time
from radixlint.logs._time_of_day import on_the_day, read_as, time_of_day
from radixlint.plugins import load_plugin, plugin_names
from radixlint.spelling import guess
from radixlint.traffic import LogRead

__all__ = [
    "Progress",
    "ReadOptions",
    "format_names",
    "load_formats",
    "on_the_day",
    "parse_time",
    "read_as",
    "read_logs",
    "time_of_day",
]


def format_names(maps: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of the log formats, sorted, those described by the files ``maps`` included.

    Raises:
        ConfigError: one of ``maps`` cannot be read.
    """
    return tuple(sorted(format_.name for format_ in load_formats(maps)))


def load_formats(maps: Sequence[str] = ()) -> tuple[Format, ...]:
    """Return the log formats in the order in which they are tried, those described by the files ``maps`` included.

    Raises:
        ConfigError: one of ``maps`` cannot be read.
    """
    package = sys.modules[__name__]
    loaded = [format_ for name in plugin_names(package) for format_ in formats_of(load_plugin(package, name), maps)]
    return tuple(sorted(loaded, key=lambda format_: (format_.rank, format_.name)))


def read_logs(
    paths: Sequence[str],
    options: ReadOptions | None = None,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> LogRead:
    """Read ``paths`` as one log, in the order given: files, folders, patterns of names, ``-`` for ``stdin``.

    Bad records are skipped and counted by reason; everything dropped or altered is named in the notes.

    Args:
        paths: what to read; plain, gzip or zstd, JSON or text of a known format.
        options: what of the files is read, and how.
        stdin: what ``-`` stands for.
        progress: called a few times a second with the bytes read so far (compressed, as they lie there) and all there
            are (None if that is unknown), and at the end with twice the same number.

    Raises:
        LogError: a file cannot be opened or read, or no record at all is readable.
        ConfigError: there is no such format.
        KeyboardInterrupt: with the number of records that were read until then, in words.
    """
    options = options or ReadOptions()
    formats = load_formats(options.maps)
    names = sorted(format_.name for format_ in formats)
    if options.format is not None and options.format not in names:
        raise ConfigError(
            f"unknown log format {options.format!r}", hint=f"{guess(options.format, names)}known: {', '.join(names)}"
        )
    return read_files(paths, formats, options, stdin, progress)

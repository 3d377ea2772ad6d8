"""The paths a user gives to the files that are read: files, folders, patterns of names."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from radixlint.errors import LogError

STDIN: Final = "-"
_HIDDEN: Final = "."


class LogFile(Struct, frozen=True):
    """A file to read; one that was ``found`` in a folder may be no log, one that was named is said to be one."""

    path: str
    found: bool = False


def log_files(paths: Sequence[str]) -> list[LogFile]:
    """Return the files that ``paths`` stand for, in the order given; those of a folder or pattern are sorted.

    A folder stands for all regular files in it and in its folders; links to folders are not followed, hidden ones and
    hidden files are left out. A path that does not exist may be a pattern with ``*``, ``?``, ``[...]`` or ``**``.

    Raises:
        LogError: ``-`` is given twice, or a pattern or a folder stands for no file.
    """
    if list(paths).count(STDIN) > 1:
        raise LogError("standard input is given twice", where=STDIN)
    return [file for path in paths for file in _files(path)]


def _files(path: str) -> list[LogFile]:
    if path != STDIN and glob.has_magic(path) and not os.path.lexists(path):
        matches = sorted(glob.glob(path, recursive=True))
        if not matches:
            raise LogError("no file matches", where=path)
        files = [file for match in matches for file in _one(match)]
        return list(dict.fromkeys(files))
    return _one(path)


def _one(path: str) -> list[LogFile]:
    if path == STDIN or not os.path.isdir(path):
        return [LogFile(path)]
    files = [LogFile(name, found=True) for name in sorted(_regular_files(path))]
    if not files:
        raise LogError("no file in this folder", where=path)
    return files


def _regular_files(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(_HIDDEN)]
        for name in names:
            path = os.path.join(place, name)
            if not name.startswith(_HIDDEN) and os.path.isfile(path):
                yield path

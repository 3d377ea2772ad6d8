"""Put new bytes in the place of a file: whole or not at all, with its permissions, never through a link."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from radixlint.errors import RadixlintError
from radixlint.whole_file import write_whole

_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Replacement:
    """New bytes for ``path``, shown to the user as ``shown``; ``before`` are the bytes that they were made from."""

    path: Path
    shown: str
    before: bytes
    after: bytes


def read_again(path: Path, shown: str) -> bytes:
    """Return the bytes of a file that was read before.

    Raises:
        RadixlintError: it cannot be read any more.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise RadixlintError(f"cannot be fixed: {_words(error)}", where=shown) from error


def replace_file(item: Replacement) -> None:
    """Write one file, whole or not at all.

    Raises:
        RadixlintError: it is a link, is protected, has vanished or changed, or cannot be written; it is as it was.
    """
    mode = _checked(item)
    try:
        write_whole(item.path, item.after, mode)
    except OSError as error:
        raise _refused(item, f"cannot be written: {_words(error)}") from error


def _checked(item: Replacement) -> int:
    """Return the permissions of the file."""
    try:
        found = os.lstat(item.path)
        if stat.S_ISLNK(found.st_mode):
            raise _refused(item, "is a link, and fixes do not follow links", "fix the file that it points to")
        if not stat.S_ISREG(found.st_mode):
            raise _refused(item, "is no regular file any more")
        # The superuser may write to anything; a file without any write permission is still meant to stay.
        if not found.st_mode & _WRITABLE or not os.access(item.path, os.W_OK):
            raise _refused(item, "is write-protected", "change its permissions, or leave it out with --exclude")
        if item.path.read_bytes() != item.before:
            raise _refused(item, "was changed by another program meanwhile", "run again")
    except OSError as error:
        raise _refused(item, f"cannot be fixed: {_words(error)}") from error
    return stat.S_IMODE(found.st_mode)


def _words(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _refused(item: Replacement, what: str, hint: str | None = None) -> RadixlintError:
    return RadixlintError(what, where=item.shown, hint=hint)

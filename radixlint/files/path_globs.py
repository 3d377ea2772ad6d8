"""Exclude globs: ``*`` within a path part, ``**`` across parts; a glob without a slash matches any part."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from functools import cache


def is_excluded(path: str, globs: Iterable[str]) -> str | None:
    """Return the first of ``globs`` that matches the relative POSIX ``path`` or a folder on the way to it, else None.

    >>> is_excluded("a/vendor/b.j2", ["vendor"])
    'vendor'
    >>> is_excluded("a/b.bad.j2", ["a/*.bad.*"])
    'a/*.bad.*'
    """
    parts = tuple(path.split("/"))
    for glob in globs:
        pattern = tuple(part for part in glob.removeprefix("./").split("/") if part)
        if not pattern:
            continue
        if "/" not in glob.rstrip("/"):
            if any(fnmatch.fnmatchcase(part, pattern[0]) for part in parts):
                return glob
        elif any(_matches(parts[:length], pattern) for length in range(1, len(parts) + 1)):
            return glob
    return None


def _matches(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    @cache  # without memory a glob of many ** would take exponential time
    def match(i: int, j: int) -> bool:
        if j == len(pattern):
            return i == len(parts)
        if pattern[j] == "**":
            return match(i, j + 1) or (i < len(parts) and match(i + 1, j))
        return i < len(parts) and fnmatch.fnmatchcase(parts[i], pattern[j]) and match(i + 1, j + 1)

    return match(0, 0)

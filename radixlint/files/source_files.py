"""Which files to check: walk the arguments without following links to folders, each file once, in one fixed order."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from radixlint.errors import RadixlintError
from radixlint.files.path_globs import is_excluded
from radixlint.result.finding import Skipped

SKIPPED_FOLDERS: Final = frozenset(
    {"__pycache__", "__pypackages__", "bower_components", "build", "dist", "node_modules", "site-packages", "venv"}
)
"""Folders that are not entered when walking, besides those whose name starts with a dot."""

STDIN: Final = "-"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file to check: ``path`` to open, ``shown`` as printed, ``is_named`` if it stood on the command line."""

    path: Path
    shown: str
    is_named: bool


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files to check by ``shown``, and what was passed over with a reason."""

    files: tuple[FoundFile, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class Excludes:
    """Globs relative to ``root``."""

    globs: tuple[str, ...]
    root: Path

    def match(self, path: Path) -> str | None:
        """Return the glob that excludes ``path``, None if none does."""
        return is_excluded(shown_path(path, self.root), self.globs) if self.globs else None


def shown_path(path: Path, start: Path) -> str:
    """Return ``path`` relative to ``start`` with forward slashes; nothing is resolved, the file need not exist."""
    try:
        relative = os.path.relpath(os.path.normpath(start / path), start)
    except ValueError:  # another drive on Windows
        return path.as_posix()
    return relative.replace(os.sep, "/")


def find_files(arguments: Sequence[str], excludes: Sequence[Excludes], suffixes: frozenset[str], start: Path) -> FoundFiles:
    """Return the regular files among ``arguments`` and those with a suffix of ``suffixes`` in folders among them.

    Hidden, vendor and linked folders are not entered; a file reached twice is listed once, under its own name rather
    than a link's. All arguments are looked at before anything is walked.

    Raises:
        RadixlintError: an argument does not exist or cannot be looked at.
    """
    modes = [(start / argument, _mode(start / argument, argument)) for argument in arguments]
    found: list[FoundFile] = []
    skipped: list[Skipped] = []
    for path, mode in modes:
        if stat.S_ISDIR(mode):
            _walk(path, excludes, suffixes, start, found, skipped)
        else:
            _name(path, mode, excludes, start, found, skipped)
    return FoundFiles(_each_once(found), tuple(sorted(set(skipped), key=lambda item: (item.path, item.reason))))


def _mode(path: Path, argument: str) -> int:
    try:
        if not argument:
            raise ValueError(argument)
        return path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a path"
        raise RadixlintError(
            reason.lower(), where=argument or "''", hint="give files, folders, or - for standard input"
        ) from error


def _name(
    path: Path, mode: int, excludes: Sequence[Excludes], start: Path, found: list[FoundFile], skipped: list[Skipped]
) -> None:
    shown = shown_path(path, start)
    glob = _excluded(path, excludes)
    if not stat.S_ISREG(mode):
        skipped.append(Skipped(shown, "not a regular file; use - to read standard input"))
    elif glob is not None:
        skipped.append(Skipped(shown, f"excluded by {glob}"))
    else:
        found.append(FoundFile(path, shown, is_named=True))


def _excluded(path: Path, excludes: Sequence[Excludes]) -> str | None:
    return next((glob for item in excludes if (glob := item.match(path)) is not None), None)


def _walk(
    top: Path,
    excludes: Sequence[Excludes],
    suffixes: frozenset[str],
    start: Path,
    found: list[FoundFile],
    skipped: list[Skipped],
) -> None:
    def note(error: OSError) -> None:
        skipped.append(Skipped(shown_path(Path(error.filename), start), f"cannot be read: {(error.strerror or '').lower()}"))

    for folder, names, files in os.walk(top, onerror=note):
        here = Path(folder)
        names[:] = sorted(name for name in names if _is_entered(name) and _excluded(here / name, excludes) is None)
        for path in (here / name for name in sorted(files) if name.lower().endswith(tuple(suffixes))):
            if path.name.startswith(".") or _excluded(path, excludes) is not None:
                continue
            reason = _why_not_regular(path)
            if reason is None:
                found.append(FoundFile(path, shown_path(path, start), is_named=False))
            else:
                skipped.append(Skipped(shown_path(path, start), reason))


def _is_entered(name: str) -> bool:
    return not name.startswith(".") and name not in SKIPPED_FOLDERS


def _why_not_regular(path: Path) -> str | None:
    try:
        return None if stat.S_ISREG(path.stat().st_mode) else "not a regular file"
    except FileNotFoundError:
        return "a link to nothing"
    except OSError as error:
        return f"cannot be read: {(error.strerror or '').lower()}"


def _each_once(found: list[FoundFile]) -> tuple[FoundFile, ...]:
    kept: dict[str, FoundFile] = {}
    named = {os.path.realpath(item.path) for item in found if item.is_named}
    for item in sorted(found, key=lambda item: (item.path.is_symlink(), item.shown)):
        real = os.path.realpath(item.path)
        kept.setdefault(real, FoundFile(item.path, item.shown, is_named=real in named))
    return tuple(sorted(kept.values(), key=lambda item: item.shown))

"""Which files to check: walk the arguments without following links to folders, each file once, in one fixed order."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from radixlint import opened_paths
from radixlint.errors import RadixlintError
from radixlint.files.git_ignores import GitIgnores
from radixlint.files.path_globs import is_excluded
from radixlint.result.finding import Skipped

SKIPPED_FOLDERS: Final = frozenset(
    {
        "__pycache__",
        "__pypackages__",
        "bower_components",
        "build",
        "dist",
        "dist-packages",
        "node_modules",
        "site-packages",
        "venv",
    }
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


@dataclass(frozen=True, slots=True)
class Passed:
    """What is passed over: ``excludes``, and what git ignores, None if that does not matter.

    ``is_forced`` says that files named as arguments are passed over too if git ignores them.
    """

    excludes: tuple[Excludes, ...] = ()
    git: GitIgnores | None = None
    is_forced: bool = False

    def why(self, path: Path, *, is_folder: bool) -> str | None:
        """Return why ``path``, met on the way, is passed over; None if it is not."""
        glob = next((glob for item in self.excludes if (glob := item.match(path)) is not None), None)
        if glob is not None:
            return f"excluded by {glob}"
        return "ignored by git" if self.git is not None and self._is_ignored(self.git, path, is_folder) else None

    def why_named(self, path: Path) -> str | None:
        """Return why ``path``, a file named as an argument, is passed over."""
        return (self if self.is_forced else Passed(self.excludes)).why(path, is_folder=False)

    def inside(self, folder: Path) -> Passed:
        """Return what is passed over in ``folder``, named as an argument: if git ignores all of it, it is meant all the same."""
        is_meant = self.git is not None and not self.is_forced and self._is_ignored(self.git, folder, True)
        return Passed(self.excludes) if is_meant else self

    def _is_ignored(self, git: GitIgnores, path: Path, is_folder: bool) -> bool:
        place = Path(os.path.normpath(path))
        return git.ignores_folder(place) if is_folder else git.ignores_file(place)


def find_files(arguments: Sequence[str], passed: Passed, suffixes: frozenset[str], start: Path) -> FoundFiles:
    """Return the regular files among ``arguments`` and those with a suffix of ``suffixes`` in folders among them.

    Hidden, vendor, linked and passed-over folders are not entered; a file reached twice is listed once, under its own name
    rather than a link's. All arguments are looked at before anything is walked.

    Raises:
        RadixlintError: an argument does not exist or cannot be looked at.
    """
    modes = [(start / argument, _mode(start / argument, argument)) for argument in arguments]
    found: list[FoundFile] = []
    skipped: list[Skipped] = []
    for path, mode in modes:
        if stat.S_ISDIR(mode):
            _walk(path, passed.inside(path), suffixes, start, found, skipped)
        else:
            _name(path, mode, passed, start, found, skipped)
    return FoundFiles(_each_once(found), tuple(sorted(set(skipped), key=lambda item: (item.path, item.reason))))


def _mode(path: Path, argument: str) -> int:
    try:
        if not argument:
            raise ValueError(argument)
        opened_paths.asked(path)
        return path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a path"
        raise RadixlintError(
            reason.lower(), where=argument or "''", hint="give files, folders, or - for standard input"
        ) from error


def _name(path: Path, mode: int, passed: Passed, start: Path, found: list[FoundFile], skipped: list[Skipped]) -> None:
    shown = shown_path(path, start)
    reason = passed.why_named(path)
    if not stat.S_ISREG(mode):
        skipped.append(Skipped(shown, "not a regular file; use - to read standard input", not passed.is_forced))
    elif reason is not None:
        skipped.append(Skipped(shown, reason))
    else:
        found.append(FoundFile(path, shown, is_named=True))


def _walk(
    top: Path,
    passed: Passed,
    suffixes: frozenset[str],
    start: Path,
    found: list[FoundFile],
    skipped: list[Skipped],
) -> None:
    def note(error: OSError) -> None:
        skipped.append(Skipped(shown_path(Path(error.filename), start), f"cannot be read: {(error.strerror or '').lower()}"))

    for folder, names, files in os.walk(top, onerror=note):
        here = Path(folder)
        names[:] = sorted(name for name in names if _is_entered(name) and passed.why(here / name, is_folder=True) is None)
        for path in (here / name for name in sorted(files) if name.lower().endswith(tuple(suffixes))):
            if path.name.startswith(".") or passed.why(path, is_folder=False) is not None:
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

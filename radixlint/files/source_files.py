"""Which files to check: walk the arguments without following links to folders, each file once, in one fixed order."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct

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


class FoundFile(Struct, frozen=True):
    """A regular file to check: ``path`` to open, ``shown`` as printed, ``is_named`` if it stood on the command line."""

    path: str
    shown: str
    is_named: bool


class FoundFiles(Struct, frozen=True):
    """The files to check by ``shown``, and what was passed over with a reason."""

    files: tuple[FoundFile, ...]
    skipped: tuple[Skipped, ...]


class Excludes(Struct, frozen=True):
    """Globs relative to ``root``."""

    globs: tuple[str, ...]
    root: Path

    def match(self, path: str | Path) -> str | None:
        """Return the glob that excludes ``path``, None if none does."""
        return is_excluded(shown_path(path, self.root), self.globs) if self.globs else None


def shown_path(path: str | Path, start: Path) -> str:
    """Return ``path`` relative to ``start`` with forward slashes; nothing is resolved, the file need not exist."""
    try:
        relative = os.path.relpath(os.path.normpath(os.path.join(start, path)), start)
    except ValueError:  # another drive on Windows
        relative = str(path)
    return relative.replace(os.sep, "/")


class Passed(Struct, frozen=True):
    """What is passed over: ``excludes``, and what git ignores, None if that does not matter.

    ``is_forced`` says that files named as arguments are passed over too if git ignores them.
    """

    excludes: tuple[Excludes, ...] = ()
    git: GitIgnores | None = None
    is_forced: bool = False

    def why(self, folder: str, name: str, *, is_folder: bool) -> str | None:
        """Return why ``name``, met in ``folder`` on the way, is passed over; None if it is not."""
        path = os.path.join(folder, name)
        glob = next((glob for item in self.excludes if (glob := item.match(path)) is not None), None)
        if glob is not None:
            return f"excluded by {glob}"
        if self.git is None:
            return None
        is_ignored = self._is_folder_ignored(path) if is_folder else self.git.ignores_file(_place(folder), name)
        return "ignored by git" if is_ignored else None

    def why_named(self, path: Path) -> str | None:
        """Return why ``path``, a file named as an argument, is passed over."""
        return (self if self.is_forced else Passed(self.excludes)).why(str(path.parent), path.name, is_folder=False)

    def why_walked(self, folder: Path) -> str | None:
        """Return why ``folder``, named as an argument, is passed over with all that is in it."""
        return Passed(self.excludes).why(str(folder.parent), folder.name, is_folder=True)

    def inside(self, folder: Path) -> Passed:
        """Return what is passed over in ``folder``, named as an argument: if git ignores all of it, it is meant all the same."""
        is_meant = not self.is_forced and self._is_folder_ignored(folder)
        return Passed(self.excludes) if is_meant else self

    def _is_folder_ignored(self, folder: str | Path) -> bool:
        return self.git is not None and self.git.ignores_folder(_place(folder))


@lru_cache(maxsize=8)
def _place(folder: str | Path) -> Path:
    return Path(os.path.normpath(folder))


def find_files(arguments: Sequence[str], passed: Passed, suffixes: frozenset[str], start: Path) -> FoundFiles:
    """Return the regular files among ``arguments`` and those with a suffix of ``suffixes`` in folders among them.

    Hidden, vendor, linked and passed-over folders are not entered; a file reached twice is listed once, under its own name
    rather than a link's. All arguments are looked at before anything is walked.

    Raises:
        RadixlintError: an argument does not exist or cannot be looked at.
    """
    modes = [(start / argument, _mode(start / argument, argument)) for argument in arguments]
    found: list[_Met] = []
    skipped: list[Skipped] = []
    for path, mode in modes:
        if stat.S_ISDIR(mode):
            reason = passed.why_walked(path) or _walk(path, passed.inside(path), tuple(suffixes), start, found, skipped)
            if reason is not None:
                skipped.append(Skipped(shown_path(path, start), reason))
        else:
            _name(path, mode, passed, start, found, skipped)
    return FoundFiles(_each_once(found), tuple(sorted(set(skipped), key=lambda item: (item.path, item.reason))))


class _Met(Struct, frozen=True):
    """A file as it was met, and where it really is."""

    file: FoundFile
    real: str
    is_link: bool


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


def _name(path: Path, mode: int, passed: Passed, start: Path, found: list[_Met], skipped: list[Skipped]) -> None:
    shown = shown_path(path, start)
    reason = passed.why_named(path)
    if not stat.S_ISREG(mode):
        skipped.append(Skipped(shown, "not a regular file; use - to read standard input", not passed.is_forced))
    elif reason is not None:
        skipped.append(Skipped(shown, reason))
    else:
        found.append(_Met(FoundFile(str(path), shown, is_named=True), os.path.realpath(path), path.is_symlink()))


def _walk(
    top: Path, passed: Passed, suffixes: tuple[str, ...], start: Path, found: list[_Met], skipped: list[Skipped]
) -> str | None:
    """Add the files below ``top``; return what was passed over there where that leaves nothing."""
    left, known, reasons = [str(top)], len(found), set[str]()
    while left:
        folder = left.pop()
        try:
            with os.scandir(folder) as listed:
                entries = list(listed)
        except OSError as error:
            skipped.append(Skipped(shown_path(folder, start), f"cannot be read: {(error.strerror or '').lower()}"))
            continue
        shown, real = shown_path(os.path.join(folder, "x"), start)[:-1], os.path.realpath(folder)
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            is_folder = _is_folder(entry)
            if not (_is_entered(entry) if is_folder else name.lower().endswith(suffixes)):
                continue
            why = passed.why(folder, name, is_folder=is_folder)
            if why is not None:
                reasons.add(why)
            elif is_folder:
                left.append(entry.path)
            elif (fault := _why_not_regular(entry)) is not None:
                skipped.append(Skipped(shown + name, fault))
            else:
                is_link = entry.is_symlink()
                where = os.path.realpath(entry.path) if is_link else os.path.join(real, name)
                found.append(_Met(FoundFile(entry.path, shown + name, is_named=False), where, is_link))
    return f"no prompt beside what is {', '.join(sorted(reasons))}" if reasons and len(found) == known else None


def _is_entered(folder: os.DirEntry[str]) -> bool:
    return folder.name not in SKIPPED_FOLDERS and not folder.is_symlink()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _why_not_regular(entry: os.DirEntry[str]) -> str | None:
    try:
        if entry.is_file():
            return None
        return "not a regular file" if not entry.is_symlink() or os.path.exists(entry.path) else "a link to nothing"
    except OSError as error:
        return f"cannot be read: {(error.strerror or '').lower()}"


def _each_once(found: list[_Met]) -> tuple[FoundFile, ...]:
    kept: dict[str, FoundFile] = {}
    named = {met.real for met in found if met.file.is_named}
    for met in sorted(found, key=lambda met: (met.is_link, met.file.shown)):
        kept.setdefault(met.real, FoundFile(met.file.path, met.file.shown, is_named=met.real in named))
    return tuple(sorted(kept.values(), key=lambda item: item.shown))

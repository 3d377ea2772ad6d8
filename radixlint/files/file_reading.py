"""Read a prompt file or an include: bounded, decoded, line ends normalised, never outside the folders checked."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from radixlint import opened_paths
from radixlint.errors import SourceError
from radixlint.files.request_log import IS_LOG, is_request_log
from radixlint.files.source_encoding import UTF_8, encoding_of
from radixlint.files.source_files import shown_path
from radixlint.prompt import SourceText
from radixlint.result.finding import Skipped

MAX_BYTES: Final = 6_000_000
_LOG_HEAD_BYTES: Final = 65_536
# To make room for the largest file takes longer than to read a usual one.
_FIRST_BYTES: Final = 65_536


class ReadFile(Struct, frozen=True):
    """A file as text; ``fault`` says that bytes were not UTF-8 (they stand as U+FFFD in the text)."""

    source: SourceText
    fault: SourceError | None = None


def read_file(path: str | Path, shown: str) -> ReadFile | Skipped:
    """Return the text of ``path``, or why it is skipped: binary, UTF-16, or larger than 6 MB.

    Raises:
        OSError: the file cannot be opened or read.
    """
    with open(path, "rb") as stream:
        data = stream.read(_FIRST_BYTES)
        if len(data) == _FIRST_BYTES:
            data += stream.read(MAX_BYTES + 1 - _FIRST_BYTES)
    return decode(data, shown)


def decode(data: bytes, shown: str) -> ReadFile | Skipped:
    """Return ``data`` as text without byte-order mark, every line end as LF, or why it is skipped.

    Text is UTF-8, in Python also what the file declares.
    """
    if len(data) > MAX_BYTES:
        is_log = is_request_log(data[:_LOG_HEAD_BYTES], shown)
        return Skipped(shown, IS_LOG if is_log else f"larger than {MAX_BYTES // 1_000_000} MB")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Skipped(shown, "UTF-16, not UTF-8: save it as UTF-8")
    if b"\0" in data:
        return Skipped(shown, "binary: it holds NUL bytes")
    fault = None
    try:
        text = data.decode(UTF_8)
    except UnicodeDecodeError as error:
        encoding = encoding_of(data, shown)
        if encoding != UTF_8:
            text = data.decode(encoding)
            return ReadFile(SourceText(shown, _normalised(text), _line_ends(text)))
        before = _normalised(data[: error.start].decode("utf-8"))
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        fault = SourceError(f"not UTF-8: byte 0x{data[error.start]:02x}", line=line, column=column)
        text = data.decode("utf-8", "replace")
    return ReadFile(SourceText(shown, _normalised(text), _line_ends(text), text.startswith("\ufeff")), fault)


def _normalised(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _line_ends(text: str) -> tuple[str, ...]:
    """Return the line ends of a text, the most frequent first, equals by code point; LF where it has one line only."""
    pairs = text.count("\r\n")
    found = {"\n": text.count("\n") - pairs, "\r": text.count("\r") - pairs, "\r\n": pairs}
    return tuple(sorted((end for end in found if found[end]), key=lambda end: (-found[end], end))) or ("\n",)


class FolderIncludes(Struct):
    """Opens includes below ``roots`` (real paths) and nowhere else.

    A name is looked up in the including file's folder, then in each folder above it that lies in a root, then in the
    folders ``searched``, as template loaders with a search path do.
    """

    start: Path
    roots: tuple[Path, ...]
    searched: tuple[Path, ...]
    _read: dict[Path, ReadFile | Skipped] = field(default_factory=dict)
    _searched: dict[str, tuple[Path, ...]] = field(default_factory=dict)

    def open(self, name: str, from_path: str) -> SourceText | None:
        """Return the file ``name`` as included by ``from_path`` (a path as shown), None if there is none.

        Raises:
            SourceError: the name leads out of the roots, or the file is unreadable, too large or no text.
        """
        if "\0" in name or "\\" in name or name.startswith(("/", "~")) or re.match(r"[A-Za-z][\w+.-]*:", name):
            raise _refusal(name)
        left_roots = False
        for base in self._bases(from_path):
            opened_paths.asked(base / name)
            candidate = Path(os.path.realpath(base / name))
            if not self._is_inside(candidate):
                left_roots = True
            elif _is_regular(candidate):
                return self._opened(candidate)
        if left_roots:
            raise _refusal(name)
        return None

    def _bases(self, from_path: str) -> tuple[Path, ...]:
        folder = os.path.dirname(from_path)
        if folder not in self._searched:
            here = Path(os.path.realpath((self.start / from_path).parent))
            above = [path for path in (here, *here.parents) if self._is_inside(path)]
            self._searched[folder] = tuple(dict.fromkeys((*above, *self.searched)))
        return self._searched[folder]

    def _is_inside(self, path: Path) -> bool:
        return any(path.is_relative_to(root) for root in self.roots)

    def _opened(self, path: Path) -> SourceText:
        if path not in self._read:
            shown = shown_path(path, Path(os.path.realpath(self.start)))
            try:
                self._read[path] = read_file(path, shown)
            except OSError as error:
                self._read[path] = Skipped(shown, f"cannot be read: {(error.strerror or '').lower()}")
        found = self._read[path]
        if isinstance(found, Skipped):
            raise SourceError(f"{found.path} skipped: {found.reason}")
        return found.source


def _refusal(name: str) -> SourceError:
    return SourceError(f"include of {name!r} refused: it leaves the folders checked")


def folder_includes(arguments: Iterable[Path], start: Path) -> FolderIncludes:
    """Return what opens includes below the folders given, the folders of files given, and the current one.

    What stands beside a file that is given is not looked up for other files: that would make what a name means depend on what
    else is given. The root of the file system is left out, so that running there opens nothing more.
    """
    given = {path: path.is_dir() for path in arguments}
    searched = _real((start, *(path for path, is_folder in given.items() if is_folder)))
    beside = _real(path.parent for path, is_folder in given.items() if not is_folder)
    return FolderIncludes(start, _topmost(searched | beside), tuple(sorted(searched)))


def _real(folders: Iterable[Path]) -> set[Path]:
    real = {Path(os.path.realpath(folder)) for folder in dict.fromkeys(folders)}
    return {folder for folder in real if folder != Path(folder.anchor)}


def _topmost(folders: set[Path]) -> tuple[Path, ...]:
    """Return the folders that lie in no other of them."""
    return tuple(sorted(folder for folder in folders if folders.isdisjoint(folder.parents)))


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False

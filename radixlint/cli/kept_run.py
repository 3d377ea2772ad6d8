"""The last runs of ``check``, kept so that one in which nothing has changed is answered without reading a prompt.

A kept run is what it printed, with the state (size, times, inode) of all that it looked at: prompts, includes, folders, config,
rules, ignore files and the program itself. It counts while all of these are as they were. Nothing but what the interpreter
has loaded anyway is imported here, for that is most of the time of such an answer.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Sequence
from typing import Final

from radixlint import opened_paths

_MARK: Final = b"radixlint kept run 1 "
_SUFFIX: Final = ".run"
_MOST_BYTES: Final = 20_000_000
_MOST_ALL_BYTES: Final = 100_000_000
_MOST_FILES: Final = 200
# File systems stamp in steps of some milliseconds, old ones of two seconds: a change within a step of a reading cannot be seen.
_STEP_NS: Final = 50_000_000
_COARSE_STEP_NS: Final = 2_000_000_000
_ENVIRONMENT: Final = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "PYTHONIOENCODING")
# That there is a work tree matters; what git does in it does not.
_REPOSITORY: Final = f"{os.sep}.git"
_NEVER: Final = frozenset({"-", "--no-cache", "--help", "-h", "--fix", "--diff"})


class KeptRun:
    """One run: where it is or will be kept, and what it has said so far."""

    def __init__(self, folder: str, arguments: Sequence[str]) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.notes: list[str] = []
        self._key = _key(arguments)
        self._started_ns = time.time_ns()
        self._path = os.path.join(folder, f"{zlib.crc32(self._key):08x}{len(self._key):x}{_SUFFIX}")

    def answer(self) -> int | None:
        """Print what the same run printed before and return its exit code; None if it must be made."""
        try:
            with open(self._path, "rb") as stream:
                data = stream.read(_MOST_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.notes.append(f"the kept run cannot be read and is not used: {self._path}: {error.strerror}")
            return None
        found = self._read(data)
        if found is None:
            return None
        code, said, printed = found
        try:
            sys.stdout.buffer.write(printed)
            sys.stdout.buffer.flush()
            if said:
                sys.stderr.write(said)
        except OSError:
            return None  # the run itself knows how to tell this
        return code

    def _read(self, data: bytes) -> tuple[int, str, bytes] | None:
        head, _, body = data.partition(b"\n")
        if head != _MARK + b"%08x" % zlib.crc32(body):
            self.notes.append(f"the kept run is damaged or of another version and is not used: {self._path}")
            return None
        key, code, number, rest = body.split(b"\0", 3)
        if key != self._key:
            return None
        *states, said, printed = rest.split(b"\0", int(number) * 2 + 1)
        for at in range(0, len(states), 2):
            if _state(os.fsdecode(states[at])) != states[at + 1]:
                return None
        return int(code), said.decode("utf-8", "surrogateescape"), printed

    def keep(self, printed: str, code: int) -> None:
        """Keep the run, if nothing it looked at changed meanwhile; says so once where it cannot be written."""
        paths = sorted({*opened_paths.recorded(), *_modules()} - {self._path})
        states: list[bytes] = []
        for path in paths:
            state = _state(path)
            if path == self.folder or path.startswith(self.folder + os.sep):
                continue
            if not _is_settled(state, self._started_ns):
                return
            states += (os.fsencode(path), state)
        said = "".join(f"{line}\n" for line in self.said).encode("utf-8", "surrogateescape")
        text = printed.encode("utf-8", "backslashreplace")
        fields = (self._key, str(code).encode(), str(len(states) // 2).encode(), *states, said, text)
        if b"\0" in said or sum(map(len, fields)) > _MOST_BYTES // 2:
            return
        body = b"\0".join(fields)
        from radixlint.whole_file import write_whole  # an answer that was kept needs none of it

        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            write_whole(self._path, _MARK + b"%08x\n" % zlib.crc32(body) + body, 0o600)
            _bound(self.folder)
        except OSError as error:
            self.notes.append(f"this run is not kept for the next: {error.filename or self.folder}: {error.strerror}")


def begun(arguments: Sequence[str]) -> KeptRun | None:
    """Return the run that these arguments ask for, None if it is none that is kept; from now on is remembered what is read."""
    if arguments[:1] != ["check"] or not _NEVER.isdisjoint(arguments) or sys.stdout is None or sys.stderr is None:
        return None
    folder = _folder(arguments)
    if folder is None:
        return None
    opened_paths.record()
    return KeptRun(folder, arguments)


def _folder(arguments: Sequence[str]) -> str | None:
    """Return the folder of kept runs: as asked for, else where the platform has caches."""
    for at, word in enumerate(arguments):
        if word == "--cache-dir" and at + 1 < len(arguments):
            return os.path.abspath(arguments[at + 1])
        if word.startswith("--cache-dir="):
            return os.path.abspath(word.partition("=")[2])
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        base = base if os.path.isabs(base) else os.path.join(home, ".cache")
    return os.path.join(base, "radixlint") if os.path.isabs(base) else None


def _key(arguments: Sequence[str]) -> bytes:
    """Return what the answer depends on besides files."""
    is_terminal = sys.stdout.isatty()
    try:
        width = os.get_terminal_size(sys.stdout.fileno()).columns if is_terminal else None
    except OSError:
        width = None
    environment = [(name, os.environ.get(name)) for name in _ENVIRONMENT]
    environment += sorted(
        (name, value) for name, value in os.environ.items() if name.startswith(("RADIXLINT_", "GITHUB_", "CI_"))
    )
    try:
        here = os.getcwd()
    except OSError:
        here = ""
    known = (sys.version, sys.executable, __file__, here, list(arguments), is_terminal, width, sys.flags.utf8_mode, environment)
    return repr(known).encode("utf-8", "backslashreplace")


def _state(path: str) -> bytes:
    """Return what changes when a file, or the list of names in a folder, does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return b"-"
    if path.endswith(_REPOSITORY):
        return b"%o" % found.st_mode
    return b"%o %d %d %d %d %d" % (
        found.st_mode,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_ino,
        found.st_dev,
    )


def _is_settled(state: bytes, started_ns: int) -> bool:
    """Whether a change since the run started would show."""
    if b" " not in state:
        return True
    times = [int(number) for number in state.split()[2:4]]
    step = _COARSE_STEP_NS if all(at % 1_000_000_000 == 0 for at in times) else _STEP_NS
    return max(times) < started_ns - step


def _modules() -> set[str]:
    """Return the files of the program, and one of each package it uses."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    files = ((name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items()))
    return {os.path.abspath(file) for name, file in files if file and ("." not in name or os.path.abspath(file).startswith(own))}


def _bound(folder: str) -> None:
    """Delete the oldest kept runs beyond the bounds."""
    found: list[tuple[int, int, str]] = []
    for entry in os.scandir(folder):
        if entry.name.endswith((_SUFFIX, ".part")):
            try:
                state = entry.stat()
            except FileNotFoundError:
                continue
            found.append((state.st_mtime_ns, state.st_size, entry.path))
    total = 0
    for number, (_, size, path) in enumerate(sorted(found, reverse=True)):
        total += size
        if number >= _MOST_FILES or total > _MOST_ALL_BYTES:
            try:
                os.unlink(path)
            except FileNotFoundError:
                continue


current: KeptRun | None = None
"""The run of this process, if it is one that may be kept."""

"""Which lines of a file differ from a commit: asked of git, which is kept from running anything that a repository names."""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from radixlint.errors import RadixlintError
from radixlint.prompt import Span

_HUNK: Final = re.compile(rb"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_ESCAPE: Final = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED: Final = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))
_TIMEOUT_S: Final = 120
_QUIET: Final[Mapping[str, Any]] = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": _TIMEOUT_S, "check": False}
# Hooks, monitors, filters and helpers are programs that a repository's own configuration names.
_NO_PROGRAMS: Final = (("core.fsmonitor", "false"), ("core.hooksPath", os.devnull), ("protocol.allow", "never"))
_DIFF: Final = (
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "--text", "-M", "--unified=0"),
    *("--inter-hunk-context=0", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/"),
)


@dataclass(slots=True)
class ChangedLines:
    """The lines that changed in the work tree around ``start`` since the branch left ``ref``; a file unknown to git is all new.

    Raises:
        RadixlintError: there is no git, no repository, or no such commit.
    """

    ref: str
    start: Path
    _top: Path = field(init=False)
    _base: str = field(init=False)
    _filters: tuple[tuple[str, str], ...] = field(init=False)
    _tracked: frozenset[bytes] = field(init=False)
    _lines: dict[str, list[range]] = field(init=False)
    _stamps: dict[str, tuple[int, int] | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._filters = ()
        top = self._git("no git repository here", "rev-parse", "--show-toplevel").removesuffix(b"\n")
        self._top = Path(os.path.realpath(os.fsdecode(top)))
        unknown = f"git knows no commit {self.ref!r}"
        # A ref that starts with a dash would be taken for an option.
        commit = self._git(unknown, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{self.ref}^{{commit}}")
        self._base = self._fork(commit.decode().strip())
        self._filters = tuple(self._silenced_filters())
        self._read()

    def has(self, span: Span) -> bool:
        """Whether a line of ``span`` changed."""
        return any(lines.start <= span.end_line and span.line < lines.stop for lines in self._of(span.path))

    def has_any(self, path: str) -> bool:
        """Whether any line of a file changed."""
        return bool(self._of(path))

    def _of(self, path: str) -> Sequence[range]:
        """Return the changed lines of a file as it is now: what was fixed in between moved lines."""
        if self._stamps.setdefault(path, _stamp(self.start / path)) != _stamp(self.start / path):
            self._stamps.clear()
            self._read()
        name = os.path.relpath(os.path.realpath(self.start / path), self._top).replace(os.sep, "/")
        if os.fsencode(name) not in self._tracked:
            return (range(1, 1 << 62),)
        return self._lines.get(name, ())

    def _read(self) -> None:
        self._tracked = frozenset(self._git("cannot list files", "ls-files", "-z", "--full-name", ":/").split(b"\0"))
        self._lines = _changed(self._git("cannot compare", *_DIFF, self._base, "--"))

    def _fork(self, commit: str) -> str:
        """Return where the branch left ``commit``, or that itself where nothing joins the two (a shallow clone)."""
        found = self._run("merge-base", commit, "HEAD")
        return found.stdout.decode().strip() if found.returncode == 0 else commit

    def _silenced_filters(self) -> Iterator[tuple[str, str]]:
        """Yield settings under which no filter runs: files are compared as they are."""
        names = self._run("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$").stdout
        for name in sorted({os.fsdecode(found).rpartition(".")[0] for found in names.split(b"\0") if found}):
            yield from ((f"{name}.clean", ""), (f"{name}.process", ""), (f"{name}.required", "false"))

    def _git(self, problem: str, *words: str) -> bytes:
        done = self._run(*words)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "backslashreplace").strip().split("\n")[0].removeprefix("fatal: ")
            raise RadixlintError(problem, where="--diff-ref", hint=said or None)
        return done.stdout

    def _run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_EXTERNAL")}
        env |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        env |= _settings((*_NO_PROGRAMS, *self._filters))
        try:
            return subprocess.run(  # noqa: S603 - a fixed program, no shell; every word is ours but the commit, which no option can be
                ["git", "--no-pager", *words],  # noqa: S607 - the user's own git, wherever it is
                **_QUIET,
                cwd=self.start,
                env=env,
            )
        except FileNotFoundError as error:
            raise RadixlintError("needs git, which is not installed", where="--diff-ref") from error
        except (subprocess.TimeoutExpired, ValueError) as error:
            raise RadixlintError(f"git gave no answer: {error}", where="--diff-ref") from error


def _settings(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the variables that make git take ``pairs`` as settings, before all files; a name may hold anything."""
    env = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for i, (name, value) in enumerate(pairs):
        env |= {f"GIT_CONFIG_KEY_{i}": name, f"GIT_CONFIG_VALUE_{i}": value}
    return env


def _changed(diff: bytes) -> dict[str, list[range]]:
    """Return the changed lines of each file of a diff without context; where lines were only taken out, none."""
    lines: dict[str, list[range]] = defaultdict(list)
    path = ""
    left = 0
    for line in diff.split(b"\n"):
        if left and line[:1] in (b"+", b"-"):  # text of a file, whatever it looks like
            left -= 1
        elif line.startswith(b"+++ "):
            path = _name(line[4:])
        elif (hunk := _HUNK.match(line)) is not None:
            first, count = int(hunk[1]), 1 if hunk[2] is None else int(hunk[2])
            left = count + _removed(line)
            if count:
                lines[path].append(range(first, first + count))
    return dict(lines)


def _removed(hunk: bytes) -> int:
    old = hunk.split(b" ")[1]
    return int(old.partition(b",")[2] or 1)


def _name(written: bytes) -> str:
    """Return the path behind ``+++``: quoted with escapes if it holds odd bytes, then a tab if it holds blanks."""
    name = written.removesuffix(b"\t")
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_unescaped, name[1:-1])
    return os.fsdecode(name.removeprefix(b"b/"))


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes((int(code, 8) if len(code) == 3 else _ESCAPED[code[0]],))


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size

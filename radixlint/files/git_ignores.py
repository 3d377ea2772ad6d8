"""What git ignores: the ``.gitignore`` files of a work tree, nearest first, as git reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from radixlint import opened_paths

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME: Final = ".gitignore"
# A list of names is a page of text; a longer file, or a line longer than any path, is none. The patterns become regular
# expressions, whose time grows with the power of the stars: nobody needs four of a kind.
_MAX_BYTES: Final = 1_000_000
_MAX_LINE_CHARS: Final = 4096
_MAX_STARS: Final = 3


@dataclass(slots=True)
class GitIgnores:
    """Tells what git ignores; outside of a work tree it ignores nothing. Remembers the files it read."""

    _specs: dict[Path, GitIgnoreSpec | None] = field(default_factory=dict)
    _trees: dict[Path, Path | None] = field(default_factory=dict)
    _folders: dict[Path, bool] = field(default_factory=dict)

    def ignores_file(self, path: Path) -> bool:
        """Whether git ignores a file, or a folder on the way to it; ``path`` is absolute and normalised."""
        return self.ignores_folder(path.parent) or self._is_listed(path, is_folder=False)

    def ignores_folder(self, folder: Path) -> bool:
        """Whether git ignores a folder, or one on the way to it."""
        if folder not in self._folders:
            is_top = self._tree(folder) in (None, folder)
            found = not is_top and (self.ignores_folder(folder.parent) or self._is_listed(folder, is_folder=True))
            self._folders[folder] = found
        return self._folders[folder]

    def _tree(self, folder: Path) -> Path | None:
        """Return the top of the work tree that ``folder`` lies in, None if it lies in none."""
        if folder not in self._trees:
            above = folder.parent
            opened_paths.asked(folder / ".git")
            is_top = (folder / ".git").exists()
            self._trees[folder] = folder if is_top else None if above == folder else self._tree(above)
        return self._trees[folder]

    def _is_listed(self, path: Path, *, is_folder: bool) -> bool:
        """Whether the nearest file with a pattern for ``path`` says so; the last pattern of a file counts."""
        tree = self._tree(path.parent)
        folder = path.parent
        while tree is not None and folder.is_relative_to(tree):
            spec = self._spec(folder)
            if spec is not None:
                name = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
                verdict = spec.check_file(name).include
                if verdict is not None:
                    return verdict
            folder = folder.parent
        return False

    def _spec(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            lines = [*_lines(folder / ".git" / "info" / "exclude"), *_lines(folder / _NAME)]
            self._specs[folder] = _compiled(lines) if lines else None
        return self._specs[folder]


def _lines(path: Path) -> list[str]:
    opened_paths.asked(path)
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return []
        text = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return []
    lines = text.replace("\r\n", "\n").split("\n")
    return [line for line in lines if line.strip() and len(line) <= _MAX_LINE_CHARS and not _has_many_stars(line)]


def _has_many_stars(line: str) -> bool:
    parts = line.split("/")
    return parts.count("**") > _MAX_STARS or any(part.count("*") > _MAX_STARS for part in parts)


def _compiled(lines: list[str]) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec

    good: list[str] = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:  # git passes over a pattern that is none, and so do we
            continue
        good.append(line)
    return GitIgnoreSpec.from_lines(good)

"""What git ignores: the ``.gitignore`` files of a work tree, nearest first, as git reads them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from radixlint import opened_paths

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME: Final = ".gitignore"
# A list of names is a page of text; a longer file, or a line longer than any path, is none. The patterns become regular
# expressions, whose time grows with the power of the stars: nobody needs four of a kind.
_MAX_BYTES: Final = 1_000_000
_MAX_LINE_CHARS: Final = 4096
_MAX_STARS: Final = 3


class GitIgnores(Struct):
    """Tells what git ignores; outside of a work tree it ignores nothing. Remembers the files it read."""

    _chains: dict[Path, tuple[tuple[GitIgnoreSpec, str], ...]] = field(default_factory=dict)
    _trees: dict[Path, Path | None] = field(default_factory=dict)
    _folders: dict[Path, bool] = field(default_factory=dict)

    def ignores_file(self, folder: Path, name: str) -> bool:
        """Whether git ignores the file ``name`` of ``folder``, or a folder on the way; ``folder`` is absolute and normalised."""
        return self.ignores_folder(folder) or self._is_listed(folder, name)

    def ignores_folder(self, folder: Path) -> bool:
        """Whether git ignores a folder, or one on the way to it."""
        if folder not in self._folders:
            is_top = self._tree(folder) in (None, folder)
            above = folder.parent
            found = not is_top and (self.ignores_folder(above) or self._is_listed(above, f"{folder.name}/"))
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

    def _is_listed(self, folder: Path, name: str) -> bool:
        """Whether the nearest file with a pattern for ``name`` says so; the last pattern of a file counts."""
        for spec, way in self._chain(folder):
            verdict = spec.check_file(way + name).include
            if verdict is not None:
                return verdict
        return False

    def _chain(self, folder: Path) -> tuple[tuple[GitIgnoreSpec, str], ...]:
        """Return the patterns that hold in ``folder``, the nearest first, each with the way from its file to the folder."""
        if folder not in self._chains:
            tree = self._tree(folder)
            own = _spec(folder) if tree is not None else None
            above = self._chain(folder.parent) if tree not in (None, folder) else ()
            more = tuple((spec, f"{way}{folder.name}/") for spec, way in above)
            self._chains[folder] = (((own, ""),) if own is not None else ()) + more
        return self._chains[folder]


def _spec(folder: Path) -> GitIgnoreSpec | None:
    lines = [*_lines(folder / ".git" / "info" / "exclude"), *_lines(folder / _NAME)]
    return _compiled(lines) if lines else None


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

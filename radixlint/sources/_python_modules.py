"""Find and parse the modules of the linted tree that a file of Python imports, each once a run."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from radixlint.errors import SourceError
from radixlint.flow.program import Module
from radixlint.flow.python_lowering import lower_python
from radixlint.passage import whole
from radixlint.prompt import SourceText
from radixlint.sources import Includes

_MOST_KEPT: Final = 4_000_000
_INIT: Final = "__init__.py"


@dataclass(slots=True)
class PythonModules:
    """The modules of one run; of those parsed the latest are kept, 4 million code points of source in all."""

    includes: Includes
    _kept: dict[str, Module | SourceError] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _size: int = 0
    _found: dict[tuple[str, str], SourceText | None] = field(default_factory=dict)
    _tops: dict[str, str] = field(default_factory=dict)

    def parsed(self, source: SourceText) -> Module:
        """Return the program of a file.

        Raises:
            SourceError: it does not parse.
        """
        path = source.path
        if self._texts.get(path) != source.text:
            self._drop(path)
            try:
                self._kept[path] = lower_python(whole(source), path)
            except SourceError as error:
                self._kept[path] = error
            self._texts[path] = source.text
            self._size += len(source.text)
            while self._size > _MOST_KEPT and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))
        found = self._kept[path]
        if isinstance(found, SourceError):
            raise found
        return found

    def _drop(self, path: str) -> None:
        self._kept.pop(path, None)
        self._size -= len(self._texts.pop(path, ""))

    def load(self, name: str, from_path: str) -> Module | None:
        """Return the module called ``name`` in ``from_path``, with leading dots if relative, or as a file (``./tools.py``).

        None if it is not of the tree, cannot be read or does not parse: that is told where it is checked itself.
        """
        source = self._source(name, from_path)
        if source is None:
            return None
        try:
            return self.parsed(source)
        except SourceError:
            return None

    def text(self, name: str, from_path: str) -> str | None:
        """Return the source of the module that ``load`` would give, without parsing it; None if there is none."""
        source = self._source(name, from_path)
        return source.text if source is not None else None

    def _source(self, name: str, from_path: str) -> SourceText | None:
        name, folder = _dotted(name), posixpath.dirname(from_path)
        if not name.startswith("."):
            folder = self._top(folder)
        if (folder, name) not in self._found:
            self._found[folder, name] = self._relative(name, from_path) if name.startswith(".") else self._absolute(name, folder)
        source = self._found[folder, name]
        return source if source is not None and source.path != from_path else None

    def template(self, name: str, from_path: str) -> SourceText | None:
        """Return the template file ``name`` that a file of Python loads, None if there is none that may be read."""
        return self._open(name, from_path) or self._open(f"templates/{name}", from_path)

    def _relative(self, name: str, from_path: str) -> SourceText | None:
        words = name.lstrip(".")
        above = "../" * (len(name) - len(words) - 1)
        return next((found for file in _files(words) if (found := self._beside(above + file, from_path)) is not None), None)

    def _absolute(self, name: str, top: str) -> SourceText | None:
        if name.partition(".")[0] in sys.stdlib_module_names:
            return None
        beside = posixpath.join(top, _INIT)
        files = list(_files(name))
        return next((found for file in (*files, *(f"src/{f}" for f in files)) if (found := self._open(file, beside))), None)

    def _top(self, folder: str) -> str:
        """Return the folder in which the package that ``folder`` belongs to lies; itself if it is no package."""
        if folder not in self._tops:
            above = posixpath.normpath(posixpath.join(folder, ".."))
            is_package = self._beside(_INIT, posixpath.join(folder, _INIT)) is not None
            self._tops[folder] = self._top("" if above == "." else above) if is_package else folder
        return self._tops[folder]

    def _beside(self, file: str, from_path: str) -> SourceText | None:
        """Return the file at exactly this place, which is not looked for anywhere else."""
        found = self._open(file, from_path)
        place = posixpath.normpath(posixpath.join(posixpath.dirname(from_path), file))
        return found if found is not None and posixpath.normpath(found.path) == place else None

    def _open(self, file: str, from_path: str) -> SourceText | None:
        try:
            return self.includes.open(file, from_path)
        except SourceError:
            return None


def _dotted(name: str) -> str:
    """Return the name of the module that a file holds: ``./../desk/__init__.py`` is ``..desk``."""
    if not name.endswith(".py"):
        return name
    levels = name.count("../") + name.startswith("./")
    rest = name.replace("../", "").removeprefix("./").removesuffix(".py")
    return "." * levels + rest.removesuffix("__init__").strip("/").replace("/", ".")


def _files(name: str) -> Iterator[str]:
    """Yield the files that may hold the module ``name``."""
    path = name.replace(".", "/")
    if path:
        yield f"{path}.py"
    yield posixpath.join(path, _INIT)


_runs: list[PythonModules] = []


def modules_of(includes: Includes) -> PythonModules:
    """Return the modules of the run that reads through ``includes``; those of the run before are let go."""
    if not _runs or _runs[0].includes is not includes:
        _runs[:] = [PythonModules(includes)]
    return _runs[0]

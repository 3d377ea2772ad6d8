"""Find and parse the modules of the linted tree that a file of TypeScript or JavaScript imports, each once a run."""

from __future__ import annotations

from radixlint.errors import SourceError
from radixlint.flow.program import Module
from radixlint.flow.script_lowering import Lowered, read_script
from radixlint.passage import whole
from radixlint.prompt import SourceText
from radixlint.sources import Includes
from radixlint.sources._parsed_modules import ParsedModules


class ScriptModules:
    """The modules of one run."""

    def __init__(self, includes: Includes) -> None:
        self.includes = includes
        self._parsed = ParsedModules(lambda source: read_script(whole(source), source.path))
        self._found: dict[tuple[str, str], SourceText | None] = {}

    def parsed(self, source: SourceText) -> Lowered:
        """Return the program of a file; raises SourceError where none of it parses."""
        return self._parsed.of(source)

    def load(self, name: str, from_path: str) -> Module | None:
        """Return the module in the file ``name`` as seen from ``from_path``.

        None if it is not of the tree, cannot be read or does not parse: that is told where it is checked itself.
        """
        if (from_path, name) not in self._found:
            self._found[from_path, name] = self.text(name, from_path)
        source = self._found[from_path, name]
        if source is None or source.path == from_path:
            return None
        try:
            return self.parsed(source).module
        except SourceError:
            return None

    def text(self, name: str, from_path: str) -> SourceText | None:
        """Return the file ``name``, None if there is none that may be read."""
        try:
            return self.includes.open(name, from_path)
        except SourceError:
            return None


_runs: list[ScriptModules] = []


def modules_of(includes: Includes) -> ScriptModules:
    """Return the modules of the run that reads through ``includes``; those of the run before are let go."""
    if not _runs or _runs[0].includes is not includes:
        _runs[:] = [ScriptModules(includes)]
    return _runs[0]

"""Open and parse the files that a template includes, extends or imports; what cannot be followed becomes a note."""

from __future__ import annotations

from msgspec import Struct, field

from radixlint.errors import SourceError
from radixlint.passage import whole
from radixlint.prompt import SourceText
from radixlint.sources import Includes
from radixlint.sources._jinja_delimiters import USUAL, Delimiters
from radixlint.sources._jinja_parse import Parsed, parse
from radixlint.sources._jinja_values import Budget


class Files(Struct):
    """The files of one reading, each parsed once; None marks a file that does not parse."""

    includes: Includes
    budget: Budget
    usual: Delimiters = USUAL
    parsed: dict[str, Parsed | None] = field(default_factory=dict)
    opened: dict[tuple[str, str], SourceText | None] = field(default_factory=dict)

    def load(self, names: list[str], from_path: str, where: str, is_optional: bool = False) -> Parsed | None:
        """Return the first of ``names`` that opens, parsed; None, with a note that starts with ``where``, if there is none."""
        refused = False
        for name in names:
            try:
                source = self._open(name, from_path)
            except SourceError as error:
                refused = True
                self.budget.note(f"{where}: {error.message}, read without it")
                continue
            if source is not None:
                return self._parsed(source)
        if not is_optional and not refused:
            listed = " or ".join(repr(name) for name in names)
            self.budget.note(f"{where}: cannot open {listed} (not found), read without it")
        return None

    def _open(self, name: str, from_path: str) -> SourceText | None:
        if (name, from_path) not in self.opened:
            self.opened[name, from_path] = self.includes.open(name, from_path)
        return self.opened[name, from_path]

    def _parsed(self, source: SourceText) -> Parsed | None:
        if source.path in self.budget.active:
            start = self.budget.active.index(source.path)
            chain = [path for path in self.budget.active[start:] if not path.startswith("macro ")]
            self.budget.note(f"{' -> '.join([*chain, source.path])} is a cycle, not followed again")
            return None
        if source.path not in self.parsed:
            self.budget.spend(-len(source.text))
            try:
                self.parsed[source.path] = parse(whole(source), self.usual)
            except SourceError as error:
                self.parsed[source.path] = None
                self.budget.note(f"{source.path}:{error.line}:{error.column}: {error.message}; read without it")
        return self.parsed[source.path]

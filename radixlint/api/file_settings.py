"""What the settings say about one file: the rules left out in it, the lifetimes of its variables, its delimiters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radixlint.catalog import select_rules
from radixlint.config import ForFiles, Settings
from radixlint.errors import ConfigError, SourceError
from radixlint.files.source_files import Excludes
from radixlint.prompt import Lifetime
from radixlint.result.rule import Rule
from radixlint.sources import Delimiters

if TYPE_CHECKING:
    from radixlint.flow.sink_table import Sink


@dataclass(slots=True)
class FileSettings:
    """The settings of one run, file by file; paths are as shown, relative to ``start``.

    Raises:
        ConfigError: the delimiters cannot be told apart, or a table of own calls is malformed.
    """

    settings: Settings
    every: Sequence[Rule]
    start: Path
    delimiters: Delimiters = field(init=False)
    alike: frozenset[Lifetime] = field(init=False)
    sinks: tuple[Sink, ...] = field(init=False)
    _variables: dict[tuple[int, ...], dict[str, Lifetime]] = field(default_factory=dict)
    _ignored: list[tuple[ForFiles[Any], frozenset[str]]] = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.delimiters = Delimiters(**self.settings.jinja)
        except SourceError as error:
            raise ConfigError(error.message, where=self.settings.place("jinja")) from error
        self.sinks = self._own_sinks() if self.settings.sinks else ()
        alike = {Lifetime.TENANT: self.settings.one_tenant, Lifetime.USER: self.settings.one_user}
        self.alike = frozenset(lifetime for lifetime, is_one in alike.items() if is_one)
        self._ignored = [
            (item, frozenset(rule.id for word in item.value for rule in select_rules(self.every, (word,), ())))
            for item in self.settings.per_file_ignores
        ]

    def _own_sinks(self) -> tuple[Sink, ...]:
        from radixlint.flow.own_sinks import load_own_sinks

        return load_own_sinks(self.settings.sinks, self.start)

    def ignored(self, path: str) -> frozenset[str]:
        """Return the codes of the rules that are left out in a file."""
        return frozenset().union(*(codes for item, codes in self._ignored if self._matches(item, path)))

    def variables(self, path: str) -> Mapping[str, Lifetime]:
        """Return the lifetimes of variables in a file."""
        per_file = self.settings.per_file_variables
        own = tuple(number for number, item in enumerate(per_file) if self._matches(item, path))
        # The same mapping for files that are alike, so that what is known of an expression in one holds in the next.
        if own not in self._variables:
            self._variables[own] = dict(self.settings.variables)
            for number in own:
                self._variables[own].update(per_file[number].value)
        return self._variables[own]

    def _matches(self, item: ForFiles[Any], path: str) -> bool:
        return Excludes((item.glob,), item.root or self.start).match(self.start / path) is not None

"""Keep the programs of one run, each parsed once; of those parsed the latest are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from radixlint.errors import SourceError
from radixlint.prompt import SourceText

T = TypeVar("T")
_MOST_KEPT: Final = 4_000_000


@dataclass(slots=True)
class ParsedModules(Generic[T]):
    """What ``parse`` gives for each file; of 4 million code points of source in all."""

    parse: Callable[[SourceText], T]
    _kept: dict[str, T | SourceError] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _size: int = 0

    def of(self, source: SourceText) -> T:
        """Return what a file holds.

        Raises:
            SourceError: it does not parse.
        """
        path = source.path
        if self._texts.get(path) != source.text:
            self._drop(path)
            try:
                self._kept[path] = self.parse(source)
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

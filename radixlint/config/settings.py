"""What one run is set to: the values of all keys, whoever wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from msgspec import Struct, field

from radixlint.prompt import Lifetime
from radixlint.result.finding import Severity

DEFAULT_TOKENIZER: Final = "o200k_base"

Value = TypeVar("Value")
_NO_VARIABLES: Final[Mapping[str, Lifetime]] = MappingProxyType({})
_NO_WORDS: Final[Mapping[str, str]] = MappingProxyType({})
_NO_COUNTS: Final[Mapping[str, int]] = MappingProxyType({})


class ForFiles(Struct, Generic[Value], frozen=True):
    """A value for the files that ``glob`` matches, relative to ``root``, the folder of the file that says so."""

    glob: str
    value: Value
    root: Path | None = None


class Settings(Struct, frozen=True):
    """What to check and how.

    ``select``, ``extend_select`` and ``ignore`` are rule selectors as written (empty ``select`` means all rules), ``exclude``
    are globs relative to ``root``, the folder of the config file (None: the current folder), ``inherited_excludes`` those of
    files it extends. ``variables`` maps variable names to lifetimes, ``per_file_variables`` does so for some files.
    ``one_tenant`` and ``one_user`` say that there is only one, so that its data never differ. ``rules`` are files and folders
    of own rules, ``sinks`` files of own calls that send prompts. ``jinja`` are delimiters by name (``block_start``).
    ``min_tokens`` maps rule codes or names to the tokens from which on they report. ``jobs`` is the number of processes, None
    for as many as help. ``source`` is the config file as shown to the user, None if there was none; ``places`` says for each
    key where it is set.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    variables: Mapping[str, Lifetime] = field(default_factory=lambda: _NO_VARIABLES)
    tokenizer: str = DEFAULT_TOKENIZER
    source: str | None = None
    root: Path | None = None
    extend_select: tuple[str, ...] = ()
    inherited_excludes: tuple[tuple[Path, tuple[str, ...]], ...] = ()
    respect_gitignore: bool = True
    max_warnings: int | None = None
    output_format: str | None = None
    per_file_ignores: tuple[ForFiles[tuple[str, ...]], ...] = ()
    per_file_variables: tuple[ForFiles[Mapping[str, Lifetime]], ...] = ()
    one_tenant: bool = False
    one_user: bool = False
    rules: tuple[Path, ...] = ()
    sinks: tuple[Path, ...] = ()
    jinja: Mapping[str, str] = field(default_factory=lambda: _NO_WORDS)
    min_tokens: Mapping[str, int] = field(default_factory=lambda: _NO_COUNTS)
    cache: bool = True
    jobs: int | None = None
    places: Mapping[str, str] = field(default_factory=lambda: _NO_WORDS)

    def place(self, key: str) -> str:
        """Return where ``key`` is set, as file and line if known."""
        return self.places.get(key, f"{self.source}: {key}")

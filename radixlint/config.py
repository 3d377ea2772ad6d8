"""Settings: what ``[tool.radixlint]`` or ``radixlint.toml`` says, checked key by key, with the place of every mistake."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from radixlint.errors import ConfigError
from radixlint.prompt import Lifetime
from radixlint.result.finding import Severity
from radixlint.spelling import nearest

DEFAULT_TOKENIZER: Final = "o200k_base"
FILE_NAMES: Final = ("radixlint.toml", ".radixlint.toml", "pyproject.toml")
FAIL_LEVELS: Final = ("error", "warning")
_LIST_KEYS: Final = ("select", "ignore", "exclude")
_KEYS: Final = (*_LIST_KEYS, "fail-on", "tokenizer", "variables")
_NO_VARIABLES: Final[Mapping[str, Lifetime]] = MappingProxyType({})
# A config file is a page of text; anything longer is the wrong file.
_MAX_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What to check and how.

    ``select`` and ``ignore`` are rule selectors as written (empty ``select`` means all rules), ``exclude`` are globs
    relative to ``root``, the folder of the config file (None: the current folder). ``variables`` maps variable names to
    lifetimes. ``source`` is the config file as shown to the user, None if there was none.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    variables: Mapping[str, Lifetime] = field(default_factory=lambda: _NO_VARIABLES)
    tokenizer: str = DEFAULT_TOKENIZER
    source: str | None = None
    root: Path | None = None


def load_settings(start: Path, config: Path | None = None, *, is_isolated: bool = False) -> Settings:
    """Return the settings of ``config``, else of the nearest config file in ``start`` or a folder above it.

    In one folder ``radixlint.toml`` wins over ``.radixlint.toml``, and that over ``pyproject.toml``; files are not
    merged. A ``pyproject.toml`` without ``[tool.radixlint]`` is passed over. ``is_isolated`` ignores every file.

    Raises:
        ConfigError: a file cannot be read, is not TOML, or holds an unknown key or a wrong value.
    """
    if config is not None:
        settings = _read_file(config, str(config))
        if settings is None:
            raise ConfigError("there is no [tool.radixlint] table", where=str(config))
        return settings
    if is_isolated:
        return Settings()
    for folder in (start, *start.parents):
        for name in FILE_NAMES:
            path = folder / name
            settings = _read_file(path, _shown(path, start)) if path.is_file() else None
            if settings is not None:
                return settings
    return Settings()


def _shown(path: Path, start: Path) -> str:
    return path.name if path.parent == start else str(path)


def _read_file(path: Path, shown: str) -> Settings | None:
    text = _read_text(path, shown)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if path.name == "pyproject.toml" and "radixlint" not in text:
            return None
        raise _toml_error(error, shown) from error
    except RecursionError as error:
        raise ConfigError("too deeply nested", where=shown) from error
    tool = document.get("tool")
    if isinstance(tool, dict) and "radixlint" in tool:
        return _Reader(text, shown, ("tool", "radixlint")).settings(tool["radixlint"], path.parent)
    if path.name == "pyproject.toml":
        return None
    return _Reader(text, shown, ()).settings(document, path.parent)


def _read_text(path: Path, shown: str) -> str:
    try:
        if not path.is_file():
            reason = "not a regular file" if path.exists() else "no such file"
            raise ConfigError(f"cannot read the configuration: {reason}", where=shown)
        if path.stat().st_size > _MAX_BYTES:
            raise ConfigError(f"larger than {_MAX_BYTES:,} bytes: not a configuration file", where=shown)
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"cannot read the configuration: {error.strerror}", where=shown) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 (byte {error.start})", where=shown) from error


def _toml_error(error: tomllib.TOMLDecodeError, shown: str) -> ConfigError:
    message = str(error)
    place = re.search(r"\s*\(at line (\d+), column (\d+)\)$", message)
    if place is None:
        return ConfigError(f"not valid TOML: {message}", where=shown)
    return ConfigError(f"not valid TOML: {message[: place.start()]}", where=f"{shown}:{place[1]}:{place[2]}")


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns one table into settings; knows the text, so that an error can name the line."""

    text: str
    shown: str
    header: tuple[str, ...]

    def settings(self, table: object, root: Path) -> Settings:
        if not isinstance(table, dict):
            raise self._error((), "[tool.radixlint] must be a table")
        for key in table:
            if key not in _KEYS:
                guess = nearest(key, _KEYS)
                hint = f"did you mean {guess}?" if guess else f"known keys: {', '.join(_KEYS)}"
                raise self._error((key,), f"unknown key {key!r}", hint)
        lists = {key: self._strings(table, key) for key in _LIST_KEYS}
        return Settings(
            **lists,
            fail_on=Severity(self._word(table, "fail-on", "warning", FAIL_LEVELS)),
            variables=MappingProxyType(dict(self._variables(table))),
            tokenizer=self._word(table, "tokenizer", DEFAULT_TOKENIZER),
            source=self.shown,
            root=root,
        )

    def _strings(self, table: Mapping[str, object], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._error((key,), f"{key} must be a list of strings, not {_kind(value)}", f'write {key} = ["..."]')
        return tuple(value)

    def _word(self, table: Mapping[str, object], key: str, default: str, known: tuple[str, ...] = ()) -> str:
        value = table.get(key, default)
        if not isinstance(value, str):
            raise self._error((key,), f"{key} must be a string, not {_kind(value)}", f'write {key} = "{default}"')
        if known and value not in known:
            raise self._error((key,), f"{key} must be one of {', '.join(known)}, not {value!r}", _guess(value, known))
        return value

    def _variables(self, table: Mapping[str, object]) -> Iterable[tuple[str, Lifetime]]:
        value = table.get("variables", {})
        if not isinstance(value, dict):
            raise self._error(("variables",), f"variables must be a table, not {_kind(value)}", '[variables] name = "tenant"')
        return self._lifetimes(value, ())

    def _lifetimes(self, table: Mapping[str, object], prefix: tuple[str, ...]) -> Iterable[tuple[str, Lifetime]]:
        known = tuple(lifetime.label for lifetime in reversed(Lifetime))
        for name, value in table.items():
            path = (*prefix, name)
            if isinstance(value, dict):  # user.name = "user" is a nested table to TOML and one dotted name to us
                yield from self._lifetimes(value, path)
            elif not isinstance(value, str):
                raise self._error(("variables", *path), f"variables.{'.'.join(path)} must be a string, not {_kind(value)}")
            elif value not in known:
                hint = _guess(value, known) or f"one of {', '.join(known)}"
                raise self._error(("variables", *path), f"unknown lifetime {value!r} of variable {'.'.join(path)}", hint)
            else:
                yield ".".join(path), Lifetime[value.upper()]

    def _error(self, keys: tuple[str, ...], message: str, hint: str | None = None) -> ConfigError:
        line = _line_of(self.text, (*self.header, *keys)) if keys else None
        return ConfigError(message, where=f"{self.shown}:{line}" if line else self.shown, hint=hint)


def _guess(word: str, known: tuple[str, ...]) -> str | None:
    guess = nearest(word, known)
    return f"did you mean {guess}?" if guess else None


def _kind(value: object) -> str:
    names = {str: "a string", bool: "a boolean", int: "an integer", float: "a number", list: "a list of other values"}
    return names.get(type(value), "a table" if isinstance(value, dict) else type(value).__name__)


def _line_of(text: str, path: tuple[str, ...]) -> int | None:
    """Return the line that sets the dotted ``path``: its header plus its key, as far as it is written plainly."""
    header: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        table = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        if table:
            header = _keys(table[1])
            if header == path:
                return number
            continue
        key, equals, _ = line.partition("=")
        if equals and (*header, *_keys(key)) in (path, path[:-1]):
            return number
    return None


def _keys(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))

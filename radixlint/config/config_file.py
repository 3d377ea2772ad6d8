"""Read one config file: its table of keys, and the line of each, TOML by its text and YAML by its parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from radixlint.errors import ConfigError

if TYPE_CHECKING:
    from tomllib import TOMLDecodeError

Keys = tuple[str, ...]
_OWN_TABLE: Final[Keys] = ("tool", "radixlint")
_YAML: Final = (".yaml", ".yml")
# A config file is a page of text; anything longer is the wrong file.
_MAX_BYTES: Final = 1_000_000
_TOML_KEY: Final = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s.\"']+")


class ConfigTable(Struct, frozen=True):
    """The keys of one file: ``line_of`` gives the line of a path of keys, None if it cannot be told."""

    keys: Mapping[str, object]
    path: Path
    shown: str
    line_of: Callable[[Keys], int | None]

    def error(self, keys: Keys, message: str, hint: str | None = None) -> ConfigError:
        """Return the error for what stands at ``keys``."""
        return ConfigError(message, where=self.place(keys), hint=hint)

    def place(self, keys: Keys) -> str:
        """Return the file, and the line of ``keys`` if it can be told."""
        line = self.line_of(keys) if keys else None
        return f"{self.shown}:{line}" if line else self.shown


def read_table(path: Path, shown: str) -> ConfigTable | None:
    """Return what ``path`` sets; None for a ``pyproject.toml`` (also a broken one) that says nothing about radixlint.

    Raises:
        ConfigError: it cannot be read, is no TOML (by its suffix, YAML), or holds no table where one must be.
    """
    text = _read_text(path, shown)
    return _yaml_table(text, path, shown) if path.suffix.lower() in _YAML else toml_table(text, path, shown)


def toml_table(text: str, path: Path, shown: str) -> ConfigTable | None:
    """Return what the text of ``path`` sets; else as ``read_table``."""
    import tomllib

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if path.name == "pyproject.toml" and "radixlint" not in text:
            return None
        raise _toml_error(error, shown) from error
    except RecursionError as error:
        raise ConfigError("too deeply nested", where=shown) from error
    tool = document.get("tool")
    is_shared = isinstance(tool, dict) and "radixlint" in tool
    if path.name == "pyproject.toml" and not is_shared:
        return None
    header = _OWN_TABLE if is_shared else ()
    keys: object = tool["radixlint"] if is_shared and isinstance(tool, dict) else document
    if not isinstance(keys, dict):
        raise ConfigError("[tool.radixlint] must be a table", where=shown)
    return ConfigTable(keys, path, shown, lambda wanted: _toml_line(text, (*header, *wanted)))


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


def _yaml_table(text: str, path: Path, shown: str) -> ConfigTable:
    from radixlint.marked_yaml import MarkedYamlError, read_marked_yaml

    try:
        found = read_marked_yaml(text)
    except MarkedYamlError as error:
        raise ConfigError(error.message, where=f"{shown}:{error.line}:{error.column}", hint=error.hint) from None
    if not isinstance(found.value, dict):
        raise ConfigError("a config file is a mapping of keys", where=f"{shown}:1")
    return ConfigTable(found.value, path, shown, lambda wanted: found.place(wanted)[0])


def _toml_error(error: TOMLDecodeError, shown: str) -> ConfigError:
    message = str(error)
    place = re.search(r"\s*\(at line (\d+), column (\d+)\)$", message)
    if place is None:
        return ConfigError(f"not valid TOML: {message}", where=shown)
    return ConfigError(f"not valid TOML: {message[: place.start()]}", where=f"{shown}:{place[1]}:{place[2]}")


def _toml_line(text: str, path: Keys) -> int | None:
    """Return the line that sets ``path``, a part of it, or the nearest table around it, as far as it is written plainly."""
    header: Keys = ()
    best: tuple[int, int | None] = (0, None)
    part: int | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        table = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$", line)
        key, equals, _ = line.partition("=")
        if table:
            header = found = _toml_keys(table[1])
        elif equals:
            found = (*header, *_toml_keys(key))
        else:
            continue
        if found == path[: len(found)] and len(found) > best[0]:
            best = len(found), number
        if part is None and found[: len(path)] == path:
            part = number
    return best[1] if part is None or best[0] == len(path) else part


def _toml_keys(dotted: str) -> Keys:
    return tuple(part.strip("\"'") for part in _TOML_KEY.findall(dotted))

"""Find the config file, follow what it extends inside of the project, and join their keys into settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from radixlint import opened_paths
from radixlint.config.config_file import ConfigTable, read_table, toml_table
from radixlint.config.key_values import KeyValues, SelectorFault
from radixlint.config.settings import DEFAULT_TOKENIZER, ForFiles, Settings
from radixlint.errors import ConfigError
from radixlint.result.finding import Severity

FILE_NAMES: Final = ("radixlint.toml", ".radixlint.toml", "pyproject.toml")
_MOST_EXTENDED: Final = 20
_JOINED_TABLES: Final = ("variables", "jinja", "rule")


def load_settings(
    start: Path, config: Path | None = None, *, is_isolated: bool = False, selector_fault: SelectorFault = lambda _: None
) -> Settings:
    """Return the settings of ``config``, else of the nearest config file in ``start`` or a folder above it.

    In one folder ``radixlint.toml`` wins over ``.radixlint.toml``, and that over ``pyproject.toml``; files are not
    merged, but for those that one extends. A ``pyproject.toml`` without ``[tool.radixlint]`` is passed over. ``is_isolated``
    ignores every file. ``selector_fault`` says what is wrong with a word that picks rules, to tell it with other mistakes.

    Raises:
        ConfigError: a file cannot be read, is not TOML, or holds unknown keys or wrong values; names all of a file.
    """
    if config is not None:
        table = read_table(config, str(config))
        if table is None:
            raise ConfigError("there is no [tool.radixlint] table", where=str(config))
        return _settings(table, start, selector_fault)
    if is_isolated:
        return Settings()
    for folder in (start, *start.parents):
        for name in FILE_NAMES:
            path = folder / name
            opened_paths.asked(path)
            found = read_table(path, _shown(path, start)) if path.is_file() else None
            if found is not None:
                return _settings(found, start, selector_fault)
    return Settings()


def settings_of(text: str, shown: str) -> Settings:
    """Return the settings that the text of a ``radixlint.toml`` makes.

    Raises:
        ConfigError: as ``load_settings``.
    """
    table = toml_table(text, Path(FILE_NAMES[0]).absolute(), shown)
    return Settings() if table is None else _settings(table, Path.cwd(), lambda _: None)


def _shown(path: Path, start: Path) -> str:
    return path.name if path.parent == start else str(path)


@dataclass(slots=True)
class _Layer:
    """One file of a chain: its checked values, and the folder that its globs and paths are relative to."""

    table: ConfigTable
    values: dict[str, Any]
    root: Path = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.table.path.parent


def _settings(table: ConfigTable, start: Path, selector_fault: SelectorFault) -> Settings:
    return _joined(list(_layers(table, start, selector_fault)))


def _layers(table: ConfigTable, start: Path, selector_fault: SelectorFault) -> Iterator[_Layer]:
    """Yield the file, then what it extends, and so on.

    Raises:
        ConfigError: the chain leaves the project, or comes back to a file of it.
    """
    project = _project(table.path)
    seen: dict[Path, str] = {}
    while True:
        seen[Path(os.path.realpath(table.path))] = table.shown
        layer = _Layer(table, KeyValues(table, selector_fault).read())
        yield layer
        if "extend" not in layer.values:
            return
        path = _inside(table, ("extend",), layer.values["extend"], project)
        if path in seen or len(seen) > _MOST_EXTENDED:
            chain = " -> ".join([*seen.values(), _shown(path, start)])
            raise table.error(("extend",), f"the files extend each other: {chain}")
        extended = read_table(path, _shown(path, start))
        if extended is None:
            raise table.error(("extend",), f"there is no [tool.radixlint] table in {_shown(path, start)}")
        table = extended


def _inside(table: ConfigTable, keys: tuple[str, ...], written: str, project: Path) -> Path:
    """Return the real path of what a config file names.

    Raises:
        ConfigError: it is remote, outside of the project, or no file or folder.
    """
    if re.match(r"[A-Za-z][\w+.-]+:", written):
        raise table.error(keys, f"{written!r} is not a file here: nothing is fetched", "copy it into the project")
    if "\0" in written or not written.strip():
        raise table.error(keys, f"{written!r} is not a path")
    path = Path(os.path.realpath(table.path.parent / written))
    if not path.is_relative_to(project):
        raise table.error(keys, f"{written!r} is outside of the project ({project})", "copy it into the project")
    if not path.exists():
        raise table.error(keys, f"{written!r} does not exist")
    if not (path.is_file() or path.is_dir()):
        raise table.error(keys, f"{written!r} is neither a file nor a folder")
    return path


def _project(config: Path) -> Path:
    """Return the real folder that a config file may name files in: its git work tree, else the topmost that is configured."""
    here = Path(os.path.realpath(config)).parent
    above = [folder for folder in (here, *here.parents) if folder != Path(folder.anchor)]
    for folder in above:
        if (folder / ".git").exists():
            return folder
    configured = [folder for folder in above if any((folder / name).is_file() for name in FILE_NAMES)]
    return configured[-1] if configured else here


def _joined(layers: list[_Layer]) -> Settings:
    """Return the settings of a chain of files, of which the first counts most."""
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    for layer in layers:
        for key, value in layer.values.items():
            places.setdefault(key, layer.table.place((key,)))
            values[key] = {**value, **values.get(key, {})} if key in _JOINED_TABLES else values.get(key, value)
    first = layers[0]
    own, inherited = _excludes(layers)
    return Settings(
        select=values.get("select", ()),
        extend_select=tuple(word for layer in reversed(layers) for word in layer.values.get("extend-select", ())),
        ignore=values.get("ignore", ()),
        exclude=own,
        inherited_excludes=inherited,
        respect_gitignore=values.get("respect-gitignore", True),
        fail_on=Severity(values.get("fail-on", "warning")),
        max_warnings=values.get("max-warnings"),
        output_format=values.get("output-format"),
        tokenizer=values.get("tokenizer", DEFAULT_TOKENIZER),
        variables=MappingProxyType(values.get("variables", {})),
        per_file_ignores=_for_files(layers, "per-file-ignores"),
        per_file_variables=_for_files(layers, "per-file-variables"),
        one_tenant=values.get("one-tenant", False),
        one_user=values.get("one-user", False),
        rules=_paths(layers, "rules"),
        sinks=_paths(layers, "sinks"),
        jinja=MappingProxyType({name.replace("-", "_"): word for name, word in values.get("jinja", {}).items()}),
        min_tokens=MappingProxyType(values.get("rule", {})),
        cache=values.get("cache", True),
        jobs=values.get("jobs"),
        source=first.table.shown,
        root=first.root,
        places=MappingProxyType(places),
    )


def _excludes(layers: list[_Layer]) -> tuple[tuple[str, ...], tuple[tuple[Path, tuple[str, ...]], ...]]:
    """Return the globs of the first file, and those of the others: ``exclude`` of the first that has one, and all additions."""
    globs: list[tuple[Path, tuple[str, ...]]] = []
    is_set = False
    for layer in layers:
        plain = () if is_set else layer.values.get("exclude", ())
        is_set = is_set or "exclude" in layer.values
        globs.append((layer.root, (*plain, *layer.values.get("extend-exclude", ()))))
    return globs[0][1], tuple(item for item in globs[1:] if item[1])


def _for_files(layers: list[_Layer], key: str) -> tuple[ForFiles[Any], ...]:
    """Return the entries of all files, those of the first one last: of several that match, the later one counts."""
    entries: list[ForFiles[Any]] = []
    for layer in reversed(layers):
        found: Mapping[str, Any] = layer.values.get(key, {})
        entries.extend(ForFiles(glob, value, layer.root) for glob, value in found.items())
    return tuple(entries)


def _paths(layers: list[_Layer], key: str) -> tuple[Path, ...]:
    for layer in layers:
        if key in layer.values:
            project = _project(layer.table.path)
            return tuple(_inside(layer.table, (key,), written, project) for written in layer.values[key])
    return ()

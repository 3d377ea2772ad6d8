"""Tables of people's own calls that send prompts, in the form of ``sinks.yaml``; every mistake is told with its line and call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from radixlint.errors import ConfigError, all_in_one
from radixlint.flow.sink_table import Sink, TextArgument
from radixlint.marked_yaml import KeyPath, MarkedYaml, MarkedYamlError, read_marked_yaml
from radixlint.spelling import nearest

FORMS: Final = ("messages", "text", "tools", "template", "templates")
_MAX_FILE_BYTES: Final = 100_000
_UNKNOWN: Final = re.compile(r"unknown field `(.*)`")
_STEP: Final = re.compile(r"\.([\w-]+)|\[(\d+)\]")


def load_own_sinks(paths: Iterable[Path], start: Path) -> tuple[Sink, ...]:
    """Return the sinks in the YAML files ``paths``, in their order.

    Args:
        paths: files with a list ``sinks``.
        start: what paths are shown relative to.

    Raises:
        ConfigError: a file cannot be read or is no table of sinks; names file, line and call of each mistake.
    """
    mistakes: list[ConfigError] = []
    found = [sink for path in paths for sink in _sinks(path, _shown(path, start), mistakes)]
    if mistakes:
        raise all_in_one(mistakes)
    return tuple(found)


def _sinks(path: Path, shown: str, mistakes: list[ConfigError]) -> Iterator[Sink]:
    """Yield the sinks of a file that are right, and add what is wrong with the others."""
    try:
        marked = _marked(path, shown)
    except ConfigError as error:
        mistakes.append(error)
        return
    listed: Any = marked.value
    if not isinstance(listed, dict) or list(listed) != ["sinks"] or not isinstance(listed["sinks"], list):
        mistakes.append(ConfigError("a table of calls is a list under `sinks`, and nothing else", where=f"{shown}:1"))
        return
    for index, item in enumerate(listed["sinks"]):
        placed = [(marked.place(("sinks", index, *keys))[0], what) for what, keys in _faults(item)]
        for line, what in sorted(placed):
            mistakes.append(ConfigError(f"{_called(item, index)}: {what}", where=f"{shown}:{line}"))
        if not placed:
            yield msgspec.convert(item, Sink)


def _called(item: object, index: int) -> str:
    """Return what the user calls an entry: its name, or its place in the list."""
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) and name.strip() else f"call {index + 1}"


def _faults(item: object) -> Iterator[tuple[str, KeyPath]]:
    """Yield what is wrong with one entry, and the keys that lead there."""
    if not isinstance(item, dict):
        yield f"Expected `object`, got `{type(item).__name__}`", ()
        return
    yield from _key_faults(item)
    for name in ("calls", "needs", "texts"):
        if item.get(name) == []:
            yield f"`{name}` holds one item at least", (name,)
    texts = item.get("texts")
    for index, text in enumerate(texts if isinstance(texts, list) else ()):
        fault = _wrong(text, TextArgument)
        if fault is not None:
            yield fault[0], ("texts", index, *fault[1])
        elif text["as"] not in FORMS:
            yield f"`as` is one of {', '.join(FORMS)}, not {text['as']!r}", ("texts", index, "as")


def _key_faults(item: Mapping[str, Any]) -> Iterator[tuple[str, KeyPath]]:
    """Yield what is wrong with the keys of an entry and with their values, but for the texts, which are looked at one by one."""
    known = {field.encode_name: field for field in msgspec.structs.fields(Sink)}
    meant = {key: nearest(str(key), tuple(known)) for key in item if key not in known}
    for key, name in meant.items():
        guess = f" (did you mean {name}?)" if name else ""
        yield f"a call contains unknown field `{key}`{guess}", (key,)
    for name, field in known.items():
        if name in item:
            fault = None if name == "texts" and isinstance(item[name], list) else _wrong(item[name], field.type)
            if fault is not None:
                yield fault[0], (name, *fault[1])
        elif field.required and name not in meant.values():
            yield f"a call needs `{name}`", ()


def _wrong(value: object, kind: Any) -> tuple[str, KeyPath] | None:
    """Return the first thing wrong with ``value``, and the keys that lead there; None if it is of its kind."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        steps = _STEP.findall(where.rstrip("`"))
        unknown = _UNKNOWN.search(what)
        keys: KeyPath = (*(int(index) if index else key for key, index in steps), *(unknown.groups() if unknown else ()))
        return what.replace("Object ", "an argument "), keys
    return None


def _marked(path: Path, shown: str) -> MarkedYaml:
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or '').lower()}", where=shown) from error
    if len(raw) > _MAX_FILE_BYTES:
        raise ConfigError(f"a table of calls has at most {_MAX_FILE_BYTES:,} bytes", where=shown)
    try:
        return read_marked_yaml(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 (byte {error.start})", where=shown) from None
    except MarkedYamlError as error:
        raise ConfigError(error.message, where=f"{shown}:{error.line}:{error.column}", hint=error.hint) from None


def _shown(path: Path, start: Path) -> str:
    return path.relative_to(start).as_posix() if path.is_relative_to(start) else path.as_posix()

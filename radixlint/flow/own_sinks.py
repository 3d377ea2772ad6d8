"""Tables of people's own calls that send prompts, in the form of ``sinks.yaml``; a mistake is told with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from radixlint.errors import ConfigError
from radixlint.flow.sink_table import Sink
from radixlint.marked_yaml import KeyPath, MarkedYaml, MarkedYamlError, read_marked_yaml

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
        ConfigError: a file cannot be read or is no table of sinks; names file and line.
    """
    return tuple(sink for path in paths for sink in _sinks(path, _shown(path, start)))


def _sinks(path: Path, shown: str) -> tuple[Sink, ...]:
    marked = _marked(path, shown)
    listed: Any = marked.value
    if not isinstance(listed, dict) or list(listed) != ["sinks"] or not isinstance(listed["sinks"], list):
        raise ConfigError("a table of calls is a list under `sinks`, and nothing else", where=f"{shown}:1")
    try:
        found = msgspec.convert(listed["sinks"], tuple[Sink, ...])
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        steps = _STEP.findall(where.rstrip("`"))
        unknown = _UNKNOWN.search(what)
        keys: KeyPath = ("sinks", *(int(index) if index else key for key, index in steps), *(unknown.groups() if unknown else ()))
        raise ConfigError(what.replace("Object ", "a call "), where=f"{shown}:{marked.place(keys)[0]}") from None
    for index, sink in enumerate(found):
        fault = _fault(sink)
        if fault:
            raise ConfigError(fault, where=f"{shown}:{marked.place(('sinks', index))[0]}")
    return found


def _fault(sink: Sink) -> str:
    if not sink.calls or not sink.texts or not sink.needs:
        return f"{sink.name}: `calls`, `needs` and `texts` hold one item at least"
    wrong = [text.form for text in sink.texts if text.form not in FORMS]
    return f"{sink.name}: `as` is one of {', '.join(FORMS)}, not {wrong[0]!r}" if wrong else ""


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

"""A map file as YAML nodes that know their lines, so that every fault in one names its place and the nearest known key."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from radixlint.errors import ConfigError
from radixlint.spelling import guess

if TYPE_CHECKING:
    import yaml

Scalar = str | int | float | bool

_MAX_BYTES: Final = 1 << 20
# An alias stands for a whole tree, so a short file could hold any number of nodes.
_MAX_NODES: Final = 20_000
_MAX_DEPTH: Final = 20


class Node(Struct, frozen=True):
    """A value in a map file: a scalar, a list of nodes or a mapping of nodes by key; ``where`` is its file and line."""

    value: Any
    where: str

    def mapping(self, known: Iterable[str]) -> dict[str, Node]:
        """Return the nodes by key; each key must be ``known``.

        Raises:
            ConfigError: this is no mapping, or a key is unknown.
        """
        if not isinstance(self.value, dict):
            raise self.fault("must be a mapping of keys", f"known: {', '.join(known)}")
        names = tuple(known)
        for key, node in self.value.items():
            if key not in names:
                raise node.fault(f"unknown key {key[:60]!r}", f"{guess(key, names)}known: {', '.join(names)}")
        return self.value

    def nodes(self) -> list[Node]:
        """Return the nodes of a list; a single value is a list of one."""
        return self.value if isinstance(self.value, list) else [self]

    def text(self) -> str:
        """Return the text.

        Raises:
            ConfigError: this is no text, or an empty one.
        """
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.fault("must be text")
        return self.value.strip()

    def scalar(self) -> Scalar:
        """Return a text, a number or true or false.

        Raises:
            ConfigError: this is none of them.
        """
        if not isinstance(self.value, str | int | float):
            raise self.fault("must be a text, a number, true or false")
        return self.value

    def flag(self) -> bool:
        """Return true or false.

        Raises:
            ConfigError: this is neither.
        """
        if not isinstance(self.value, bool):
            raise self.fault("must be true or false")
        return self.value

    def word(self, known: Iterable[str]) -> str:
        """Return one of the words ``known``.

        Raises:
            ConfigError: this is none of them.
        """
        names = tuple(known)
        if not isinstance(self.value, str) or self.value not in names:
            raise self.fault(f"must be one of {', '.join(names)}", guess(str(self.value)[:60], names).strip() or None)
        return self.value

    def fault(self, message: str, hint: str | None = None) -> ConfigError:
        """Return the error that says ``message`` of this place."""
        return ConfigError(message, where=self.where, hint=hint)


def read_nodes(path: Path) -> Node:
    """Return the root of the YAML file ``path``.

    Raises:
        ConfigError: it cannot be read, is no YAML or too large, or a key stands twice.
    """
    import yaml

    where = str(path)
    try:
        # A device or a pipe may never end.
        if path.exists() and not path.is_file():
            raise ConfigError("not a regular file", where=where, hint="a map is a YAML file; see docs/log-maps.md")
        with path.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot read: {error.strerror or error}", where=where) from error
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"too large for a map (more than {_MAX_BYTES >> 20} MiB)", where=where)
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(data.decode("utf-8-sig"))
        root = loader.get_single_node()
        return Node({}, f"{where}:1") if root is None else _Reader(loader, where).node(root)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"not YAML: {error.problem or error.context}", where=where + line) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ConfigError("not YAML that can be read", where=where) from error


class _Reader:
    """The nodes read so far are counted."""

    def __init__(self, loader: yaml.SafeLoader, where: str) -> None:
        self._loader = loader
        self._where = where
        self._count = 0

    def node(self, raw: yaml.Node, depth: int = 0) -> Node:
        self._count += 1
        where = f"{self._where}:{raw.start_mark.line + 1}"
        if self._count > _MAX_NODES or depth > _MAX_DEPTH:
            raise ConfigError("too large for a map", where=where)
        if isinstance(raw.value, str):
            return Node(self._loader.construct_object(raw), where)
        if any(isinstance(one, tuple) for one in raw.value) or raw.tag.endswith(":map"):
            return Node(self._mapping(raw, depth), where)
        return Node([self.node(one, depth + 1) for one in raw.value], where)

    def _mapping(self, raw: yaml.Node, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for key, value in raw.value:
            # The place of a key is what a fault in it names, so its line stands for the value's.
            where = f"{self._where}:{key.start_mark.line + 1}"
            if not isinstance(key.value, str):
                raise ConfigError("keys must be text", where=where)
            if key.value in found:
                raise ConfigError(f"key {key.value[:60]!r} stands twice", where=where, hint="keep one")
            found[key.value] = Node(self.node(value, depth + 1).value, where)
        return found

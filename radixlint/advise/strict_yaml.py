"""YAML to one mapping, with a key that stands twice refused: the reader would see both, the parser only the last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from radixlint.errors import DataError

if TYPE_CHECKING:
    import yaml


def read_mapping(text: str, where: str, hint: str) -> Mapping[str, Any]:
    """Return the mapping that the YAML ``text`` holds; ``hint`` says what it should be.

    Raises:
        DataError: not YAML, not a mapping, or a key stands twice.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
            _refuse_repeats(node, where)
            return super().construct_mapping(node, deep)

    try:
        loaded = yaml.load(text, Loader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DataError(f"not YAML: {error.problem or error.context}", where=where + line) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise DataError("not YAML that can be read", where=where) from error
    if not isinstance(loaded, dict):
        raise DataError("must be a mapping of keys", where=where, hint=hint)
    return loaded


def _refuse_repeats(node: yaml.MappingNode, where: str) -> None:
    lines: dict[str, int] = {}
    for key, _ in node.value:
        if not isinstance(key.value, str):
            continue
        line = key.start_mark.line + 1
        if key.value in lines:
            hint = f"first in line {lines[key.value]}; keep one"
            raise DataError(f"key {key.value[:60]!r} stands twice", where=f"{where}:{line}", hint=hint)
        lines[key.value] = line

"""Read a YAML or JSON file that a user names or that is packaged: bounded, and every fault one clear line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from radixlint.errors import DataError

_MAX_BYTES: Final = 64_000_000
_YAML_MAX_BYTES: Final = 1_000_000


def read_bytes(path: Path) -> bytes:
    """Return what is in ``path``.

    Raises:
        DataError: it cannot be read, or is larger than 64 MB.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", where=path.name) from error
    if len(data) > _MAX_BYTES:
        raise DataError(f"larger than {_MAX_BYTES // 1_000_000} MB", where=path.name)
    return data


def yaml_mapping(data: bytes, where: str) -> Mapping[str, Any]:
    """Return the mapping that a YAML text holds.

    Raises:
        DataError: not UTF-8, not YAML, no mapping, or larger than 1 MB.
    """
    import yaml

    if len(data) > _YAML_MAX_BYTES:
        raise DataError(f"larger than {_YAML_MAX_BYTES // 1_000_000} MB", where=where)
    try:
        # libyaml is ten times faster; wheels without it are rare.
        loaded = yaml.load(data.decode("utf-8-sig"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DataError(f"not YAML: {error.problem or error.context}", where=where + line) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise DataError("not YAML that can be read", where=where) from error
    if not isinstance(loaded, dict) or not all(isinstance(key, str) for key in loaded):
        raise DataError("must be a mapping of names", where=where)
    return loaded

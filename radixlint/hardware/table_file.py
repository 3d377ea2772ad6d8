"""Read one packaged hardware table and look a name up in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from radixlint.errors import DataError
from radixlint.spelling import guess


@cache
def read_table(file_name: str) -> Mapping[str, Any]:
    """Return a packaged YAML table as plain mappings."""
    import yaml

    table = yaml.safe_load(files("radixlint.hardware").joinpath(file_name).read_text(encoding="utf-8"))
    assert isinstance(table, dict)
    return table


def find_entry(entries: Mapping[str, Mapping[str, Any]], name: str, kind: str) -> str:
    """Return the key of ``entries`` that ``name`` means, by key, alias or repository name, ignoring case.

    The part before the last ``/`` and an ending ``-instruct`` or ``-it`` are ignored.

    Raises:
        DataError: no entry has that name; the error names the nearest ones and lists all.
    """
    wanted = name.strip().lower().rsplit("/", 1)[-1].removesuffix("-it").removesuffix("-instruct")
    for key, entry in entries.items():
        if wanted == key or wanted in entry["aliases"]:
            return key
    raise DataError(f"unknown {kind} {name!r}", hint=f"{guess(wanted, entries)}known: {', '.join(sorted(entries))}")

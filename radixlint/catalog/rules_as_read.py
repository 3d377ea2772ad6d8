"""The rules that ship with radixlint as they were read once, kept beside their files: reading YAML takes far longer than this.

A kept rule counts while its file has the bytes it was read from; any other file is read anew, so nothing is ever stale.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from radixlint.result.rule import Rule

KEPT_NAME: Final = "as-read.json"
"""The file of kept rules in a folder of rules."""


class RuleAsRead(msgspec.Struct, frozen=True):
    """A rule, and the size and checksum of the file that it stands in."""

    size_bytes: int
    crc32: int
    rule: Rule


def kept_in(folder: Path) -> Mapping[str, RuleAsRead]:
    """Return the kept rules of a folder by file name; none if there are none that this version can use."""
    try:
        return msgspec.json.decode((folder / KEPT_NAME).read_bytes(), type=dict[str, RuleAsRead])
    except (OSError, msgspec.DecodeError):
        return {}


def rule_in(path: Path, kept: Mapping[str, RuleAsRead]) -> Rule:
    """Return the rule of a file; raises as ``read_rule``."""
    known = kept.get(path.name)
    return known.rule if known and _is_of(known, path) else _read(path)


def _read(path: Path) -> Rule:
    from radixlint.catalog.rule_file import read_rule  # most runs read no YAML of rules

    return read_rule(path)


def _is_of(known: RuleAsRead, path: Path) -> bool:
    try:
        return path.stat().st_size == known.size_bytes and zlib.crc32(path.read_bytes()) == known.crc32
    except OSError:
        return False  # the reader says what is wrong


def kept_form(folder: Path) -> bytes:
    """Return what the file of kept rules has to hold: JSON, a line for each rule file; raises as ``read_rule``."""
    lines = []
    for path in sorted(folder.glob("*.yaml")):
        raw = path.read_bytes()
        kept = RuleAsRead(len(raw), zlib.crc32(raw), _read(path))
        lines.append(msgspec.json.encode(path.name) + b": " + msgspec.json.encode(kept))
    return b"{\n" + b",\n".join(lines) + b"\n}\n"

"""Fixes of cache marks on bodies made by chance, in every form of file: all but the marks stays, and the rule is silent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from generated_bodies import FAULTS, FORMS

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.api.fixing import FixRun, fix_paths
from radixlint.config import Settings

SEEDS = range(6)


def read(data: bytes, name: str) -> Any:
    """Parse a body without our own reader."""
    return json.loads(data) if name.endswith(".json") else yaml.safe_load(data)


def bare(value: Any) -> Any:
    """Return a body without its marks, strings of messages as blocks, its keys with their order."""
    if isinstance(value, list):
        return [bare(item) for item in value if not (isinstance(item, dict) and "cachePoint" in item)]
    if not isinstance(value, dict):
        return value
    pairs = [(key, bare(held)) for key, held in value.items() if key != "cache_control"]
    return [
        (key, [[("type", "text"), ("text", held)]]) if key in ("system", "content") and isinstance(held, str) else (key, held)
        for key, held in pairs
    ]


def marks(value: Any) -> Iterator[str]:
    """Yield the time to live of each mark, in the order of the file."""
    for key, held in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if key in ("cache_control", "cachePoint"):
            yield held.get("ttl", "5m")
        else:
            yield from marks(held)


def fixed(folder: Path, name: str, data: bytes) -> FixRun:
    """Fix a file and write it."""
    (folder / name).write_bytes(data)
    options = CheckOptions(arguments=(name,), settings=Settings(), start=folder)
    return fix_paths(options, with_unsafe=True, is_dry=False)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", FAULTS)
def test_a_fix_changes_the_marks_alone(tmp_path: Path, rule: str, form: str) -> None:
    """The fault is found, its fix is kept, all but marks and the place of the time is equal, and a second run does nothing."""
    name, write = FORMS[form]
    for seed in SEEDS:
        data = write(FAULTS[rule](seed)).encode()
        (tmp_path / name).write_bytes(data)
        found = check_paths(CheckOptions(arguments=(name,), settings=Settings(), start=tmp_path)).findings
        assert [f.rule for f in found if f.severity != "info"] == [rule], (seed, data)

        run = fixed(tmp_path, name, data)
        after = (tmp_path / name).read_bytes()

        assert [fix.rule for file in run.files for fix in file.applied] == [rule], (seed, [f.withdrawn for f in run.files], data)
        assert not [f for f in run.report.findings if f.severity != "info"], (seed, after)
        assert_same(read(data, name), read(after, name), rule)
        assert (b"\r\n" in after, after.count(b"\n") == after.count(b"\r\n")) == (
            b"\r\n" in data,
            b"\r\n" in data or b"\n" not in after,
        )
        assert fixed(tmp_path, name, after).files == ()
        assert (tmp_path / name).read_bytes() == after


def assert_same(before: Any, after: Any, rule: str) -> None:
    """Compare two bodies as the rule's fix has to leave them."""
    old, new = bare(before), bare(after)
    if rule == "RL601":
        old, new = [[(key, sorted(held, key=str) if key == "system" else held) for key, held in body] for body in (old, new)]
    assert old == new
    times = list(marks(before)), list(marks(after))
    if rule == "RL603":
        assert len(times[1]) == 4
    elif rule == "RL606":
        assert times[1] == sorted(times[0])
    else:
        assert 1 <= len(times[1]) <= max(1, len(times[0]))

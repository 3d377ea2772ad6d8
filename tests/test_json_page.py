"""``docs/json.md`` names every field that the reports write."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
LOG = "radixlint/samples/support_desk.jsonl"
ONE_RUN = ("--policy", "lpm", "--kv-tokens", "5000")
COMMANDS = {
    "check": ("check", "templates", "--isolated"),
    "render": ("render", "templates/agent-tool-map.bad.j2", "--isolated"),
    "analyze": ("analyze", LOG, "--tree", "--top", "1", "--model", "llama-3.1-8b", "--gpu", "h100"),
    "check-log": ("check-log", LOG, "--min-hit-rate", "0.9", "--max-breaks", "0"),
    "diff": ("diff", LOG, "--split-at", "2026-03-09T10:12:00Z"),
    "simulate": ("simulate", "--workload", "rag", *ONE_RUN),
    "kv": ("kv", "--model", "llama-3.1-8b", "--tokens", "17", "--sequences", "2", "--gpu", "h100"),
    "rules": ("rules",),
}
# Their keys are data: reasons for skipping a record.
MAPPINGS = ("skipped",)
# The fields of the report on memory, listed under `kv`.
ELSEWHERE = ("shared_prefix_memory",)


def output_of(*arguments: str) -> str:
    """Run the command and return what it prints."""
    done = subprocess.run([sys.executable, "-m", "radixlint", *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def section(name: str) -> str:
    """Return the part of the page whose heading names ``name``."""
    parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    (part,) = (part for part in parts[1:] if f"`{name}`" in part.split("\n")[0])
    return part


def keys_in(value: object) -> Iterator[str]:
    """Yield every field name in a document, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from keys_in(item)
    elif isinstance(value, dict):
        yield from value
        for key, item in value.items():
            if key not in ELSEWHERE and not (key in MAPPINGS and isinstance(item, dict)):
                yield from keys_in(item)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_field_is_named(name: str) -> None:
    """Each field of the document, at any depth, stands in code type in the section of its command; so does null's column."""
    document = json.loads(output_of(*COMMANDS[name], "--format", "json"))
    part = section(name)

    assert document["schema_version"] == 1
    assert sorted(key for key in set(keys_in(document)) if f"`{key}`" not in part) == []


def test_every_field_of_the_rows_is_named(tmp_path: Path) -> None:
    """The fields of ``--per-request``, of both commands, are exactly those of the table, in its order."""
    measured, simulated = tmp_path / "measured.jsonl", tmp_path / "simulated.jsonl"
    output_of("analyze", LOG, "--per-request", str(measured))
    output_of("simulate", LOG, *ONE_RUN, "--per-request", str(simulated))
    rows = [json.loads(path.read_text(encoding="utf-8").splitlines()[0]) for path in (measured, simulated)]
    listed = re.findall(r"^\| `(\w+)` \|", section("--per-request"), flags=re.MULTILINE)

    assert list(rows[1]) == listed
    assert list(rows[0]) == listed[:-1]


def test_every_field_of_the_statistics_is_named() -> None:
    """The section of ``check`` names the fields of ``--statistics`` too."""
    document = json.loads(output_of(*COMMANDS["check"], "--statistics", "--format", "json"))

    assert sorted(key for key in set(keys_in(document)) if f"`{key}`" not in section("check")) == []


def test_a_rule_is_the_document_of_all_rules_with_one_entry() -> None:
    """``rule`` and ``rules`` write the same fields."""
    every = json.loads(output_of("rules", "--format", "json"))["rules"]
    one = json.loads(output_of("rule", every[0]["id"], "--format", "json"))

    assert one == {"schema_version": 1, "rules": [every[0]]}

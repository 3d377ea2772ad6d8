"""Fixes of scripts: edits of what is sure, everything else as it was, and nothing where it is not sure."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.fixing import fix_paths
from radixlint.config import Settings
from radixlint.flow.script_lowering import read_script
from radixlint.passage import whole
from radixlint.prompt import SourceText

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier."
)
HEAD = f"""// Ünïcode ahead of the edit: 𝄞
import {{ generateText }} from "ai";
import fs from "node:fs";
import {{ readdir }} from "node:fs/promises";
import dayjs from "dayjs";
import {{ format }} from "date-fns";
const RULES = "{RULES}";
"""


def builder(value: str) -> str:
    """Return a program that prints ``value`` ahead of fixed text."""
    return (
        f"{HEAD}export const ask = async (q) =>\n  generateText({{ model: m, system: `é  ${{{value}}} ` + RULES, prompt: q }});\n"
    )


def fixed(folder: Path, text: str, *, with_unsafe: bool, name: str = "app.ts") -> str:
    """Return the text of a file after its fixes."""
    (folder / name).write_text(text, encoding="utf-8")
    fix_paths(CheckOptions((name,), Settings(jobs=1), folder), with_unsafe=with_unsafe, is_dry=False)
    return (folder / name).read_text(encoding="utf-8")


def parses(text: str) -> bool:
    """Whether all of a script parses."""
    return read_script(whole(SourceText("app.ts", text)), "app.ts").fault is None


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("fs.readdirSync('docs').join(' ')", "fs.readdirSync('docs').sort().join(' ')"),
        ("fs.readdirSync('docs', 'utf8').join(' ')", "fs.readdirSync('docs', 'utf8').sort().join(' ')"),
        ("fs.readdirSync('docs').map((n) => `- ${n}`).join(' ')", "fs.readdirSync('docs').sort().map((n) => `- ${n}`).join(' ')"),
        ("(await readdir('docs')).join(' ')", "(await readdir('docs')).sort().join(' ')"),
        ("await readdir('docs', { recursive: true })", "(await readdir('docs', { recursive: true })).sort()"),
    ],
)
def test_names_of_files_are_sorted_where_they_are_listed(value: str, after: str, tmp_path: Path) -> None:
    """A safe fix sorts the new list; a second run changes nothing, and the file still parses."""
    found = fixed(tmp_path, builder(value), with_unsafe=False)

    assert found == builder(after)
    assert parses(found)
    assert fixed(tmp_path, found, with_unsafe=True) == found


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("new Date().toISOString()", "new Date().toISOString().slice(0, 10)"),
        ("new Date().toISOString().slice(0, 16)", "new Date().toISOString().slice(0, 10)"),
        ("new Date()", "new Date().toDateString()"),
        ("new Date().toString()", "new Date().toDateString()"),
        ("new Date().toLocaleString('en')", "new Date().toLocaleDateString('en')"),
        ("dayjs().format('YYYY-MM-DD HH:mm')", "dayjs().format('YYYY-MM-DD')"),
        ("dayjs().format('dddd, MMMM D [at] h:mm a')", "dayjs().format('dddd, MMMM D')"),
        ("format(new Date(), 'yyyy-MM-dd HH:mm:ss')", "format(new Date(), 'yyyy-MM-dd')"),
        (
            "'{{now}}'.replace('{{now}}', new Date().toISOString())",
            "'{{now}}'.replace('{{now}}', new Date().toISOString().slice(0, 10))",
        ),
    ],
)
def test_a_clock_prints_its_date_under_unsafe_fixes(value: str, after: str, tmp_path: Path) -> None:
    """The time goes, nothing else changes, a second run changes nothing; without unsafe fixes the file stays."""
    before = builder(value)
    assert fixed(tmp_path, before, with_unsafe=False) == before
    found = fixed(tmp_path, before, with_unsafe=True)

    assert found == builder(after)
    assert parses(found)
    assert fixed(tmp_path, found, with_unsafe=True) == found


def test_a_time_kept_under_a_name_that_is_read_once_is_cut(tmp_path: Path) -> None:
    """``const now`` loses its time where only the prompt reads it, and stays where the log does, too."""
    text = (
        f"{HEAD}export async function ask(q) {{\n  const now = new Date().toISOString();\n"
        "  return generateText({ model: m, system: `It is ${now}. ${RULES}`, prompt: q });\n}\n"
    )
    logged = text.replace("  return", "  console.log(now);\n  return")

    assert fixed(tmp_path, text, with_unsafe=True) == text.replace("toISOString()", "toISOString().slice(0, 10)")
    assert fixed(tmp_path, logged, with_unsafe=True) == logged


@pytest.mark.parametrize(
    "value",
    [
        "fs.readdirSync('docs', { withFileTypes: true }).map((e) => e.name).join(' ')",
        "fs.readdirSync('docs', options).join(' ')",
        "fs.readdirSync('docs', { ...options }).join(' ')",
        "new Date().toISOString().split('T')[1]",
        "new Date().toLocaleString('en', options)",
        "new Date().toLocaleTimeString()",
        "dayjs().format('HH:mm')",
        "dayjs().format(form)",
        "Date.now()",
        "JSON.stringify(schema)",
    ],
)
def test_what_no_edit_is_sure_to_repair_stays(value: str, tmp_path: Path) -> None:
    """Entries that are no texts, options that are not seen, times without a date and the order of keys are left to a person."""
    before = builder(value)

    assert fixed(tmp_path, before, with_unsafe=True) == before


def test_other_dialects_and_markup_are_fixed_alike(tmp_path: Path) -> None:
    """JavaScript with markup and required modules is edited as TypeScript is."""
    before = builder("fs.readdirSync('docs').join(' ')").replace('import fs from "node:fs"', 'const fs = require("node:fs")')

    for name in ("app.js", "app.jsx", "app.tsx", "app.mjs", "app.cjs"):
        assert "fs.readdirSync('docs').sort().join(' ')" in fixed(tmp_path, before, with_unsafe=False, name=name)

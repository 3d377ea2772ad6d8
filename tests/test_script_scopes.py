"""What scripts alone have: functions used ahead of their place, ``call`` and ``bind``, getters, tags, exports handed on."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Severity

HEAD = """import OpenAI from "openai";
import { randomUUID } from "node:crypto";

const client = new OpenAI();
const RULES = `You answer questions for the city library in short and friendly words.
Loans last four weeks and can be renewed twice unless someone waits.
Late items cost twenty cents a day, never more than the price of the item.`;
"""
ASK = """export async function ask(q: string) {
  const system = SYSTEM;
  return client.chat.completions.create({
    model: "m", messages: [{ role: "system", content: system }, { role: "user", content: q }],
  });
}
"""
# The code, and what the system text is made of; ``@@`` stands at the value that is told.
BAD = {
    "a-function-of-the-body-is-known-ahead": (
        "function outer() {\n  return inner();\n  function inner() { return `${@@randomUUID()}\\n`; }\n}",
        "outer() + RULES",
    ),
    "call": (
        "function head(this: unknown, word: string) { return `${word} ${@@Date.now()}\\n`; }",
        'head.call(null, "At") + RULES',
    ),
    "apply": ("function head(word: string) { return `${word} ${@@Date.now()}\\n`; }", 'head.apply(null, ["At"]) + RULES'),
    "bind": ("const head = (id: string, end: string) => id + end;", "head.bind(null, @@randomUUID())('\\n') + RULES"),
    "bound-to-an-object": (
        "const desk = { id: () => @@randomUUID(), head() { return `${this.id()}\\n`; } };\nconst head = desk.head.bind(desk);",
        "head() + RULES",
    ),
    "static-getter": ("class Clock { static get now() { return @@new Date().toISOString(); } }", "`${Clock.now}\\n${RULES}`"),
    "this-of-a-static-method": (
        "class Desk { static id() { return @@randomUUID(); } static head() { return `${this.id()}\\n`; } }",
        "Desk.head() + RULES",
    ),
    "map-under-a-key": (
        "const kept = new Map<string, string>();\nconst head = (key: string) => {\n  kept.set(key, `${@@randomUUID()}\\n`);\n"
        "  return kept.get(key);\n};",
        "head(q) + RULES",
    ),
    "getter-of-a-literal": ("const at = { get now() { return @@new Date().toISOString(); } };", "`${at.now}\\n${RULES}`"),
    "tag-of-the-file": (
        "const text = (parts: TemplateStringsArray, ...values: unknown[]) =>\n"
        '  parts.reduce((all, part, at) => all + part + (values[at] ?? ""), "");',
        "text`It is ${@@Date.now()}\n${RULES}`",
    ),
    "default-of-a-pattern": (
        "const head = ({ now = @@new Date().toISOString() }: { now?: string }) => `${now}\\n`;",
        "head({}) + RULES",
    ),
    "frozen": ("const made = () => Object.freeze({ id: @@randomUUID() });", "`${made().id}\\n${RULES}`"),
    "assigned": ("const made = () => Object.assign({}, { id: @@randomUUID() });", "`${made().id}\\n${RULES}`"),
    "satisfies": ("const made = () => ({ id: @@randomUUID() }) satisfies { id: string };", "`${made().id}\\n${RULES}`"),
    "optional-call": ("const made: { id?: () => string } = { id: () => @@randomUUID() };", "`${made.id?.()}\\n${RULES}`"),
    "arrow-in-a-field": ("class Desk { id = () => @@randomUUID(); }", "`${new Desk().id()}\\n${RULES}`"),
}
GOOD = {
    "call-apply-bind": (
        "const head = (word: string) => `${word}.`;",
        'head.call(null, "Be kind") + head.apply(null, ["Be brief"]) + head.bind(null, "Be fair")() + RULES',
    ),
    "functions-of-the-body": ("function outer() {\n  return inner();\n  function inner() { return RULES; }\n}", "outer()"),
    "static-getter": ('class Words { static get head() { return "Be kind."; } }', "`${Words.head}\\n${RULES}`"),
    "getter-of-a-literal": ('const words = { get head() { return "Be kind."; } };', "`${words.head}\\n${RULES}`"),
    "tag-of-the-file": (
        "const text = (parts: TemplateStringsArray, ...values: unknown[]) => String.raw({ raw: parts }, ...values);",
        "text`Be kind.\n${RULES}`",
    ),
    "enum": ('enum Tone { Kind = "kind" }', "`Be ${Tone.Kind}.\\n${RULES}`"),
    "filled-by-an-operator": ("let kept: string | undefined;\nconst head = () => (kept ??= RULES);", "head()"),
}


def _told(tmp_path: Path, code: str) -> list[tuple[str, int, int]]:
    (tmp_path / "ask.ts").write_text(code, encoding="utf-8")
    findings = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path)).findings
    return [(f.span.path, f.span.line, f.span.column) for f in findings if f.severity is not Severity.INFO]


@pytest.mark.parametrize("name", BAD)
def test_what_varies_is_found_where_it_is_drawn(name: str, tmp_path: Path) -> None:
    """The one finding stands at the clock or id, whatever form of the language it came through."""
    code, system = BAD[name]
    program = f"{HEAD}{code}\n{ASK.replace('SYSTEM', system)}"
    ahead = program.partition("@@")[0]

    place = ("ask.ts", ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n"))
    assert _told(tmp_path, program.replace("@@", "")) == [place]


@pytest.mark.parametrize("name", GOOD)
def test_what_is_fixed_is_silent(name: str, tmp_path: Path) -> None:
    """The same forms with fixed text are no finding."""
    code, system = GOOD[name]

    assert _told(tmp_path, f"{HEAD}{code}\n{ASK.replace('SYSTEM', system)}") == []


@pytest.mark.parametrize(
    ("imported", "read"),
    [
        ('import { head } from "./lib";', "head()"),
        ('import { stamp } from "./lib";', "stamp()"),
        ('import { all } from "./lib/index";', "all.head()"),
        ('import stamp from "./lib/stamp";', "stamp()"),
        ('import * as lib from "./lib";', "lib.head()"),
    ],
)
def test_exports_that_are_handed_on_are_followed(imported: str, read: str, tmp_path: Path) -> None:
    """``export *``, ``export { default as }`` and ``export * as`` lead to the file that draws the value."""
    (tmp_path / "lib").mkdir()
    source = "export default () => new Date().toISOString();\nexport const head = () => `At ${new Date().toISOString()}\\n`;\n"
    (tmp_path / "lib" / "stamp.ts").write_text(source, encoding="utf-8")
    handed = 'export * from "./stamp";\nexport { default as stamp } from "./stamp";\nexport * as all from "./stamp";\n'
    (tmp_path / "lib" / "index.ts").write_text(handed, encoding="utf-8")
    system = "`${" + read + "}\\n${RULES}`"
    found = _told(tmp_path, f"{imported}\n{HEAD}{ASK.replace('SYSTEM', system)}")

    assert found == [("lib/stamp.ts", 2, 33) if "head" in read else ("lib/stamp.ts", 1, 22)]

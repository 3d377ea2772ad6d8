"""Methods that go through a list are loops, and values come through patterns, namespaces, static blocks and modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days."
)
HEAD = f"""import OpenAI from "openai"; import Anthropic from "@anthropic-ai/sdk"; import {{ generateText }} from "ai";
const RULES = "{RULES}"; const SYSTEM = {{ role: "system", content: RULES }};
const openai = new OpenAI(); const anthropic = new Anthropic();
"""
PRINTED = "export const ask = (q) => generateText({{ model: m, system: `${{{}}} ${{RULES}}`, prompt: q }});\n"
BEGIN = "export async function ask(history: Turn[], question: string) {\n"
SENT = "  return generateText({ model: m, system, prompt: question });\n}\n"
MARKED = "  return anthropic.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 9, system: RULES, messages });\n}\n"
LIST = "  const messages = [];\n"
BLOCK = "content: [{ type: 'text', text: h.text, cache_control: { type: 'ephemeral' } }]"


def told(folder: Path, files: dict[str, str]) -> set[str]:
    """Return the rule and line of each warning and error of the files, ``app.ts`` behind its head."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + text if name == "app.ts" else text, encoding="utf-8")
    findings = check_paths(CheckOptions((".",), Settings(jobs=1), folder)).findings
    loud = (f for f in findings if f.severity.value != "info" and f.rule != "RL961")
    return {f"{f.rule} {f.span.path}:{f.span.line}" for f in loud}


LOOPS = [
    ("  const system = history.map((h) => h.text).join(' ') + RULES;\n" + SENT, {"RL103 app.ts:5"}),
    ("  const system = history.filter((h) => h.text).map((h) => h.text).join(' ') + RULES;\n" + SENT, {"RL103 app.ts:5"}),
    ("  const system = history.flatMap((h) => [h.who, h.text]).join(' ') + RULES;\n" + SENT, {"RL103 app.ts:5"}),
    ("  const system = history.reduce((all, h) => all + h.text, '') + RULES;\n" + SENT, {"RL103 app.ts:5"}),
    (f"  const messages = history.map((h) => ({{ role: h.role, {BLOCK} }}));\n{MARKED}", {"RL612 app.ts:5"}),
    (
        f"  const messages = [];\n  for (const h of history) messages.push({{ role: h.role, {BLOCK} }});\n{MARKED}",
        {"RL612 app.ts:6"},
    ),
    (
        f"  const messages = [];\n  history.forEach((h) => {{\n    messages.push({{ role: h.role, {BLOCK} }});\n  }});\n{MARKED}",
        {"RL612 app.ts:7"},
    ),
    (
        "  history.forEach((h) => {\n    h.content = h.content.slice(0, 90);\n  });\n"
        "  return openai.chat.completions.create({ model: 'm', messages: history });\n}\n",
        {"RL703 app.ts:6"},
    ),
    (
        "  const tools = registry.filter((tool) => user.rights.includes(tool.right));\n  return openai.chat.completions.create("
        "{ model: 'm', tools, messages: [{ role: 'system', content: RULES }, { role: 'user', content: question }] });\n}\n",
        {"RL801 app.ts:5"},
    ),
    (
        "  const messages = history.map((h) => ({ role: h.role, content: h.text }));\n"
        "  return openai.chat.completions.create({ model: 'm', messages: [SYSTEM, ...messages] });\n}\n",
        set(),
    ),
    ("  const system = RULES;\n  question = history.map((h, at) => `${at}. ${h.text}`).join(' ') + question;\n" + SENT, set()),
]


@pytest.mark.parametrize(("body", "expected"), LOOPS)
def test_a_method_that_goes_through_a_list_is_a_loop(body: str, expected: set[str], tmp_path: Path) -> None:
    """What rules say of loops they say of ``map``, ``flatMap``, ``filter``, ``reduce`` and ``forEach``, at their place."""
    assert told(tmp_path, {"app.ts": BEGIN + body}) == expected


FORMS = [
    ("const { at = Date.now() } = settings;\n", "at", {"RL201 app.ts:4"}),
    ("const { at = 'noon' } = { at: 'ten' };\n", "at", set()),
    ("const [at = Date.now()] = [];\n", "at", {"RL201 app.ts:4"}),
    ("const say = ([at = Date.now()]) => `at ${at}`;\n", "say([])", {"RL201 app.ts:4"}),
    ("const say = ({ at: { hour = Date.now() } }) => `at ${hour}`;\n", "say({ at: {} })", {"RL201 app.ts:4"}),
    ("namespace Desk { export const HEAD = `At ${Date.now()}`; }\n", "Desk.HEAD", {"RL201 app.ts:4"}),
    ("namespace Desk { export const HEAD = 'Harbour'; export function name() { return 'Pier'; } }\n", "Desk.name()", set()),
    ("class Desk { static head: string; static { Desk.head = `${Date.now()}`; } }\n", "Desk.head", {"RL201 app.ts:4"}),
    ("class Desk { static { this.head = 'Harbour'; } }\n", "Desk.head", set()),
    ("for (const [k, v] of new Map([['a', 'b']])) console.log(k, v);\n", "'x'", set()),
]


@pytest.mark.parametrize(("code", "value", "expected"), FORMS)
def test_values_come_through_forms_of_declarations(code: str, value: str, expected: set[str], tmp_path: Path) -> None:
    """Defaults of patterns, exports of a namespace and what a static block sets are followed to the line that makes them."""
    assert told(tmp_path, {"app.ts": code + PRINTED.format(value)}) == expected


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ("module.exports = () => new Date().toISOString();\n", {"RL201 clock.js:1"}),
        ("module.exports = function () { return 'noon'; };\n", set()),
    ],
)
def test_a_required_function_is_followed(clock: str, expected: set[str], tmp_path: Path) -> None:
    """A module that is a function is called as ``require`` gives it."""
    app = "const stamp = require('./clock');\n" + PRINTED.format("stamp()")

    assert told(tmp_path, {"clock.js": clock, "app.ts": app}) == expected

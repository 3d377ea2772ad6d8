"""Objects of scripts that hold messages or text: what their methods put in is followed to the request."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Severity

RULES = "Answer in one sentence. Never invent a number. Quote the text you rely on, word for word. " * 8
HEAD = f'import OpenAI from "openai";\nconst RULES = "{RULES}";\n'
SEND = 'await new OpenAI().chat.completions.create({ model: "m", messages });\n'
SYSTEM = 'const messages = [{ role: "system", content: text }, { role: "user", content: "hi" }];\n'
MESSAGES = """class Messages extends Array<{ role: string; content: string }> {
  say(role: string, content: string) { this.push({ role, content }); return this; }
}
"""
LINES = """class Lines extends Array<string> {
  private between: string;
  constructor(between: string) { super(); this.between = between; }
  add(line: string) { this.push(line); return this; }
  get text() { return this.join(this.between); }
}
const lines = new Lines("\\n");
"""
PROMPT = """class Prompt {
  private parts: string[] = [];
  add(text: string) { this.parts.push(text); return this; }
  toString() { return this.parts.join("\\n"); }
}
"""
NOW = "`Now ${@@new Date().toISOString()}`"
CASES = {
    "array": MESSAGES + f'const messages = new Messages().say("system", {NOW} + RULES).say("user", "hi");\n',
    "array-good": MESSAGES + f'const messages = new Messages().say("system", RULES).say("user", {NOW.replace("@@", "")});\n',
    "lines": f"{LINES}lines.add({NOW});\nlines.add(RULES);\nconst text = lines.text;\n{SYSTEM}",
    "lines-good": f"{LINES}lines.add(RULES);\nconst text = lines.text;\n{SYSTEM}",
    "object": f"{PROMPT}const text = new Prompt().add({NOW}).add(RULES).toString();\n{SYSTEM}",
    "printed": f"{PROMPT}const text = `${{new Prompt().add({NOW}).add(RULES)}}`;\n{SYSTEM}",
    "other-form": f'import {{ escapeHtml }} from "lib";\nconst text = escapeHtml({NOW} + RULES);\n{SYSTEM}',
    "plain": 'class Tool { constructor(public name: string) {} }\nconst text = `${new Tool("find")} ${RULES}`;\n' + SYSTEM,
}


@pytest.mark.parametrize("name", CASES)
def test_a_time_in_an_object_is_told_where_it_is_made(name: str, tmp_path: Path) -> None:
    """The clock at the mark is the one finding; without a mark there is none."""
    code = HEAD + CASES[name] + SEND
    ahead, mark, _ = code.partition("@@")
    (tmp_path / "desk.ts").write_text(code.replace("@@", ""), encoding="utf-8")

    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path))

    expected = [("RL201", ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n"))] if mark else []
    assert [(f.rule, f.span.line, f.span.column) for f in report.findings if f.severity is not Severity.INFO] == expected

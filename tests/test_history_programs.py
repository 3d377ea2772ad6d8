"""Small programs that keep a conversation, with the rules that each line breaks, and those beside them that break none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

FOLDER = Path(__file__).parent / "fixtures" / "history_programs"
RULES = """You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list
below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the
guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days. Boats leave at ten.
If a letter asks for the weather say that the harbour office knows, and give its number, which hangs at every pier."""
HEADS = {
    ".py": f'from openai import OpenAI\nclient = OpenAI()\nRULES = """{RULES}"""\n',
    ".ts": 'import OpenAI from "openai"; import Anthropic from "@anthropic-ai/sdk";\n'
    f"const client = new OpenAI(); const anthropic = new Anthropic();\nconst RULES = `{RULES}`;\n",
}
# What a line of a program breaks is said behind it: the rules, with an ``i`` where they are told as a note.
SAID = re.compile(r"[ \t]*(?:#|//)!\s*(.*)$", re.MULTILINE)


def programs() -> list[tuple[str, str]]:
    """Return all programs of the folder: their names, which begin with that of their file, and their texts."""
    blocks = [
        (path.stem, block.split("\n", 1))
        for path in sorted(FOLDER.glob("*.txt"))
        for block in re.split(r"^### ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    ]
    return [(f"{group}/{name}", text) for group, (name, text) in blocks]


@pytest.mark.parametrize(("name", "text"), [pytest.param(name, text, id=name) for name, text in programs()])
def test_each_line_is_told_for_what_it_does(name: str, text: str, tmp_path: Path) -> None:
    """A program gives the findings that its lines say, each cause once, and no other but notes of other rules."""
    ending = Path(name).suffix
    if ending != ".py":
        pytest.importorskip("tree_sitter_typescript")
    code = text if "/raw" in name else HEADS[ending[:3]] + text
    said = {
        (rule, number)
        for number, line in enumerate(code.split("\n"), 1)
        for found in SAID.findall(line)
        for rule in found.split()
    }
    (tmp_path / f"app{ending}").write_text(SAID.sub("", code), encoding="utf-8")
    findings = check_paths(CheckOptions((f"app{ending}",), Settings(jobs=1), tmp_path)).findings
    told = {(f.rule + "i" * (f.severity.value == "info"), f.span.line) for f in findings}

    assert {(rule, line) for rule, line in told if not rule.endswith("i") or rule.startswith("RL7")} == said

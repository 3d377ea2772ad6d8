"""Texts that reach a library by a decorator or a method of a history, and tools that are chosen of a list that is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Finding

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days."
)
AGENT = f'from datetime import datetime\nfrom pydantic_ai import Agent\nRULES = "{RULES}"\nagent = Agent("openai:gpt-5")\n'
MIDDLEWARE = f'from datetime import datetime\nfrom langchain.agents.middleware import dynamic_prompt\nRULES = "{RULES}"\n'
HISTORY = f'from datetime import datetime\nfrom semantic_kernel.contents import ChatHistory\nRULES = "{RULES}"\n'
CLOCK = 'f"It is {datetime.now()}. {RULES}"'


def findings(folder: Path, name: str, code: str) -> tuple[Finding, ...]:
    """Return what is found in a program."""
    (folder / name).write_text(code, encoding="utf-8")
    return tuple(check_paths(CheckOptions((name,), Settings(jobs=1), folder)).findings)


@pytest.mark.parametrize(
    "code",
    [
        f"{AGENT}@agent.instructions\ndef guide(ctx):\n    return {CLOCK}\n",
        f"{AGENT}@agent.system_prompt\ndef guide():\n    return {CLOCK}\n",
        f"{AGENT}@agent.system_prompt(dynamic=True)\nasync def guide(ctx):\n    return {CLOCK}\n",
        f"{AGENT}def set_up():\n    @agent.instructions\n    def guide():\n        return {CLOCK}\n",
        f"{MIDDLEWARE}@dynamic_prompt\ndef by_role(request):\n    return {CLOCK}\n",
        f"{HISTORY}def made():\n    chat = ChatHistory()\n    chat.add_system_message({CLOCK})\n    return chat\n",
        f"{HISTORY}def made():\n    return ChatHistory(system_message={CLOCK})\n",
    ],
)
def test_a_text_that_a_library_asks_for_is_its_system_text(tmp_path: Path, code: str) -> None:
    """A clock ahead of the rules is told as surely as in a request, however the library comes by the text."""
    (found,) = findings(tmp_path, "app.py", code)
    assert (found.rule, found.severity) == ("RL201", "error")


@pytest.mark.parametrize(
    "code",
    [
        f"{AGENT}@agent.instructions\ndef guide():\n    return RULES\n",
        f'{AGENT}@agent.instructions\ndef guide(ctx):\n    return f"{{RULES}} The guest is {{ctx.deps.name}}."\n',
        f'{AGENT}@agent.system_prompt\ndef guide():\n    return f"It is {{datetime.now()}}."\n',
        f'{AGENT}@agent.tool_plain\ndef pier():\n    return f"Pier two, {{datetime.now()}}"\n',
        f"{HISTORY}def made(q):\n    chat = ChatHistory()\n    chat.add_system_message(RULES)\n    chat.add_user_message(q)\n",
    ],
)
def test_what_stands_right_or_is_no_text_for_the_model_is_silent(tmp_path: Path, code: str) -> None:
    """Fixed text, a value behind it, a short text with nothing behind it, and what a tool gives are no findings."""
    assert not findings(tmp_path, "app.py", code)


def test_such_a_decorator_of_another_library_is_no_proof(tmp_path: Path) -> None:
    """A decorator called ``instructions`` of what is no library for models leaves it a note at most."""
    head = f'from datetime import datetime\nfrom menu import app\nRULES = "{RULES}"\n'
    code = f"{head}@app.instructions\ndef guide():\n    return {CLOCK}\n"
    assert {found.severity for found in findings(tmp_path, "app.py", code)} <= {"info"}


TOOL = '{ type: "function", function: { name: "%s", description: "Tell %s." } }'
IMPORTED = 'import { TOOLS } from "./tools";\n'
WRITTEN = f"const TOOLS = [{TOOL % (('prices',) * 2)}, {TOOL % (('piers',) * 2)}];\n"
HELPER = """\
function fits(tool, query) {
  const words = query.split(" ");
  return tool.words.some((one) => words.includes(one));
}
"""
SEND = """\
export async function act(query: string) {
  const tools = %s;
  return client.chat.completions.create({ model: "m", tools, messages: [
    { role: "system", content: RULES }, { role: "user", content: query }] });
}
"""


def chosen(folder: Path, head: str, choice: str) -> list[str]:
    """Return the codes found in a script that sends the tools of ``choice``."""
    code = f'import OpenAI from "openai";\n{head}const client = new OpenAI();\nconst RULES = `{RULES}`;\n{HELPER}{SEND % choice}'
    return [found.rule for found in findings(folder, "app.ts", code)]


@pytest.mark.parametrize("head", [IMPORTED, WRITTEN])
@pytest.mark.parametrize(
    "choice",
    [
        "TOOLS.filter((one) => query.includes(one.function.name))",
        "TOOLS.filter((one) => fits(one, query))",
        "TOOLS.filter((one) => fits(one, query)).map((one) => one.definition)",
    ],
)
def test_tools_chosen_by_the_query_of_a_known_list_are_told(tmp_path: Path, head: str, choice: str) -> None:
    """A filter that looks at the query makes a list of tools for each of them, wherever the list comes from."""
    assert chosen(tmp_path, head, choice) == ["RL801"]


@pytest.mark.parametrize("head", [IMPORTED, WRITTEN])
@pytest.mark.parametrize(
    "choice",
    [
        "TOOLS.filter(Boolean)",
        "TOOLS.filter((one) => one.enabled)",
        'TOOLS.filter((one) => one.function.name !== "piers")',
        "TOOLS.filter((one, at) => TOOLS.indexOf(one) === at)",
        'TOOLS.filter((one) => process.env.WRITE === "1" || one.isReader)',
        "TOOLS",
    ],
)
def test_a_filter_that_looks_at_the_tools_alone_is_silent(tmp_path: Path, head: str, choice: str) -> None:
    """What is the same for all requests chooses nothing between them."""
    assert chosen(tmp_path, head, choice) == []

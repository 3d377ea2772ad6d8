"""A value that is drawn once, and kept by a process or an object, is told as that and not as one of each call."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Finding, Severity

FOLDER = Path(__file__).parent / "fixtures" / "drawn_once"
RULES = """You answer questions for the city library in short and friendly words.
Loans last four weeks and can be renewed twice unless someone waits.
Late items cost twenty cents a day, never more than the price of the item."""
PYTHON = f'''import functools
import random
import uuid
from datetime import date, datetime

from openai import OpenAI

client = OpenAI()
RULES = """{RULES}"""


'''
SCRIPT = f"""import OpenAI from "openai";
import {{ randomUUID }} from "node:crypto";

const client = new OpenAI();
const RULES = `{RULES}`;

"""
_CALL = "client.chat.completions.create"
SENDS = {
    "py": f'{_CALL}(model="m", messages=[{{"role": "system", "content": system}}, {{"role": "user", "content": q}}])',
    "ts": f'{_CALL}({{ model: "m", messages: [{{ role: "system", content: system }}, {{ role: "user", content: q }}] }})',
}
VOLATILE = ("RL201", "RL202", "RL206", "RL301", "RL607")


def _cases(file: str, head: str, end: str) -> dict[str, tuple[str, str]]:
    """Return the programs of a fixture by file name, each with the scope that is told, ``-`` if nothing is."""
    found = {}
    for section in (FOLDER / file).read_text(encoding="utf-8").split("### ")[1:]:
        first, _, code = section.partition("\n")
        name, _, scope = first.partition(" ")
        found[f"{name}.{end}"] = (scope, head + code.replace("send(system, q)", SENDS[end]))
    return found


CASES = {**_cases("python.txt", PYTHON, "py"), **_cases("script.txt", SCRIPT, "ts")}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    """Return what is told of the values of each program, all checked at once."""
    folder = tmp_path_factory.mktemp("programs")
    for name, (_, code) in CASES.items():
        (folder / name).write_text(code, encoding="utf-8")
    found: dict[str, list[Finding]] = {name: [] for name in CASES}
    for each in check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=folder)).findings:
        if each.rule in VOLATILE:
            found[each.span.path].append(each)
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_scope_is_that_of_what_keeps_the_value(name: str, told: dict[str, list[Finding]]) -> None:
    """One finding says for how long the value stays; a value behind the rules, and a key of a process, are none."""
    scope = CASES[name][0]

    assert [finding.scope for finding in told[name]] == ([] if scope == "-" else [scope])


def test_a_value_of_a_process_is_a_warning(told: dict[str, list[Finding]]) -> None:
    """It costs one cold prompt in each process: no error, no word of calls, and no lifetime of the scale is its own."""
    (found,) = told["a-module-reads-it.py"]

    assert (found.rule, found.severity, found.lifetime) == ("RL201", Severity.WARNING, None)
    assert "drawn once a process" in found.message
    assert found.message.endswith("computed again in each process")
    assert found.mark == "differs between processes"


def test_a_value_of_an_object_stays_an_error(told: dict[str, list[Finding]]) -> None:
    """An object mostly lives as long as a conversation, each of which then begins cold."""
    (found,) = told["an-object-that-lives-on.ts"]

    assert (found.rule, found.severity) == ("RL201", Severity.ERROR)
    assert "drawn once for each object that keeps it" in found.message


def test_one_prompt_may_hold_both(tmp_path: Path) -> None:
    """A clock of the process and one of the call are two causes, told apart though both are called the same."""
    code = f'{PYTHON}STARTED = datetime.now()\n\n\ndef ask(q):\n    system = f"{{STARTED}} {{datetime.now()}}\\n{{RULES}}"\n'
    (tmp_path / "both.py").write_text(f"{code}    return {SENDS['py']}\n", encoding="utf-8")
    found = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path)).findings

    assert [(f.rule, f.scope) for f in found if f.rule == "RL201"] == [("RL201", "process"), ("RL201", "call")]


def test_names_of_other_files_are_of_the_process(tmp_path: Path) -> None:
    """What a module of the tree reads once is so for those that import it, by name or as a whole."""
    (tmp_path / "started.py").write_text("from datetime import datetime\n\nSTARTED = datetime.now()\n", encoding="utf-8")
    for word, read in (("from started import STARTED", "STARTED"), ("import started", "started.STARTED")):
        code = f'{PYTHON}{word}\n\n\ndef ask(q):\n    system = f"{{{read}}}\\n{{RULES}}"\n    return {SENDS["py"]}\n'
        (tmp_path / f"{read.replace('.', '_').lower()}_asks.py").write_text(code, encoding="utf-8")
    found = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path)).findings

    assert {(f.span.path, f.span.line, f.scope) for f in found if f.rule == "RL201"} == {("started.py", 3, "process")}

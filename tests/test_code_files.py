"""Python files and notebooks among the files that are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport

RULES = "Answer in one sentence. Never invent a number. Quote the text you rely on, word for word. " * 8
CLOCK = f"import datetime\n\n\ndef build_prompt():\n    return f'Now {{datetime.datetime.now()}}.' + {RULES!r}\n"


def check(root: Path, *arguments: str) -> CheckReport:
    """Return what a run in ``root`` finds."""
    return check_paths(CheckOptions(arguments=arguments or (".",), settings=Settings(), start=root))


def found(report: CheckReport) -> list[tuple[str, str, int]]:
    """Return path, rule and line of the findings."""
    return [(finding.span.path, finding.rule, finding.span.line) for finding in report.findings]


def notebook(*cells: str) -> str:
    """Return a notebook of these code cells."""
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}}, indent=1)


def test_folders_are_searched_for_python_and_notebooks(tmp_path: Path) -> None:
    """Both are checked where they lie; environments, packages and build results are not entered."""
    for folder in ("app", "venv/lib", "node_modules/x", "lib/site-packages", ".tox/a", "build", "dist"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.py").write_text(CLOCK, encoding="utf-8")
    (tmp_path / "app" / "b.ipynb").write_text(notebook(CLOCK), encoding="utf-8")

    paths = [(path, rule) for path, rule, _ in found(check(tmp_path))]

    assert paths == [("app/a.py", "RL201"), ("app/b.ipynb", "RL201")]


def test_a_finding_in_a_notebook_points_into_its_json(tmp_path: Path) -> None:
    """The place of a finding is that of the expression in the file."""
    text = notebook("x = 1\n", CLOCK)
    (tmp_path / "b.ipynb").write_text(text, encoding="utf-8")

    (finding,) = check(tmp_path).findings

    line = text.split("\n")[finding.span.line - 1]
    assert line[finding.span.column - 1 : finding.span.end_column - 1] == "datetime.datetime.now()"


def test_a_broken_cell_is_a_finding_and_the_others_go_on(tmp_path: Path) -> None:
    """RL001 stands at the cell, the findings of other cells beside it."""
    (tmp_path / "b.ipynb").write_text(notebook("prompt = (", CLOCK), encoding="utf-8")

    rules = [rule for _, rule, _ in found(check(tmp_path))]

    assert sorted(rules) == ["RL001", "RL201"]


def test_a_broken_python_file_is_a_finding(tmp_path: Path) -> None:
    """A file with a trace of a prompt that does not parse is told with its line; one without a trace is left."""
    (tmp_path / "a.py").write_text("prompt = 1\nx = = 2\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("x = = 2\n", encoding="utf-8")

    assert found(check(tmp_path)) == [("a.py", "RL001", 2)]


def test_a_suppression_in_python(tmp_path: Path) -> None:
    """A comment above the line silences the rule there."""
    text = CLOCK.replace("    return", "    # radixlint: ignore-next[RL201]\n    return")
    (tmp_path / "a.py").write_text(text, encoding="utf-8")

    report = check(tmp_path)

    assert (report.findings, report.suppressed) == ((), 1)


@pytest.mark.parametrize("name", ["a.py", "a.ipynb"])
def test_code_without_prompts_is_no_fault_if_named(tmp_path: Path, name: str) -> None:
    """Most code builds no prompts, and hooks name all of it: a named file in which nothing was found counts as not read."""
    (tmp_path / name).write_text(notebook("print()") if name.endswith("b") else "print()\n", encoding="utf-8")

    report = check(tmp_path, name)

    assert (report.files, report.skipped, report.findings) == (0, (), ())


def test_a_comment_behind_a_long_string_covers_it(tmp_path: Path) -> None:
    """In a string no comment can stand; one behind its end counts for all its lines."""
    code = (
        "from datetime import datetime\nfrom openai import OpenAI\n\nclient = OpenAI()\n\n\ndef ask(question):\n"
        '    s = f"""It is {datetime.now()}.\nYou answer questions of readers of the city library in short and friendly words.\n'
        'Loans last four weeks and can be renewed twice."""  # radixlint: ignore[RL201]\n'
        "    return client.responses.create(model='gpt-5-mini', instructions=s, input=question)\n"
    )
    (tmp_path / "a.py").write_text(code, encoding="utf-8")

    report = check(tmp_path, "a.py")

    assert (report.findings, report.suppressed) == ((), 1)


def test_named_arguments_of_unknown_calls_are_prompts_by_their_name(tmp_path: Path) -> None:
    """What an unknown call is given as instructions or system text is judged as a text of that name."""
    body = "You answer questions of readers of the city library in short and friendly words. Loans last four weeks."
    (tmp_path / "a.py").write_text(
        f'import time\nfrom ours import Helper\n\nhelper = Helper(instructions=f"{{time.time()}} {body}")\n', encoding="utf-8"
    )
    (tmp_path / "b.js").write_text(
        f'import {{ run }} from "ours";\n\nrun({{ system: `${{Date.now()}} {body}` }});\n', encoding="utf-8"
    )

    assert [(f.rule, f.span.path, f.span.line) for f in check(tmp_path).findings] == [("RL201", "a.py", 4), ("RL201", "b.js", 3)]


def test_a_named_file_that_does_not_parse_is_told(tmp_path: Path) -> None:
    """Without any sign of a prompt a broken file is told only if the user names it: trees hold much that is no code to run."""
    (tmp_path / "a.py").write_text("def f(:\n", encoding="utf-8")

    assert [f.rule for f in check(tmp_path, "a.py").findings] == ["RL001"]
    assert check(tmp_path).findings == ()


def test_a_request_sent_in_a_longer_file_is_told_there(tmp_path: Path) -> None:
    """A call that another file makes is told at its place in that file, however short the file is that leads to it."""
    sender = f"import openai\nRULES = {RULES!r}\n" + "# a line\n" * 40
    sender += "class Sender:\n  def send(self, schema, question):\n    text = ', '.join(schema.values()) + RULES\n"
    sender += "    tools = [{'type': 'function', 'function': {'name': 'x', 'parameters': dict(schema.items())}}]\n"
    sender += "    messages = [{'role': 'system', 'content': text}, {'role': 'user', 'content': question}]\n"
    sender += "    return openai.OpenAI().chat.completions.create(messages=messages, tools=tools)\n"
    (tmp_path / "sender.py").write_text(sender, encoding="utf-8")
    desk = "from sender import Sender\n\nclass Desk:\n  def __init__(self):\n    self.sender = Sender()\n"
    desk += "  def ask(self, schema):\n    messages = [{'role': 'user', 'content': 'hi'}]\n"
    desk += "    return self.sender.send(schema, messages)\n"
    (tmp_path / "desk.py").write_text(desk, encoding="utf-8")
    line = sender.partition("    tools =")[0].count("\n") + 1

    report = check(tmp_path)

    assert ("sender.py", "RL802", line) in found(report)

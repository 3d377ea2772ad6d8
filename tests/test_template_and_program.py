"""A value that a program gives to a Jinja file is told once: where the program makes it, or at the tag that says its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport, Severity

RULES = "Answer in one sentence. Never invent a number. Quote the text you rely on, word for word.\n" * 8
PROGRAM = """import datetime
import uuid
import jinja2
import openai

env = jinja2.Environment(loader=jinja2.FileSystemLoader("prompts"))


def ask(question, user):
    system = env.get_template("desk.j2").render(GIVEN)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return openai.OpenAI().chat.completions.create(messages=messages)
"""


def checked(folder: Path, given: str, tag: str, program: str = PROGRAM) -> CheckReport:
    """Return what is told of a program that fills ``tag`` of a template with ``given``."""
    (folder / "prompts").mkdir()
    (folder / "prompts" / "desk.j2").write_text(f"{tag}\n{RULES}", encoding="utf-8")
    (folder / "app.py").write_text(program.replace("GIVEN", given), encoding="utf-8")
    return check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=folder))


@pytest.mark.parametrize(
    ("given", "tag", "expected"),
    [
        ("now=datetime.datetime.now()", "{{ now }}", "RL201 app.py:10"),
        ("header=datetime.datetime.now()", "{{ header }}", "RL201 app.py:10"),
        ("request_id=str(uuid.uuid4())", "{{ request_id }}", "RL202 app.py:10"),
        ("today=datetime.date.today().isoformat()", "{{ today }}", "RL201 app.py:10"),
        ("user=user", "{{ user }}", "RL101 prompts/desk.j2:1"),
        ("user=user", "{{ now() }}", "RL201 prompts/desk.j2:1"),
        ("", "{{ now }}", "RL201 prompts/desk.j2:1"),
    ],
)
def test_one_cause_is_one_finding(given: str, tag: str, expected: str, tmp_path: Path) -> None:
    """What a call of the program makes is told at the call; a name that is handed on, at the tag that prints it."""
    findings = checked(tmp_path, given, tag).findings

    assert [f"{f.rule} {f.span.path}:{f.span.line}" for f in findings] == [expected]


def test_what_is_fixed_is_no_more_than_a_doubt(tmp_path: Path) -> None:
    """A fixed value has no finding at the program; the template alone does not know it."""
    findings = checked(tmp_path, "place='the lake'", "Here: {{ place }}").findings

    assert [(f.span.path, f.severity) for f in findings] == [("prompts/desk.j2", Severity.INFO)]


def test_a_comment_silences_its_own_file_only(tmp_path: Path) -> None:
    """A comment on the line of the program that has the number of the tag's line says nothing of the template."""
    program = PROGRAM.replace("import datetime\n", "import datetime  # radixlint: ignore[RL101]\n")

    report = checked(tmp_path, "user=user", "{{ user }}", program)

    assert [(f.rule, f.span.path) for f in report.findings if f.rule != "RL002"] == [("RL101", "prompts/desk.j2")]

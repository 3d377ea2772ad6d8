"""A file that only names a prompt: what is wrong with the prompt is told once, where it stands, if that file is checked too."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport

RULES = "Answer in one sentence. Never invent a number. Quote the text you rely on, word for word, in quotation marks. " * 6
PROMPT = f"# system:\nIt is {{{{ now() }}}}.\n{RULES}\n# user:\n{{{{ question }}}}\n"
FLOW = "nodes:\n- name: a\n  type: llm\n  source: {type: code, path: chat/answer.jinja2}\n"
CONFIG = "prompts: [file://chat/answer.jinja2]\nproviders: [openai:gpt-4o]\ntests: [{vars: {question: a}}]\n"


def _check(root: Path, files: dict[str, str], *arguments: str) -> CheckReport:
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return check_paths(CheckOptions(arguments=arguments or (".",), settings=Settings(), start=root))


def _told(report: CheckReport) -> list[tuple[str, str, list[str]]]:
    return [(f.span.path, f.rule, [related.span.path for related in f.related]) for f in report.findings]


@pytest.mark.parametrize(("name", "text"), [("flow.dag.yaml", FLOW), ("promptfooconfig.yaml", CONFIG)])
def test_a_fault_is_told_at_the_prompt_and_the_name_is_related(tmp_path: Path, name: str, text: str) -> None:
    """One finding, at the template's own tag; two names of it are two related places."""
    report = _check(tmp_path, {name: text, "chat/answer.jinja2": PROMPT})

    assert _told(report) == [("chat/answer.jinja2", "RL201", [name])]
    assert report.findings[0].span.line == 2

    again = _check(tmp_path, {f"again/{name}": text.replace("chat/", "../chat/")})
    assert _told(again) == [("chat/answer.jinja2", "RL201", [f"again/{name}", name])]


def test_a_name_alone_is_where_the_fault_is_told(tmp_path: Path) -> None:
    """Where the named file is not among those checked nothing else tells of it."""
    report = _check(tmp_path, {"flow.dag.yaml": FLOW, "chat/answer.jinja2": PROMPT}, "flow.dag.yaml")

    assert _told(report) == [("flow.dag.yaml", "RL201", ["chat/answer.jinja2"])]


def test_what_is_silenced_at_the_prompt_is_not_told_at_its_name(tmp_path: Path) -> None:
    """A comment in the template speaks for the template, whoever names it; one rule says nothing of another."""
    silent = PROMPT.replace("now() }}.", "now() }}.{# radixlint: ignore[RL201] #}")
    report = _check(tmp_path, {"flow.dag.yaml": FLOW, "chat/answer.jinja2": silent})
    assert (_told(report), report.suppressed) == ([], 1)

    other = PROMPT.replace("now() }}.", "now() }}.{# radixlint: ignore[RL101] #}")
    assert ("chat/answer.jinja2", "RL201", ["flow.dag.yaml"]) in _told(_check(tmp_path, {"chat/answer.jinja2": other}))


def test_a_named_prompt_is_compared_once(tmp_path: Path) -> None:
    """Of two templates with a title each one is named by a flow: the group is two prompts, not three."""
    report = _check(
        tmp_path,
        {
            "flow.dag.yaml": FLOW,
            "chat/answer.jinja2": f"Title one.\n{RULES}{{{{ q }}}}",
            "b.j2": f"Title two.\n{RULES}{{{{ q }}}}",
        },
    )

    (finding,) = [finding for finding in report.findings if finding.rule == "RL961"]
    assert "2 versions in 2 prompts" in finding.message


def test_an_include_with_text_of_its_own_keeps_what_is_told_of_it(tmp_path: Path) -> None:
    """A template that includes another is a prompt of its own, with a stake of its own."""
    report = _check(tmp_path, {"a.j2": f'{{% include "b.j2" %}}{RULES}{{{{ q }}}}', "b.j2": f"It is {{{{ now() }}}}.\n{RULES}"})

    assert [(path, rule) for path, rule, _ in _told(report)] == [("a.j2", "RL201"), ("b.j2", "RL201")]

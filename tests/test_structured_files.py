"""Structured prompt files through the command: healthy files are silent, a planted fault is found on its line."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

RULES = (
    "You answer questions for the town library in short and friendly words.\n"
    "Loans last four weeks and can be renewed twice unless someone waits for the book.\n"
    "Never promise a book that is not on the shelf, and never speak about other readers.\n"
)
CLOCK = "Now: {current_time}\n"
Maker = Callable[[str, str], object]


def _block(text: str, indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in text.splitlines())


def _double(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _langchain(before: str, after: str) -> str:
    return f"_type: prompt\ninput_variables: [question]\ntemplate: |\n{_block(before + RULES + 'Q: {question}' + after, 2)}"


def _few_shot(before: str, after: str) -> str:
    return (
        f"_type: few_shot\nprefix: |\n{_block(before + RULES, 2)}examples:\n- {{q: two, a: deux}}\n"
        f"suffix: |\n{_block('Q: {question}' + after, 2)}"
    )


def _dump(before: str, after: str) -> object:
    def made(name: str, **kwargs: object) -> dict[str, object]:
        return {"lc": 1, "type": "constructor", "id": ["langchain_core", "prompts", name], "kwargs": kwargs}

    system = made("SystemMessagePromptTemplate", prompt=made("PromptTemplate", template=before + RULES))
    human = made("HumanMessagePromptTemplate", prompt=made("PromptTemplate", template="Q: {question}" + after))
    past = made("MessagesPlaceholder", variable_name="past")
    return made("ChatPromptTemplate", messages=[system, past, human])


def _llama_index(before: str, after: str) -> object:
    return {
        "metadata": {"prompt_type": "qa"},
        "template_vars": ["context_str"],
        "template": before + RULES + "{context_str}\n{query_str}" + after,
    }


def _promptfoo(before: str, after: str) -> str:
    text = _double(before + RULES + "Q: {question}" + after)
    return f"prompts:\n- |\n{_block(text, 2)}providers: [any]\ntests:\n- vars: {{question: a}}\n- vars: {{question: b}}\n"


def _kernel(before: str, after: str) -> str:
    text = (before + RULES + "Q: {question}" + after).replace("{", "{{$").replace("}", "}}")
    return f"name: a\ntemplate_format: semantic-kernel\ninput_variables:\n- name: question\ntemplate: |\n{_block(text, 2)}"


def _dify(before: str, after: str) -> str:
    head = "kind: app\nworkflow:\n graph:\n  nodes:\n  - data:\n     type: llm\n     prompt_template:\n"
    text = (before + RULES).replace("{", "{{#1.").replace("}", "#}}")
    user = ("Q: {query}" + after).replace("{", "{{#sys.").replace("}", "#}}")
    return f"{head}     - role: system\n       text: |\n{_block(text, 8)}     - role: user\n       text: |\n{_block(user, 8)}"


def _langfuse(before: str, after: str) -> object:
    prompt = [
        {"role": "system", "content": _double(before) + RULES},
        {"type": "placeholder", "name": "past"},
        {"role": "user", "content": "{{question}}" + _double(after)},
    ]
    return {"name": "a", "type": "chat", "version": 1, "labels": [], "prompt": prompt}


def _nemo(before: str, after: str) -> str:
    return f"prompts:\n- task: general\n  content: |\n{_block(_double(before + RULES + 'Q: {question}' + after), 4)}"


def _crewai(before: str, after: str) -> str:
    return (
        f"clerk:\n  role: |\n{_block(before + RULES, 4)}  backstory: Old.\n  goal: |\n{_block('Help with {question}' + after, 4)}"
    )


def _fields(before: str, after: str) -> str:
    return f"bot:\n  system_prompt: |\n{_block(before + RULES, 4)}  user_prompt: |\n{_block('Q: {question}' + after, 4)}"


MAKERS: dict[str, Maker] = {
    "langchain.yaml": _langchain,
    "few_shot.yaml": _few_shot,
    "dump.json": _dump,
    "llama.json": _llama_index,
    "promptfooconfig.yaml": _promptfoo,
    "kernel.yaml": _kernel,
    "dify.yml": _dify,
    "langfuse.json": _langfuse,
    "rails.yml": _nemo,
    "agents.yaml": _crewai,
    "bot.yaml": _fields,
}


def _written(folder: Path, before: str, after: str) -> dict[str, str]:
    texts = {
        name: made if isinstance(made := maker(before, after), str) else json.dumps(made, indent=1)
        for name, maker in MAKERS.items()
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return texts


def _check(folder: Path, *arguments: str) -> dict[str, object]:
    command = [sys.executable, "-m", "radixlint", "check", "--format", "json", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    report = json.loads(done.stdout)
    assert isinstance(report, dict)
    return report


def test_healthy_files_are_silent(tmp_path: Path) -> None:
    """With the clock behind the question no file has a finding, and every file is read."""
    texts = _written(tmp_path, "", "\n" + CLOCK)
    report = _check(tmp_path, ".")

    assert report["findings"] == []
    assert report["files"] == len(texts)


def test_planted_clock_is_found_on_its_line(tmp_path: Path) -> None:
    """With the clock ahead of the rules each file has that finding on the line of the clock, at the placeholder."""
    texts = _written(tmp_path, CLOCK, "")
    findings = _check(tmp_path, ".", "--select", "RL201")["findings"]
    assert isinstance(findings, list)
    lines = {
        name: next(n for n, line in enumerate(text.split("\n"), 1) if "current_time" in line) for name, text in texts.items()
    }

    assert {f["path"]: (f["name"], f["line"]) for f in findings} == {
        name: ("volatile-time-before-static", line) for name, line in lines.items()
    }
    for finding in findings:
        line = texts[finding["path"]].split("\n")[finding["line"] - 1]
        shown = line[finding["column"] - 1 : finding["end_column"] - 1]
        assert shown.startswith("{")
        assert shown.endswith("}")
        assert "current_time" in shown


def test_file_mode_and_folder_mode_agree(tmp_path: Path) -> None:
    """A file named on the command line gives what it gives when its folder is checked."""
    texts = _written(tmp_path, CLOCK, "")

    assert _check(tmp_path, *sorted(texts))["findings"] == _check(tmp_path, ".")["findings"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("big.yaml", "prompts:\n" + "".join(f"  p{n}: |\n{_block('Know {x}. ' + RULES * 3, 4)}" for n in range(2_000))),
        ("big.json", json.dumps({"system_prompt": "Know {x}. " + RULES * 8_000})),
        ("bomb.yaml", "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(60_000)) + "prompt: '{x}'\n"),
        ("deep.json", '{"prompt": ' * 100_000),
        ("braces.yaml", "_type: prompt\ntemplate: '" + "{" * 1_000_000 + "'\n"),
        ("AGENTS.md", "`" * 900_000 + "\n" + "@a.md " * 100_000),
    ],
)
def test_large_and_hostile_files_end_soon(tmp_path: Path, name: str, text: str) -> None:
    """Files of 2 MB, and files made to blow up, end within seconds and without a traceback."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    start = time.perf_counter()
    _check(tmp_path, ".")

    assert time.perf_counter() - start < 10

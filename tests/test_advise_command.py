"""``radixlint advise`` and ``skill-radix-scheduler-advisor report`` on the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from radixlint.api import explained_breaks, measuring
from radixlint.cli.advisor_skill import main as skill_main
from radixlint.cli.main import main as radixlint_main

ROOT = Path(__file__).resolve().parent.parent
WORKLOAD = ROOT / "radixlint" / "samples" / "support_desk.workload.yaml"
PREAMBLE = " ".join(f"Rule {n}: answer in one sentence." for n in range(60))
REQUESTS = 120


def request(number: int, *, is_shared: bool = True) -> str:
    """One log line; without sharing, its first word is its own."""
    head = PREAMBLE if is_shared else f"{number} {PREAMBLE}"
    messages = [{"role": "system", "content": head}, {"role": "user", "content": f"Question {number}"}]
    return json.dumps({"messages": messages, "usage": {"completion_tokens": 20}})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a log that shares much, one that shares nothing, a template with a fault, and the sample workload."""
    (tmp_path / "shared.jsonl").write_text("".join(request(n) + "\n" for n in range(REQUESTS)), encoding="utf-8")
    lines = (request(n, is_shared=False) + "\n" for n in range(REQUESTS))
    (tmp_path / "unique.jsonl").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "prompts").mkdir()
    text = "Now: {{ now().isoformat() }}\n" + PREAMBLE + "\n{{ question }}\n"
    (tmp_path / "prompts" / "desk.j2").write_text(text, encoding="utf-8")
    shutil.copy(WORKLOAD, tmp_path / "desk.yaml")
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run ``advise`` in ``folder``; return stdout and stderr together after checking the exit code."""

    def run_here(*arguments: str, code: int, main: Callable[[], None] = radixlint_main, verb: str = "advise") -> str:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["radixlint", verb, *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        told = "".join(capfd.readouterr())
        assert stop.value.code == code, told
        return told

    return run_here


def run_child(folder: Path, *arguments: str, **env: str) -> str:
    """Run ``advise`` in ``folder`` in a process of its own; return stdout of a run that ends in GO."""
    command = [sys.executable, "-m", "radixlint", "advise", *arguments]
    return subprocess.run(command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, check=True).stdout


def test_go_is_written_to_the_default_place(folder: Path, run: Callable[..., str]) -> None:
    """A log that shares much gives GO, exit 0, and the page under outputs/; stderr says where."""
    told = run("--templates", "prompts", "--log", "shared.jsonl", "--workload", "desk.yaml", code=0)
    page = (folder / "outputs" / "skill-radix-scheduler-advisor.md").read_text(encoding="utf-8")

    assert "advice, support-desk: GO\n" in page
    assert "`prompts/desk.j2:1:6` RL201" in page
    assert told == "GO, written to outputs/skill-radix-scheduler-advisor.md\n"


def test_no_go_and_no_log_exit_1(folder: Path, run: Callable[..., str]) -> None:
    """Traffic that shares nothing, and no log at all, are results: exit 1, page written."""
    unique = run("--log", "unique.jsonl", "--workload", "desk.yaml", "--output", "-", code=1)
    without = run("--workload", "desk.yaml", "--output", "page.md", code=1)

    assert "advice, support-desk: NO-GO\n" in unique
    assert "NOT ENOUGH DATA, written to page.md" in without
    assert (folder / "page.md").exists()


def test_thresholds_are_options(folder: Path, run: Callable[..., str]) -> None:
    """With both thresholds raised the same log is no-go, with one between it runs both, and crossed ones are refused."""
    log = ("--log", "shared.jsonl", "--workload", "desk.yaml", "--output", "-")

    assert ": NO-GO" in run(*log, "--go-threshold", "1", "--no-go-threshold", "1", code=1)
    assert ": RUN BOTH" in run(*log, "--go-threshold", "1", code=1)
    assert "--no-go-threshold must not be above --go-threshold" in run(*log, "--go-threshold", "0.2", code=2)
    assert ": NOT ENOUGH DATA" in run(*log, "--min-requests", str(REQUESTS + 1), code=1)


def test_the_skill_command_is_the_same(folder: Path, run: Callable[..., str]) -> None:
    """``skill-radix-scheduler-advisor report`` writes the same page as ``advise``."""
    arguments = ("--log", "shared.jsonl", "--workload", "desk.yaml", "--output", "-")

    assert run(*arguments, code=0, main=skill_main, verb="report") == run(*arguments, code=0)


def test_the_page_is_the_same_bytes_everywhere(folder: Path) -> None:
    """Hash seed, time zone, locale and the place of the folder leave no trace; templates elsewhere show no full path."""
    arguments = ("--templates", "prompts", "--log", "shared.jsonl", "--workload", "desk.yaml", "--output", "-")
    first = run_child(folder, *arguments, PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C")
    second = run_child(folder, *arguments, PYTHONHASHSEED="2", TZ="America/Lima", LC_ALL="C.UTF-8")
    inner = folder / "inner"
    inner.mkdir()
    absolute = ("--templates", str(folder / "prompts"), "--log", "../shared.jsonl", "--workload", "../desk.yaml")
    third = run_child(inner, *absolute, "--output", "-")

    assert first == second == third
    assert str(folder) not in first


def test_json_has_the_verdict_first(folder: Path, run: Callable[..., str]) -> None:
    """JSON goes to stdout unless a file is named, and carries every field of the page."""
    log = ("--log", "shared.jsonl", "--workload", "desk.yaml", "--format", "json")
    told = run(*log, code=0)
    report = json.loads(told.removesuffix("GO\n"))

    assert list(report)[:2] == ["schema_version", "verdict"]
    assert report["verdict"] == report["decision"]["verdict"] == "GO"
    assert report["fingerprint"]["requests"] == REQUESTS
    assert not (folder / "outputs").exists()


def test_many_bad_records_need_lenient(folder: Path, run: Callable[..., str]) -> None:
    """Over 5 % unreadable records end with exit 2 though the page is written; with --lenient the rates are lower bounds."""
    (folder / "bad.jsonl").write_text("{\n" * 20 + (folder / "shared.jsonl").read_text(encoding="utf-8"), encoding="utf-8")
    arguments = ("--log", "bad.jsonl", "--workload", "desk.yaml", "--output", "page.md")

    assert "error: over 5 % of the records could not be read" in run(*arguments, code=2)
    assert "warning: 20 of 140 records skipped" in run(*arguments, "--lenient", code=0)
    assert "every rate is a lower bound" in (folder / "page.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--log", "none.jsonl", "--workload", "desk.yaml"), "none.jsonl"),
        (("--log", "empty.jsonl", "--workload", "desk.yaml"), "empty.jsonl: no records"),
        (("--workload", "none.yaml"), "none.yaml: cannot be read: no such file or directory"),
        (("--workload", "."), "cannot be read"),
        (("--templates", "none", "--workload", "desk.yaml"), "none"),
        (("--workload", "desk.yaml", "--model", "llama-3.1-9b"), "--model: unknown model 'llama-3.1-9b' (did you mean "),
        (("--workload", "odd.yaml"), "odd.yaml: hardware: gpu: unknown GPU 'h101' (did you mean h100?"),
        (("--log", "shared.jsonl"), "--workload"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_line_and_writes_nothing(
    folder: Path, run: Callable[..., str], arguments: tuple[str, ...], message: str
) -> None:
    """Each mistake ends with exit 2 and one line that names it; no half-written page is left."""
    (folder / "empty.jsonl").write_text("", encoding="utf-8")
    (folder / "odd.yaml").write_text(WORKLOAD.read_text(encoding="utf-8").replace("gpu: h100", "gpu: h101"), encoding="utf-8")
    told = run(*arguments, code=2)

    assert message in told
    assert len(told.splitlines()) == 1
    assert not (folder / "outputs").exists()


def test_the_page_shows_no_prompt_text(folder: Path, run: Callable[..., str]) -> None:
    """What a single conversation says stays out of the page: only shared text and shapes are shown."""
    secret = [request(n).replace(f"Question {n}", f"My name is Zebulon{n}") + "\n" for n in range(REQUESTS)]
    (folder / "private.jsonl").write_text("".join(secret), encoding="utf-8")

    assert "Zebulon" not in run("--log", "private.jsonl", "--workload", "desk.yaml", "--output", "-", code=0)


def test_a_counter_of_zero_and_foreign_token_counts_are_no_go_ahead(folder: Path, run: Callable[..., str]) -> None:
    """150 requests whose usage counts far more tokens than ours and none cached: no GO, whatever the replay says."""
    usage = {"prompt_tokens": 2500, "prompt_tokens_details": {"cached_tokens": 0}}
    lines = [json.dumps(json.loads(request(n)) | {"usage": usage}) + "\n" for n in range(150)]
    (folder / "off.jsonl").write_text("".join(lines), encoding="utf-8")
    told = run("--log", "off.jsonl", "--workload", "desk.yaml", "--output", "-", code=1)

    assert "advice, support-desk: NOT ENOUGH DATA\n" in told
    assert "Layout or tokenizer differs from the server's" in told


def test_the_log_is_tokenized_and_explained_once(folder: Path, run: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Both engines' figures come from one pass over the text."""
    calls: list[str] = []
    for module, name in ((measuring, "tokenize"), (explained_breaks, "explain")):
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *args, real=real, name=name: (calls.append(name), real(*args))[1])
    run("--log", "shared.jsonl", "--workload", "desk.yaml", "--output", "-", code=0)

    assert sorted(calls) == ["explain", "tokenize"]

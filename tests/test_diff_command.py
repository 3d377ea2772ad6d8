"""``radixlint diff``: the first three lines, exit codes, and errors in one line."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from made_faults import FAULTS
from made_logs import chat, rag, write_jsonl
from test_json_page import keys_in, section


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run([sys.executable, "-m", "radixlint", "diff", *arguments], cwd=cwd, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log that gets a clock in its later half, and single requests."""
    made = tmp_path_factory.mktemp("diff")
    (fault,) = (one for one in FAULTS if one.name == "clock-second")
    healthy = rag(200, 1)
    faulty = fault.inject(healthy, 1.0, random.Random(1)).requests
    write_jsonl(made / "log.jsonl", [*healthy[:100], *faulty[100:]])
    (made / "time").write_text(str(healthy[100].time_s))
    write_jsonl(made / "before.jsonl", healthy[:100])
    write_jsonl(made / "after.jsonl", healthy[100:])
    write_jsonl(made / "small.jsonl", healthy[:10])
    write_jsonl(made / "one.json", chat(5, 1)[:1])
    rules = "Keep answers short and name the source.\n" * 40
    (made / "old.j2").write_text(f"{rules}{{{{ question }}}}\n")
    (made / "new.j2").write_text(f"{{{{ now() }}}}\nBe kind.\n{rules}{{{{ question }}}}\n")
    return made


def test_the_first_lines_are_the_answer(folder: Path) -> None:
    """When and which part, what it costs in which unit, whose fault, what to do; --fail makes it 1."""
    time = (folder / "time").read_text()
    done = run("log.jsonl", "--split-at", time, cwd=folder)
    lines = [line for line in done.stdout.partition("\n\n")[0].splitlines() if not line.startswith(" ")]

    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in lines] == ["Change", "Cost", "Whose", "Do"]
    assert "messages[0] system line 1 (clock, began)" in " ".join(done.stdout.partition("\n\n")[0].split())
    assert "tokens per 1,000 requests" in lines[1]
    assert lines[2].startswith("Whose  prompt (points of the hit rate lost: prompt +")
    assert run("log.jsonl", "--split-at", time, "--fail", cwd=folder).returncode == 1


def test_the_table_adds_up_to_the_cost(folder: Path) -> None:
    """The cost of the head is the sum that stands in the table, and traffic beside it is told apart."""
    done = run("log.jsonl", "--split-at", (folder / "time").read_text(), cwd=folder)
    cost = re.search(r"^Cost +([\d,]+) tokens", done.stdout, re.MULTILINE)
    table = dict(
        re.findall(
            r"^  (prompt|engine or provider|traffic mix|new text|at equal traffic) +([+-][\d,]+)", done.stdout, re.MULTILINE
        )
    )
    tokens = {name: int(figure.replace(",", "")) for name, figure in table.items()}

    assert cost is not None
    assert int(cost[1].replace(",", "")) == tokens.pop("at equal traffic") == sum(tokens.values())


def test_no_change_passes(folder: Path) -> None:
    """A log against itself exits 0 with --fail."""
    done = run("before.jsonl", "before.jsonl", "--fail", cwd=folder)

    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Change nothing")


def test_a_wide_tolerance_does_not_excuse_a_new_break(folder: Path) -> None:
    """--tolerance is for the rate; a break that began fails in any case."""
    time = (folder / "time").read_text()

    assert run("log.jsonl", "--split-at", time, "--fail", "--tolerance", "100%", cwd=folder).returncode == 1


def test_what_cannot_be_compared_is_2_and_what_is_small_is_not(folder: Path) -> None:
    """With --fail one request against a log is no comparison; two small logs are one, with a warning."""
    assert run("one.json", "log.jsonl", "--fail", cwd=folder).returncode == 2
    assert run("one.json", "log.jsonl", cwd=folder).returncode == 0

    small = run("small.jsonl", "before.jsonl", "--fail", cwd=folder)
    assert (small.returncode, small.stderr.startswith("warning: too little is known")) == (0, True)


def test_a_log_and_its_later_part_swapped(folder: Path) -> None:
    """Who gives the later log first is told so in the head of the report."""
    swapped = run("after.jsonl", "before.jsonl", cwd=folder).stdout.partition("\n\n")[0]

    assert "\nOrder  the first part was sent later" in swapped
    assert "Order" not in run("before.jsonl", "after.jsonl", cwd=folder).stdout


def test_metrics_are_told_as_analyze_tells_them(folder: Path) -> None:
    """Prometheus texts hold no requests: both commands say the same about such a file, whatever it is called."""
    for name in ("metrics.txt", "metrics.prom"):
        (folder / name).write_text(
            '# HELP vllm:hits_total Hits.\n# TYPE vllm:hits_total counter\nvllm:hits_total{model_name="m"} 5.0\n'
        )
        told = run(name, name, cwd=folder)
        analyzed = subprocess.run(
            [sys.executable, "-m", "radixlint", "analyze", name], cwd=folder, capture_output=True, text=True, check=False
        )
        assert (told.returncode, told.stderr) == (2, analyzed.stderr)
        assert "Prometheus" in told.stderr


@pytest.mark.parametrize("arguments", [
    ("log.jsonl",),
    ("log.jsonl", "missing.jsonl"),
    ("log.jsonl", "log.jsonl", "log.jsonl"),
    ("log.jsonl", "--split-at", "noon"),
    ("before.jsonl", "after.jsonl", "--split-at", "10:00"),
    ("before.jsonl", "after.jsonl", "--request", "r-1", "--request", "r-2"),
    ("log.jsonl", "--request", "r-1"),
    ("log.jsonl", "--request", "r-1", "--request", "nobody"),
    ("log.jsonl", "before.jsonl", "--show-text", "--hash-only"),
    ("-", "-"),
])  # fmt: skip
def test_errors_are_one_line(arguments: tuple[str, ...], folder: Path) -> None:
    """What cannot be compared is told in one line on stderr, and the exit code is 2."""
    done = run(*arguments, cwd=folder)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("error: ")


@pytest.mark.parametrize(("arguments", "kind"), [
    (("before.jsonl", "before.jsonl"), "logs"),
    (("one.json", "one.json"), "requests"),
    (("old.j2", "old.j2"), "templates"),
])  # fmt: skip
def test_json_names_its_kind(arguments: tuple[str, ...], kind: str, folder: Path) -> None:
    """Each document says what was compared, and the page on JSON names every field of it."""
    document = json.loads(run(*arguments, "--format", "json", cwd=folder).stdout)

    assert (document["schema_version"], document["kind"], document["is_worse"]) == (1, kind, False)
    assert sorted(key for key in set(keys_in(document)) if f"`{key}`" not in section("diff")) == []


def test_json_of_changed_templates_is_documented(folder: Path) -> None:
    """So are the fields of changed text and of findings."""
    document = json.loads(run("old.j2", "new.j2", "--format", "json", cwd=folder).stdout)

    assert document["is_worse"]
    assert document["new"]
    assert sorted(key for key in set(keys_in(document)) if f"`{key}`" not in section("diff")) == []

"""How ``check`` behaves towards a user and a pipeline: selection, exit codes, baselines, counts, steady bytes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from radixlint.cli.check_report_flags import ReportFlags
from radixlint.config.setting_keys import OUTPUT_FORMATS
from radixlint.result.finding import CheckReport
from radixlint.sources import SUFFIXES

RULES = "Answer in one sentence. Never invent a number. Quote the text you rely on, word for word, in quotation marks. " * 6
CLOCK = "It is {{ now() }}.\n" + RULES
USER = "You help {{ user.name }}.\n" + RULES
MAPPING = "{% for name, tool in tools.items() %}{{ name }}: {{ tool }}\n{% endfor %}\n" + RULES


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``radixlint check`` in ``folder``."""
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")} | environment
    command = [sys.executable, "-m", "radixlint", "check", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, env=env, timeout=60, check=False)


def codes(folder: Path, *arguments: str) -> list[str]:
    """Return the codes that ``check`` finds in ``folder``."""
    return sorted(finding["rule"] for finding in json.loads(run(folder, *arguments, "--format", "json").stdout)["findings"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an error, two warnings in two files, and a clean file."""
    texts = {"clock.j2": CLOCK, "user.j2": USER, "map.j2": MAPPING, "clean.j2": RULES + "{{ question }}"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--select", "RL2"], ["RL201"]),
        (["--select", "volatile-time-before-static,RL303"], ["RL201", "RL303"]),
        (["--select", "RL2", "--extend-select", "RL303"], ["RL201", "RL303"]),
        (["--select", "ALL", "--ignore", "RL"], []),
        (["--ignore", "ALL", "--extend-select", "RL201"], ["RL201"]),
        (["--select", "RL9"], []),
    ],
)
def test_selection(folder: Path, arguments: list[str], expected: list[str]) -> None:
    """Codes, names, prefixes and ALL choose rules; the more exact word wins; --extend-select adds to --select."""
    assert codes(folder, *arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["map.j2", "user.j2", "--max-warnings", "2"], 0),
        (["map.j2", "user.j2", "--max-warnings", "1"], 1),
        (["map.j2", "user.j2", "--max-warnings", "1", "--fail-on", "error"], 1),
        (["map.j2", "user.j2", "--max-warnings", "1", "--exit-zero"], 0),
        (["clock.j2", "--max-warnings", "9"], 1),
        (["clean.j2", "--max-warnings", "0"], 0),
        (["clean.j2", "--max-warnings", "-1"], 2),
        (["clean.j2", "--max-warnings", "many"], 2),
        (["--statistics", "--format", "sarif"], 2),
        (["--baseline", "absent.json"], 2),
        (["--baseline", "b.json", "--write-baseline", "b.json"], 2),
        (["--write-baseline", "b.json", "--diff-ref", "HEAD"], 2),
        (["clean.j2", "--write-baseline", "clean.j2"], 2),
        (["--write-baseline", "no/such/folder/b.json"], 2),
        (["clean.j2", "--format", "xml"], 2),
    ],
)
def test_exit_codes(folder: Path, arguments: list[str], code: int) -> None:
    """Warnings up to a number are allowed whatever --fail-on says; errors fail; wrong usage is 2, one line, no report."""
    done = run(folder, *arguments)

    assert done.returncode == code, done.stderr
    if code == 2:
        assert (done.stdout, done.stderr.count(b"\n")) == (b"", 1)
        assert done.stderr.startswith(b"error: ")


def test_config_sets_format_and_warnings(folder: Path) -> None:
    """The config file's form and number of warnings count unless the command line names others."""
    (folder / "radixlint.toml").write_text('output-format = "concise"\nmax-warnings = 3\n', encoding="utf-8")

    done = run(folder, "user.j2", "map.j2")
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 4)
    assert run(folder, "user.j2", "--format", "text").stdout.count(b"\n") > 4
    assert run(folder, "user.j2", "--max-warnings", "0").returncode == 1


@pytest.mark.parametrize("form", OUTPUT_FORMATS)
def test_bytes_never_vary(folder: Path, form: str) -> None:
    """Every form is the same bytes under another hash seed, locale and zone, and with arguments in another order."""
    names = ["clock.j2", "map.j2", "user.j2", "clean.j2"]
    first = run(folder, *names, "--format", form, PYTHONHASHSEED="0")
    second = run(folder, *names[::-1], "--format", form, PYTHONHASHSEED="1", LC_ALL="C", TZ="Asia/Tokyo", COLUMNS="40")

    assert first.stdout == second.stdout != b""


def test_output_file_is_another_name_for_output(folder: Path) -> None:
    """Both names write the report to the file, and nothing to stdout."""
    done = [run(folder, "clock.j2", "--format", "sarif", option, f"{option}.sarif") for option in ("--output", "--output-file")]

    assert [one.stdout for one in done] == [b"", b""]
    assert (folder / "--output.sarif").read_bytes() == (folder / "--output-file.sarif").read_bytes() != b""


def test_statistics(folder: Path) -> None:
    """Findings by rule, most first, with what can be fixed and the tokens at stake; the exit code is that of the findings."""
    (folder / "second.j2").write_text(USER, encoding="utf-8")
    done = run(folder, "--statistics", "--format", "json")
    rows = json.loads(done.stdout)["statistics"]
    findings = json.loads(run(folder, "--format", "json").stdout)["findings"]

    assert done.returncode == 1
    assert [(row["rule"], row["findings"]) for row in rows] == [("RL101", 2), ("RL201", 1), ("RL303", 1)]
    assert rows[0]["lost_tokens"] == sum(finding["lost_tokens"] for finding in findings if finding["rule"] == "RL101")
    text = run(folder, "--statistics").stdout.decode().split("\n")
    assert text[0].split() == ["findings", "rule", "name", "tokens", "at", "stake"]
    assert text[1].split()[:2] == ["2", "RL101"]
    assert text[3].split()[:3] == ["1", "RL303", "[*]"]
    assert text[5].startswith("5 files")


def test_a_baseline_round_trip(folder: Path) -> None:
    """Writing says that all is in it and exits 0; with it only what is new is told; what is gone is noted."""
    wrote = run(folder, "--write-baseline", "base.json")
    assert wrote.returncode == 0
    assert b"no findings, 3 in the baseline" in wrote.stdout
    assert run(folder, "--baseline", "base.json").returncode == 0

    (folder / "clock.j2").write_text("# Rules\n\n" + CLOCK, encoding="utf-8")
    (folder / "new.j2").write_text(CLOCK, encoding="utf-8")
    (folder / "user.j2").unlink()
    done = run(folder, "--baseline", "base.json", "--format", "concise")
    assert [line.split(":")[:2] for line in done.stdout.decode().splitlines() if "RL" in line] == [["new.j2", "1"]]
    assert done.returncode == 1
    assert done.stderr == b"note: base.json: 1 finding of it is no longer there; --write-baseline writes it anew\n"


def test_a_failed_write_leaves_the_old_baseline(folder: Path) -> None:
    """A run that ends in an error does not touch the file."""
    run(folder, "--write-baseline", "base.json")
    before = (folder / "base.json").read_bytes()

    assert run(folder, "absent.j2", "--write-baseline", "base.json").returncode == 2
    assert (folder / "base.json").read_bytes() == before


def test_only_changed_lines(folder: Path) -> None:
    """With --diff-ref old findings are counted and do not fail; a new line is told; a wrong ref is one clear line."""
    author = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for words in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    assert run(folder, "--diff-ref", "HEAD").returncode == 0

    (folder / "clean.j2").write_text("{{ now() }}\n" + RULES, encoding="utf-8")
    done = run(folder, "--diff-ref", "HEAD", "--format", "concise")
    assert [line.split(":")[0] for line in done.stdout.decode().splitlines() if "RL" in line] == ["clean.j2"]
    assert b"3 on unchanged lines" in done.stdout
    wrong = run(folder, "--diff-ref", "nowhere")
    assert (wrong.returncode, wrong.stderr) == (2, b"error: --diff-ref: git knows no commit 'nowhere'\n")


def test_fixes_leave_alone_what_is_not_told(folder: Path) -> None:
    """A finding in the baseline is not fixed."""
    run(folder, "--write-baseline", "base.json")

    assert run(folder, "--fix", "--baseline", "base.json").stderr == b"fixed nothing\n"
    assert (folder / "map.j2").read_text(encoding="utf-8") == MAPPING


def test_show_settings_is_a_config_file(folder: Path) -> None:
    """What is printed is TOML: what is set, the rules that run, and where each key comes from; nothing is checked."""
    text = 'ignore = ["RL2"]\nfail-on = "error"\nvariables = { "b\\u001b\\u202e" = "day" }\n'
    (folder / "radixlint.toml").write_text(text, encoding="utf-8")
    done = run(folder, "absent.j2", "--show-settings", "--extend-select", "RL201")
    shown = tomllib.loads(done.stdout.decode())

    assert done.returncode == 0
    assert shown["fail-on"] == "error"
    assert "RL201" in shown["select"]
    assert "RL202" not in shown["select"]
    assert shown["variables"] == {"b\x1b\u202e": "day"}
    assert b"\x1b" not in done.stdout
    assert 'fail-on = "error"  # radixlint.toml:2' in done.stdout.decode().splitlines()
    assert run(folder, "--isolated", "--show-settings").stdout.startswith(b"# no config file\n")


def test_show_files(folder: Path) -> None:
    """The files that are checked, one a line, and exit 0 whatever is in them."""
    (folder / "data.json").write_text("{}", encoding="utf-8")
    done = run(folder, "--show-files", "--exclude", "user.j2")

    assert (done.returncode, done.stdout.decode().split()) == (0, ["clean.j2", "clock.j2", "map.j2"])


def test_quiet(folder: Path) -> None:
    """With --quiet stderr holds errors only; the report and the exit code are the same."""
    (folder / "binary.j2").write_bytes(b"\x89PNG\0")
    loud, quiet = run(folder), run(folder, "-q")

    assert loud.stderr != b""
    assert (quiet.stdout, quiet.returncode, quiet.stderr) == (loud.stdout, loud.returncode, b"")
    assert run(folder, "-q", "absent.j2").stderr.startswith(b"error: ")


def test_help_groups_the_options() -> None:
    """Every option stands under the heading of its topic."""
    text = run(Path(), "--help").stdout.decode()
    headings = [line[:-1] for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    last = text[text.index("\nReport and exit code:") : text.index("\nExamples:")]

    assert {"Which files", "Which rules", "Which findings", "Fixes", "Report and exit code"} <= set(headings)
    assert "--fix" not in last
    assert "--rules" not in last


@pytest.mark.parametrize("data", [b"a,b\n", b"a\0b", "Hello {{ x }}".encode("utf-16")])
def test_a_named_file_that_cannot_be_checked_is_an_error(folder: Path, data: bytes) -> None:
    """Others are still checked and told, the exit code is 2; with --force-exclude, as for pre-commit, it is a note."""
    (folder / ("data.csv" if b"," in data else "data.j2")).write_bytes(data)
    name = next(folder.glob("data.*")).name

    done = run(folder, name, "clock.j2", "--quiet")
    assert (done.returncode, b"RL201" in done.stdout) == (2, True)
    assert done.stderr.startswith(f"error: {name}: ".encode())
    forced = run(folder, name, "clean.j2", "--force-exclude")
    assert (forced.returncode, forced.stderr.startswith(f"note: {name}: skipped: ".encode())) == (0, True)
    alone = run(folder, name)
    assert (alone.returncode, b"nothing was checked" in alone.stdout) == (2, True)


def test_hooks_name_every_kind_of_file() -> None:
    """The hooks for pre-commit take what the readers take, and pass over the rest without an error."""
    text = (Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    patterns = re.findall(r"^  files: (.+)$", text, re.MULTILINE)

    assert len(patterns) == text.count("entry: radixlint check --force-exclude")
    assert all(re.search(pattern, f"folder/x{suffix}") for pattern in patterns for suffix in SUFFIXES)


def test_notes_that_say_the_same_of_many_files_are_joined(capsys: pytest.CaptureFixture[str]) -> None:
    """Two of five alike are told in full and the rest counted; three alike, and others, are all told."""
    alike = [f"{name}.py: not all was followed: in f (line {line})" for line, name in enumerate("abcde", 1)]
    others = [f"{name}.j2: read without it" for name in "xyz"]
    report = CheckReport((), 8, 8, 0, (), "o200k_base", notes=(*alike, *others))

    assert ReportFlags("text", None, False, False, False, False).tell(report, ()) == 0
    said = capsys.readouterr().err.splitlines()
    assert said == [f"note: {note}" for note in (*alike[:2], "3 more files: not all was followed; all in --format json", *others)]

"""The console boundary: what the user sees, and the exit code, when something is missing, wrong, closed or interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HELP_START = "Usage: python -m radixlint [OPTIONS] COMMAND [ARGS]...\n\n  Find what breaks"
# The demo's story, replaced by what a test wants to happen in the middle of a command.
BROKEN_DEMO = """
import os, signal
import radixlint.api.demo_story as story
def tell(seed):
    {happening}
story.tell_story = tell
from radixlint.cli.main import main
main()
"""
# Ctrl-C at the moment when ``module`` is first asked for.
INTERRUPTED_IMPORT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
import runpy
if {start!r} == "radixlint.__main__":
    runpy.run_module("radixlint", run_name="__main__")
else:
    getattr(__import__({start!r}, fromlist=["main"]), "main")()
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a child process."""
    return subprocess.run([sys.executable, "-m", "radixlint", *arguments], capture_output=True, text=True)


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which ``$R`` is the command; its exit code is the command's, not that of what it pipes to."""
    command = ["bash", "-c", f'set -o pipefail; R="{sys.executable} -m radixlint"; {line}']
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)


def broken_demo(happening: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the demo with ``happening`` in its middle."""
    command = [sys.executable, "-c", BROKEN_DEMO.format(happening=happening), "demo"]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)


def test_without_arguments_the_help_is_shown() -> None:
    """No arguments: the help as it is, lines and all, on stderr, and exit code 2; the same for the second command."""
    done = run()
    entry = "from radixlint.cli.advisor_skill import main; main()"
    skill = subprocess.run([sys.executable, "-c", entry], capture_output=True, text=True)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(HELP_START)
    assert done.stderr == run("--help").stdout
    assert (skill.returncode, skill.stdout) == (2, "")
    assert skill.stderr.startswith("Usage: ")
    assert "\\n" not in done.stderr + skill.stderr


@pytest.mark.parametrize(("word", "meant"), [("chek", "check"), ("analyse", "analyze"), ("Simulate", "simulate")])
def test_a_mistyped_command_is_guessed(word: str, meant: str) -> None:
    """One line names the command that was probably meant; exit code 2."""
    done = run(word)

    assert done.returncode == 2
    assert f"did you mean {meant}?" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_command_like_no_other_is_not_guessed() -> None:
    """Nothing is suggested where nothing is close; the help is pointed at."""
    done = run("zzzzzz")

    assert done.returncode == 2
    assert "did you mean" not in done.stderr
    assert "--help lists them" in done.stderr


def test_a_bug_is_two_lines_and_code_3() -> None:
    """An unexpected exception: no traceback, what to do about it, nothing on stdout, exit code 3."""
    done = broken_demo("raise ZeroDivisionError('one\\ntwo')")

    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[0] == "internal error: ZeroDivisionError: one\\ntwo"
    assert "RADIXLINT_TRACEBACK=1" in done.stderr.splitlines()[1]
    assert len(done.stderr.splitlines()) == 2


def test_a_bug_shows_its_traceback_on_request() -> None:
    """With RADIXLINT_TRACEBACK=1 the traceback is shown; the exit code is 3 all the same."""
    done = broken_demo("raise ZeroDivisionError('why')", RADIXLINT_TRACEBACK="1")

    assert done.returncode == 3
    assert done.stderr.startswith("Traceback (most recent call last):")
    assert done.stderr.endswith("ZeroDivisionError: why\n")


def test_an_interrupt_is_code_130() -> None:
    """Ctrl-C in the middle of a command: one word, exit code 130, no traceback."""
    done = broken_demo("os.kill(os.getpid(), signal.SIGINT)")

    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.split() == ["stopped"]


@pytest.mark.parametrize("module", ["click", "shutil", "radixlint.cli.output"])
@pytest.mark.parametrize("start", ["radixlint.__main__", "radixlint.cli.main", "radixlint.cli.advisor_skill"])
def test_an_interrupt_during_the_first_imports_is_code_130(start: str, module: str) -> None:
    """Ctrl-C while a command's modules are still imported ends as it does later: one word, exit code 130, no traceback."""
    command = [sys.executable, "-c", INTERRUPTED_IMPORT.format(module=module, start=start), "--help"]
    done = subprocess.run(command, capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


@pytest.mark.parametrize("arguments", ["demo", "--help", "rules --format json"])
def test_a_closed_pipe_is_quiet(arguments: str) -> None:
    """A reader that takes one line and goes: nothing on stderr, exit code 0 or that of a broken pipe."""
    done = shell(f"$R {arguments} | head -1", PYTHONUNBUFFERED="1")

    assert done.returncode in (0, 141)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(("arguments", "code"), [("demo", 0), ("--help", 0), ("rules", 0), ("check templates --isolated", 1)])
def test_a_reader_that_has_gone_changes_no_exit_code(arguments: str, code: int) -> None:
    """Nobody reads the report, nor stderr: no traceback, and the exit code still says what was found."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "radixlint", *arguments.split()]
    done = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    both = subprocess.run(command, stdout=write_end, stderr=write_end, cwd=ROOT)
    os.close(write_end)

    assert (done.returncode, both.returncode) == (code, code)
    assert "error" not in done.stderr.lower()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", ["demo", "--help", "rules --format json", "kv --list"])
def test_a_full_disk_is_one_line(arguments: str) -> None:
    """Output that cannot be written: one line that says so, exit code 2."""
    done = shell(f"$R {arguments} > /dev/full")

    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", ["check -", "analyze -", "simulate -"])
def test_a_closed_stdin_is_one_line(arguments: str) -> None:
    """A command that was to read a closed standard input says so; exit code 2."""
    done = shell(f"$R {arguments} <&-")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: -: standard input is closed\n"


def test_a_closed_stdin_harms_nobody_who_does_not_read_it() -> None:
    """A log in a file is read whether or not there is a standard input."""
    log = Path(__file__).parent / "fixtures" / "logs" / "token_ids.jsonl"
    arguments = f"analyze {log} --lenient --format json"

    assert shell(f"$R {arguments} <&-").stdout == shell(f"$R {arguments} </dev/null").stdout != ""


def test_a_closed_stdout_is_one_line(tmp_path: Path) -> None:
    """Nowhere to write the report: one line, exit code 2; a file is written all the same."""
    done = shell("$R demo >&-")
    target = tmp_path / "demo.txt"
    written = shell(f"$R demo --output {target} >&-")

    assert done.returncode == 2
    assert done.stderr.splitlines() == ["error: standard output is closed (--output FILE writes to a file)"]
    assert (written.returncode, written.stderr) == (0, "")
    assert target.read_text(encoding="utf-8").startswith("Order, cache size")


def test_no_colour_goes_into_a_file(tmp_path: Path) -> None:
    """A report in a file holds no escape codes, even if colour is forced for the terminal."""
    target = tmp_path / "demo.txt"
    shell(f"$R demo --output {target}", FORCE_COLOR="1")

    assert "\x1b[" not in target.read_text(encoding="utf-8")
    assert "\x1b[" in shell("$R demo", FORCE_COLOR="1").stdout

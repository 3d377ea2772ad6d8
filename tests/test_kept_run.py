"""A run of ``check`` in which nothing has changed is answered from a kept one: the same bytes, and never stale."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

RULES = "Answer with care, name your sources, and keep to the rules of the house. " * 20
CLOCK = f"Now: {{{{ now() }}}}\n{RULES}\n"
CALM = f"Be kind to all. {RULES}\n{{{{ question }}}}\n"
PROBE = """
import sys
from radixlint.cli.main import main
try:
    main()
finally:
    print("MADE" if "radixlint.cli.command_group" in sys.modules else "KEPT", file=sys.stderr)
"""


class Project:
    """A folder with prompts and a folder for kept runs."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.cache = folder / "cache"
        self.root.mkdir()
        self.write("clock.j2", CLOCK)
        self.write("calm.j2", '{% include "part.txt" %}' + CALM)
        self.write("part.txt", "Part of it.\n")
        self.write("radixlint.toml", 'ignore = ["RL961"]\n')

    def write(self, name: str, text: str) -> None:
        """Write a file, long enough ago that a change since would show."""
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, *arguments: str, **environment: str) -> tuple[bool, subprocess.CompletedProcess[bytes]]:
        """Run ``check .`` and say whether a kept run answered."""
        time.sleep(0.1)
        env = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1", **environment}
        command = [sys.executable, "-c", PROBE, "check", *(arguments or ("--format", "json", "."))]
        done = subprocess.run(command, cwd=self.root, env=env, capture_output=True, check=False)
        *said, last = done.stderr.splitlines()
        return last == b"KEPT", subprocess.CompletedProcess(command, done.returncode, done.stdout, b"\n".join(said))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_kept_run_is_the_same_byte_for_byte(project: Project) -> None:
    """The second run prints what the first one printed, on both streams, with its exit code, and reads no prompt."""
    first_kept, first = project.check()
    second_kept, second = project.check()

    assert (first_kept, second_kept) == (False, True)
    assert first.returncode == 1
    assert (second.stdout, second.stderr, second.returncode) == (first.stdout, first.stderr, first.returncode)
    assert project.check("--no-cache", "--format", "json", ".")[1].stdout == first.stdout


def _same_size(project: Project) -> None:
    old = (project.root / "clock.j2").stat()
    project.write("clock.j2", CLOCK.replace("now()", "abc()"))
    os.utime(project.root / "clock.j2", ns=(old.st_atime_ns, old.st_mtime_ns))


CHANGES: dict[str, Callable[[Project], object]] = {
    "text": lambda project: project.write("clock.j2", CALM),
    "text of the same size and time": _same_size,
    "include": lambda project: project.write("part.txt", "{{ now() }}\n"),
    "config": lambda project: project.write("radixlint.toml", 'ignore = ["RL2"]\n'),
    "nearer config": lambda project: project.write(".radixlint.toml", ""),
    "new file": lambda project: project.write("new.j2", CLOCK),
    "new folder": lambda project: project.write("more/new.j2", CLOCK),
    "deleted file": lambda project: (project.root / "clock.j2").unlink(),
    "renamed file": lambda project: (project.root / "clock.j2").rename(project.root / "clock2.j2"),
    "work tree": lambda project: (project.root / ".git").mkdir(),
    "ignore file": lambda project: project.write(".gitignore", "clock.j2\n"),
    "mode": lambda project: (project.root / "clock.j2").chmod(0o640),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_makes_a_new_run(project: Project, change: str) -> None:
    """Whatever a run looked at: when it changes, the run is made again, and says what a run without any cache says."""
    project.check()
    assert project.check()[0]

    CHANGES[change](project)
    was_kept, done = project.check()

    assert not was_kept
    assert done.stdout == project.check("--no-cache", "--format", "json", ".")[1].stdout


def test_include_that_appears_makes_a_new_run(project: Project) -> None:
    """A file that a prompt names and that was not there counts as something looked at."""
    project.write("calm.j2", '{% include "parts/late.txt" %}' + CALM)
    (project.root / "parts").mkdir()
    project.check("calm.j2")
    assert project.check("calm.j2")[0]

    project.write("parts/late.txt", "{{ now() }}\n")

    assert not project.check("calm.j2")[0]


def test_other_options_and_settings_of_the_terminal_are_other_runs(project: Project) -> None:
    """A kept run answers the same arguments and environment only."""
    project.check()

    assert not project.check("--format", "json", "--exit-zero", ".")[0]
    assert not project.check(FORCE_COLOR="1")[0]


@pytest.mark.parametrize(
    "arguments",
    [("--no-cache", "."), ("--fix", "part.txt"), ("--output", "out.txt", "."), ("--write-baseline", "b.json", ".")],
    ids=" ".join,
)
def test_runs_that_do_more_are_not_kept(project: Project, arguments: tuple[str, ...]) -> None:
    """A run that writes anything, or is told to, is never kept."""
    project.check(*arguments)

    assert not list(project.cache.rglob("*.run"))


def test_setting_switches_it_off(project: Project) -> None:
    """``cache = false`` in the config file keeps nothing."""
    project.write("radixlint.toml", "cache = false\n")
    project.check()

    assert not list(project.cache.rglob("*.run"))


@pytest.mark.parametrize("data", [b"", b"\0\xff\n" * 50, b"radixlint kept run 1 00000000\nx", b"radixlint kept run 0 0\n"])
def test_damaged_file_is_made_again_with_one_note(project: Project, data: bytes) -> None:
    """Random bytes and other versions are not used: one note, the same report, and a good file for the next run."""
    _, first = project.check()
    (kept,) = project.cache.rglob("*.run")
    kept.write_bytes(data)

    was_kept, second = project.check()

    assert not was_kept
    assert second.stdout == first.stdout
    assert second.stderr.count(b"note: the kept run is damaged") == 1
    assert len(second.stderr.splitlines()) == len(first.stderr.splitlines()) + 1
    assert project.check()[0]


def test_unusable_cache_folder_is_one_note(project: Project) -> None:
    """Where the cache folder is a file, the run is as without a cache, with one note."""
    project.cache.write_text("no folder", encoding="utf-8")
    _, done = project.check()

    assert done.returncode == 1
    assert [line.startswith(b"note: this run is not kept") for line in done.stderr.splitlines()].count(True) == 1


@pytest.mark.parametrize("is_home_set", [True, False])
def test_no_home_to_keep_runs_in(project: Project, is_home_set: bool) -> None:
    """Where home is closed the report is as ever, with one note at most; without HOME the account's own folder counts."""
    home = project.root.parent / "home"
    home.write_text("no folder", encoding="utf-8")
    change: dict[str, str] = {"HOME": str(home)} if is_home_set else {}
    _, done = project.check(XDG_CACHE_HOME="" if is_home_set else str(home), **change)

    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stdout == project.check("--no-cache", "--format", "json", ".")[1].stdout
    assert done.stderr.count(b"is not kept") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files there")
def test_full_disk(project: Project) -> None:
    """A run that cannot be kept for lack of room ends as ever, with one note, leaves no part, and is made again next time."""
    project.write("more.j2", CLOCK)
    command = [sys.executable, "-m", "radixlint", "check", "--format", "json", "."]
    env = {**os.environ, "XDG_CACHE_HOME": str(project.cache), "PYTHONDONTWRITEBYTECODE": "1"}
    time.sleep(0.1)
    full = subprocess.run(
        ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command], cwd=project.root, env=env, capture_output=True, check=False
    )

    assert full.returncode == 1
    assert full.stderr.count(b"note: this run is not kept") == 1
    assert list((project.cache / "radixlint").iterdir()) == []
    was_kept, done = project.check()
    assert (was_kept, done.stdout) == (False, full.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files there")
def test_full_disk_leaves_the_old_report(project: Project) -> None:
    """A report that does not fit is exit 2 in one line; the old one and the folder are as they were."""
    (project.root / "out.json").write_text("old", encoding="utf-8")
    command = [sys.executable, "-m", "radixlint", "check", "--format", "json", "--output", "out.json", "."]
    before = sorted(os.listdir(project.root))
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command], cwd=project.root, capture_output=True, check=False
    )

    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"cannot write" in done.stderr
    assert ((project.root / "out.json").read_text(encoding="utf-8"), sorted(os.listdir(project.root))) == ("old", before)


def test_only_the_owner_reads_kept_runs(project: Project) -> None:
    """Kept runs show lines of prompts: file and folder are closed to others."""
    project.check()
    (kept,) = project.cache.rglob("*.run")

    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_two_runs_at_once(project: Project) -> None:
    """Runs that share a cache folder end alike, and leave whole files only."""
    time.sleep(0.1)
    env = {**os.environ, "XDG_CACHE_HOME": str(project.cache)}
    command = [sys.executable, "-m", "radixlint", "check", "--format", "json", "."]
    both = [subprocess.Popen(command, cwd=project.root, env=env, stdout=subprocess.PIPE) for _ in range(2)]
    printed = {run.communicate()[0] for run in both}

    assert len(printed) == 1
    assert [path.suffix for path in (project.cache / "radixlint").iterdir()] == [".run"]
    assert project.check("--no-cache", "--format", "json", ".")[1].stdout in printed


def test_kept_runs_are_bounded(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bounds the oldest kept runs are deleted."""
    from radixlint.cli import kept_run

    project.cache.mkdir()
    for number in range(5):
        path = project.cache / f"{number}.run"
        path.write_bytes(b"x" * 10)
        os.utime(path, (number, number))
    monkeypatch.setattr(kept_run, "_MOST_FILES", 3)
    monkeypatch.setattr(kept_run, "_MOST_ALL_BYTES", 25)

    kept_run._bound(str(project.cache))

    assert sorted(path.name for path in project.cache.iterdir()) == ["3.run", "4.run"]

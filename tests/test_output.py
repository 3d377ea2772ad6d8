"""Where reports go: whole files, nothing destroyed, permissions kept."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from radixlint.cli.output import refuse_overwriting, write_whole
from radixlint.errors import RadixlintError


def test_a_new_file_follows_the_umask(tmp_path: Path) -> None:
    """A new report gets the permissions that the user's umask gives any file."""
    before = os.umask(0o077)
    try:
        write_whole(tmp_path / "a.txt", "x")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o600


def test_an_old_file_keeps_its_permissions(tmp_path: Path) -> None:
    """A private report stays private when it is written anew."""
    target = tmp_path / "a.txt"
    target.write_text("old")
    target.chmod(0o640)

    write_whole(target, "new")

    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == ("new", 0o640)


def test_a_link_is_replaced_and_its_target_left_alone(tmp_path: Path) -> None:
    """A report never follows a link out of its folder."""
    (tmp_path / "victim.txt").write_text("precious")
    (tmp_path / "report").symlink_to(tmp_path / "victim.txt")

    write_whole(tmp_path / "report", "new")

    assert (tmp_path / "victim.txt").read_text() == "precious"
    assert not (tmp_path / "report").is_symlink()


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    """A named pipe stays a pipe and its reader gets the report."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()

    write_whole(pipe, "report")
    reader.join(timeout=10)

    assert got == ["report"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", [".", "missing/deeper/report.txt"])
def test_a_place_that_cannot_hold_a_file_is_one_clear_error(tmp_path: Path, name: str) -> None:
    """A folder, or a file two missing folders deep, is refused with its path, and nothing is left behind."""
    with pytest.raises(RadixlintError, match="cannot write") as caught:
        write_whole(tmp_path / name, "x")

    assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_no_report_destroys_what_it_reads(tmp_path: Path) -> None:
    """A target that is an input under any name, or the target of another report, is refused; other files are not."""
    log = tmp_path / "log.jsonl"
    log.write_text("{}")
    (tmp_path / "link").hardlink_to(log)

    for targets in (["log.jsonl"], ["link"], [None, "link"], ["new", "new"]):
        named = [None if t is None else str(tmp_path / t) for t in targets]
        with pytest.raises(RadixlintError, match="would be overwritten"):
            refuse_overwriting(named, [str(log)])
    refuse_overwriting([str(tmp_path / "new"), None, "-"], [str(log), "-"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "t.j2", "--output", "t.j2"],
        ["analyze", "log.jsonl", "--output", "log.jsonl"],
        ["analyze", "log.jsonl", "--per-request", "./log.jsonl"],
        ["simulate", "log.jsonl", "--output", "log.jsonl"],
        ["advise", "--log", "log.jsonl", "--workload", "w.yaml", "--output", "log.jsonl"],
        ["advise", "--log", "log.jsonl", "--workload", "w.yaml", "--output", "w.yaml"],
    ],
    ids=" ".join,
)
def test_every_command_keeps_its_inputs(tmp_path: Path, arguments: list[str]) -> None:
    """Each command that reads files refuses to write over one of them: one line, exit 2, the file as it was."""
    for name in ("t.j2", "log.jsonl", "w.yaml"):
        (tmp_path / name).write_text("precious")

    done = subprocess.run([sys.executable, "-m", "radixlint", *arguments], cwd=tmp_path, capture_output=True, text=True)

    assert (done.returncode, done.stdout) == (2, "")
    assert "would be overwritten" in done.stderr
    assert [(tmp_path / name).read_text() for name in ("t.j2", "log.jsonl", "w.yaml")] == ["precious"] * 3

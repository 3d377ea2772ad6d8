"""How far a long read is: told to who asks, shown on a terminal, and when it is stopped or the log grows."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from log_records import asking, json_lines

from radixlint.cli.log_reading import reading_progress
from radixlint.logs import _metered_stream as metered
from radixlint.logs import read_logs

MIB = 1 << 20


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_bytes_are_told_as_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes read never fall nor exceed the sum of all files, and end at it; there is no sum if standard input is one of them."""
    monkeypatch.setattr(metered, "_STEP_S", 0.0)
    path = tmp_path / "log.jsonl"
    path.write_bytes(json_lines(*(asking(n, noise="x" * 1000) for n in range(1000))))
    size = path.stat().st_size
    told: list[tuple[int, int | None]] = []

    read_logs([str(path), str(path)], progress=lambda done, total: told.append((done, total)))

    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {2 * size}
    assert told[-1] == (2 * size, 2 * size)
    told.clear()
    read_logs([str(path), "-"], stdin=io.BytesIO(json_lines(asking())), progress=lambda done, total: told.append((done, total)))
    assert {total for _, total in told[:-1]} == {None}
    assert told[-1][0] == told[-1][1]


def test_they_are_told_a_few_times_a_second_at_most(tmp_path: Path) -> None:
    """However fast the reading is, there are no more than five calls a second, beside the last one."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(json_lines(*(asking(n, noise="x" * 10_000) for n in range(2000))))
    told: list[int] = []
    start_s = time.monotonic()

    read_logs([str(path)], progress=lambda done, total: told.append(done))

    assert len(told) <= 1 + 5 * (time.monotonic() - start_s)


@pytest.mark.parametrize("columns", [20, 30, 100])
def test_a_terminal_shows_a_bar_that_disappears(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """A large log has one line with size and time left, cleared at the end; a small one has none, nor has a pipe."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = {}
    for name, stderr, size in (("large", Terminal(), 50 * MIB), ("small", Terminal(), MIB), ("pipe", io.StringIO(), 50 * MIB)):
        monkeypatch.setattr(sys, "stderr", stderr)
        with reading_progress(["x.jsonl"]) as progress:
            assert (progress is None) == (name == "pipe")
            for done in range(0, size + 1, size // 4) if progress else ():
                progress(done, size)
        shown[name] = stderr.getvalue()

    assert "rea" in shown["large"]  # cut where there is no room
    assert shown["large"].endswith("\x1b[2K")
    assert shown["large"].count("\n") == 1  # written at the end, and taken back
    assert (shown["small"], shown["pipe"]) == ("", "")


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM"])
def test_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    """NO_COLOR leaves the bar without colours; a terminal that cannot move its cursor has no bar."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv(variable, "dumb")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with reading_progress(["x.jsonl"]) as progress:
        assert progress is not None
        progress(25 * MIB, 50 * MIB)
        progress(50 * MIB, 50 * MIB)

    shown = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert ("reading" in shown) == (variable == "NO_COLOR")
    assert "\x1b[3" not in shown


def test_waiting_for_a_terminal_is_told(tmp_path: Path) -> None:
    """``-`` from a terminal says what it waits for and how to end it; from a pipe it says nothing."""
    keys, stdin = pty.openpty()
    command = [sys.executable, "-m", "radixlint", "analyze", "-", "--format", "json"]
    child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
    os.write(keys, json_lines(asking()) + b"\x04")
    out, err = child.communicate(timeout=60)
    piped = subprocess.run(command, input=json_lines(asking()), capture_output=True, cwd=tmp_path)

    assert (child.returncode, piped.returncode) == (0, 0)
    assert err.decode().splitlines()[0] == "reading standard input, end with Ctrl-D"
    assert b"Ctrl-D" not in piped.stderr
    assert out == piped.stdout


def test_a_stopped_read_says_how_far_it_came(tmp_path: Path) -> None:
    """Ctrl-C ends a read within a second with exit code 130 and the number of records, and leaves no file."""
    report = tmp_path / "report.json"
    # A test that runs in the background may have been started with the signal ignored.
    listening = "import signal; signal.signal(2, signal.default_int_handler); from radixlint.cli.main import main; main()"
    command = [sys.executable, "-c", listening, "analyze", "-", "--format", "json", "--output", str(report)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stderr
        child.stdin.write(json_lines(*(asking(n) for n in range(20_000))))  # more than a pipe holds, so it is being read
        child.stdin.flush()
        child.send_signal(signal.SIGINT)
        try:
            code = child.wait(timeout=1)
        finally:
            child.kill()
        said = child.stderr.read().decode().strip()

    assert code == 130
    assert re.fullmatch(r"stopped, [\d,]+ records read", said)
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_grows_is_read_up_to_its_size_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is appended meanwhile is left out, with a note, but for the end of the line that was being written."""
    monkeypatch.setattr(metered, "_STEP_S", 0.0)
    path = tmp_path / "log.jsonl"
    whole = json_lines(*(asking(n, noise="x" * 1000) for n in range(1000)))
    path.write_bytes(whole[:-500])

    def grow(done: int, total: int | None) -> None:
        if path.stat().st_size < len(whole):
            with path.open("ab") as log:
                log.write(whole[-500:] + json_lines(asking(5000)))

    log = read_logs([str(path)], progress=grow)

    assert [request.id for request in log.requests] == [f"r{n}" for n in range(1000)]
    assert any("grew while it was read" in note for note in log.alterations)
    assert not any("grew" in note for note in read_logs([str(path)]).notes)

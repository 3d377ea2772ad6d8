"""``check``, ``rules`` and ``rule`` as a user runs them: exit codes, streams, options, and bytes that never vary."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RULES = "Answer in one sentence. Never invent a number. Quote the text you rely on, word for word, in quotation marks. " * 6
CLOCK = "It is {{ now() }}.\n" + RULES
USER = "You help {{ user.name }}.\n" + RULES


def _run(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")} | environment
    command = [sys.executable, "-m", "radixlint", *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, env=env, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an error, a warning, a clean file, and one broken one in ``broken/``."""
    texts = {"clock.j2": CLOCK, "user.j2": USER, "clean.j2": RULES + "{{ question }}", "broken/b.j2": "{% if %}" + RULES}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["clean.j2"], 0),
        (["clock.j2"], 1),
        (["user.j2"], 1),
        (["broken"], 1),
        (["user.j2", "--fail-on", "error"], 0),
        (["clock.j2", "--fail-on", "error"], 1),
        (["clock.j2", "--exit-zero"], 0),
        (["clock.j2", "--ignore", "RL201,RL101"], 0),
        (["clock.j2", "user.j2", "--select", "RL202", "--select", "RL203,RL301"], 0),
        ([".", "--exclude", "clock.j2,user.j2", "--exclude", "broken/**"], 0),
        (["absent.j2"], 2),
        (["clean.j2", "absent.j2"], 2),
        (["--select", "RL999", "clean.j2"], 2),
        (["--nonsense"], 2),
        (["--fail-on", "info", "clean.j2"], 2),
        (["--config", "absent.toml", "clean.j2"], 2),
        (["--config", "x.toml", "--isolated", "clean.j2"], 2),
        (["--output", "clean.j2/x", "clean.j2"], 2),
    ],
)
def test_exit_codes(folder: Path, arguments: list[str], code: int) -> None:
    """0 nothing at the fail level, 1 findings, 2 wrong usage; an error prints one line on stderr and no report."""
    run = _run(folder, "check", *arguments)

    assert run.returncode == code, run.stderr
    if code == 2:
        assert run.stdout == b""
        assert run.stderr.count(b"\n") == 1
        assert run.stderr.startswith(b"error: ")


def test_info_findings_never_change_the_exit(folder: Path) -> None:
    """An unknown variable ahead of the text is a note, and exits 0."""
    (folder / "unknown.j2").write_text("{{ zzyx }}\n" + RULES, encoding="utf-8")

    run = _run(folder, "check", "unknown.j2", "--format", "json")

    assert {finding["severity"] for finding in json.loads(run.stdout)["findings"]} == {"info"}
    assert run.returncode == 0


def test_streams_are_apart(folder: Path) -> None:
    """The report alone is on stdout; notes about skipped files are on stderr."""
    (folder / "binary.j2").write_bytes(b"\x89PNG\0")

    run = _run(folder, "check", "--output-format", "json", ".")

    report = json.loads(run.stdout)
    assert report["skipped"] == [{"path": "binary.j2", "reason": "binary: it holds NUL bytes"}]
    assert run.stderr == b"note: binary.j2: skipped: binary: it holds NUL bytes\n"
    assert report["files"] == 4
    assert [finding["path"] for finding in report["findings"]] == ["broken/b.j2", "clock.j2", "user.j2"]


def test_without_paths_the_current_folder_is_checked(folder: Path) -> None:
    """No argument means the current folder; a folder without prompts says so and exits 0."""
    (folder / "empty").mkdir()

    assert _run(folder, "check", "--format", "json").stdout == _run(folder, "check", ".", "--format", "json").stdout
    empty = _run(folder, "check", "empty")
    assert (empty.returncode, empty.stderr) == (0, b"note: no prompt found in empty\n")


def test_stdin_and_its_name(folder: Path) -> None:
    """A dash reads standard input as a template; --stdin-filename names another format."""
    assert b"stdin.j2:1:7 RL201" in _run(folder, "check", "-", stdin=CLOCK.encode()).stdout
    messages = json.dumps({"messages": [{"role": "system", "content": CLOCK}, {"role": "user", "content": "{{ question }}"}]})
    named = _run(folder, "check", "-", "--stdin-filename", "p/chat.json", "--format", "json", stdin=messages.encode())
    assert json.loads(named.stdout)["findings"][0]["path"] == "p/chat.json"


def test_output_file_is_written_whole_and_links_are_not_followed(folder: Path) -> None:
    """--output replaces a link by the report instead of writing through it; nothing else is left behind."""
    (folder / "victim.txt").write_text("keep", encoding="utf-8")
    (folder / "report.json").symlink_to(folder / "victim.txt")

    run = _run(folder, "check", "clock.j2", "--format", "json", "--output", "report.json")

    assert (run.returncode, run.stdout) == (1, b"")
    assert json.loads((folder / "report.json").read_text(encoding="utf-8"))["files"] == 1
    assert (folder / "victim.txt").read_text(encoding="utf-8") == "keep"
    assert [path.name for path in folder.iterdir() if "part" in path.name] == []


def test_config_file_is_found_and_isolated_ignores_it(folder: Path) -> None:
    """The nearest config file decides; --isolated and --config override it; a mistake in it is exit 2."""
    (folder / "radixlint.toml").write_text('ignore = ["RL201"]\nfail-on = "error"\n', encoding="utf-8")

    assert _run(folder, "check", "clock.j2", "user.j2").returncode == 0
    assert _run(folder, "check", "clock.j2", "--isolated").returncode == 1
    (folder / "radixlint.toml").write_text('ignroe = ["RL201"]\n', encoding="utf-8")
    wrong = _run(folder, "check", "clock.j2")
    assert wrong.returncode == 2
    assert wrong.stderr == b"error: radixlint.toml:1: unknown key 'ignroe' (did you mean ignore?)\n"


def test_bytes_do_not_depend_on_hash_seed_locale_zone_or_order(folder: Path) -> None:
    """Text and JSON are the same bytes under two hash seeds, another locale and zone, and arguments in another order."""
    for form in ("text", "json"):
        first = _run(folder, "check", "clock.j2", "user.j2", "broken", "--format", form, PYTHONHASHSEED="0")
        second = _run(
            folder, "check", "broken", "user.j2", "clock.j2", "--format", form, PYTHONHASHSEED="1", LC_ALL="C", TZ="Asia/Tokyo"
        )
        assert first.stdout == second.stdout
        assert first.stdout != b""


def test_hostile_names_and_text_reach_no_terminal(folder: Path) -> None:
    """File names and template text with escape and bidi characters are printed escaped, in both formats and on stderr."""
    name = os.fsdecode(b"esc\x1b]52;c;eA==\x07\xe2\x80\xae caf\xe9\n.j2")
    (folder / name).write_text("\x1b[2J\u202e[/b] " + CLOCK, encoding="utf-8")
    (folder / f"{name}.bin.j2").write_bytes(b"\0")

    for form in ("text", "json"):
        run = _run(folder, "check", ".", "--format", form, LC_ALL="C")
        text = (run.stdout + run.stderr).decode("utf-8")
        assert [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c == "\u202e")] == []
        assert "esc\\x1b" in text or "esc\\u001b" in text


def test_colour_only_where_told(folder: Path) -> None:
    """A pipe gets no colour unless FORCE_COLOR says so."""
    assert b"\x1b" not in _run(folder, "check", "clock.j2").stdout
    assert b"\x1b[" in _run(folder, "check", "clock.j2", FORCE_COLOR="1").stdout


def test_rules_lists_every_rule(folder: Path) -> None:
    """The list shows code, severity and name of each rule; JSON holds the same codes in the same order."""
    text = _run(folder, "rules").stdout.decode()
    document = json.loads(_run(folder, "rules", "--format", "json").stdout)

    codes = [rule["id"] for rule in document["rules"]]
    assert codes == sorted(codes)
    assert [line.split()[0] for line in text.splitlines() if line.startswith("RL")] == codes
    assert {"RL001", "RL101", "RL951"} <= set(codes)


@pytest.mark.parametrize("word", ["RL201", "rl201", "volatile-time-before-static"])
def test_rule_page(folder: Path, word: str) -> None:
    """Code and name give the same page: what, why, when, bad, good, fix."""
    run = _run(folder, "rule", word)
    titles = [line.split()[0] for line in run.stdout.decode().splitlines() if line and not line.startswith(" ")]

    assert run.returncode == 0
    assert titles[:7] == ["RL201", "What", "Why", "When", "Bad", "Good", "Fix"]
    assert json.loads(_run(folder, "rule", word, "--format", "json").stdout)["rules"][0]["id"] == "RL201"


@pytest.mark.parametrize(
    ("word", "guess"),
    [("RL20l", "RL20"), ("volatile-time-before-sttic", "volatile-time-before-static"), ("zzz", "radixlint rules")],
)
def test_unknown_rule_names_the_nearest(folder: Path, word: str, guess: str) -> None:
    """A wrong name is exit 2 with the closest rule, or the way to the list."""
    run = _run(folder, "rule", word)

    assert run.returncode == 2
    assert guess in run.stderr.decode()

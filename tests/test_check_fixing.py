"""Fixes as a user makes them: what is written, what is left alone, what is refused, and that a second run changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.fixing import fix_paths
from radixlint.catalog import load_rules
from radixlint.config import Settings
from radixlint.lint import PARSE_RULE
from radixlint.result.rule import Rule

RULES = (
    "You answer questions for the city library in short and friendly words.\n"
    "Loans last four weeks and can be renewed twice unless someone waits.\n"
)
MAPPING = "{% for name, tool in tools.items() %}\n- {{ name }}: {{ tool.text }}\n{% endfor %}\n"
SORTED = MAPPING.replace(".items()", " | dictsort")
CLOCK = "It is {{ now() }}.\n"
ASKED = "Reader: {{ question }}\n"
SYSTEM = "messages:\n- role: system\n  content: |\n"
DRIFT = ("--ignore", "RL407")


def run(folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run ``check`` in ``folder``."""
    command = [sys.executable, "-m", "radixlint", "check", *DRIFT, *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, timeout=60, check=False)


def test_safe_fixes_alone_by_default(tmp_path: Path) -> None:
    """--fix sorts the mapping and leaves the clock, which would change what the model reads."""
    (tmp_path / "a.j2").write_text(MAPPING + CLOCK + RULES + ASKED)

    done = run(tmp_path, "--fix", "a.j2")

    assert done.returncode == 1
    assert (tmp_path / "a.j2").read_text() == SORTED + CLOCK + RULES + ASKED
    assert b"RL201" in done.stdout
    assert b"RL303" not in done.stdout


def test_unsafe_fixes_move_the_line_and_say_that_the_words_are_the_same(tmp_path: Path) -> None:
    """With --unsafe-fixes the clock's line goes to the end; the words-unchanged check is printed."""
    (tmp_path / "a.j2").write_text(CLOCK + RULES + ASKED)

    done = run(tmp_path, "--fix", "--unsafe-fixes", "--show-fixes", "a.j2")

    assert done.returncode == 0
    assert (tmp_path / "a.j2").read_text() == RULES + ASKED + CLOCK
    assert b"same 4 lines, 1 moved" in done.stderr


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_mark_and_permissions_stay(tmp_path: Path, line_end: str, mark: str) -> None:
    """Every byte outside of the edits is as it was, and the file keeps its mode."""
    file = tmp_path / "a.j2"
    file.write_bytes((mark + CLOCK + RULES + "Grüße 🙂\n" + ASKED).replace("\n", line_end).encode())
    file.chmod(0o640)

    run(tmp_path, "--fix", "--unsafe-fixes", "a.j2")

    assert file.read_bytes() == (mark + RULES + "Grüße 🙂\n" + ASKED + CLOCK).replace("\n", line_end).encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a.j2"]


def test_diff_writes_nothing_and_git_takes_it(tmp_path: Path) -> None:
    """--diff exits 1, leaves the file, and what it prints gives the fixed file when applied; afterwards it exits 0."""
    file = tmp_path / "a.j2"
    text = ("\ufeff" + CLOCK + RULES + ASKED).replace("\n", "\r\n").encode().removesuffix(b"\r\n")
    file.write_bytes(text)

    done = run(tmp_path, "--diff", "--unsafe-fixes", "a.j2")
    assert (done.returncode, file.read_bytes()) == (1, text)

    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=done.stdout, check=True, capture_output=True)
    assert file.read_bytes() == ("\ufeff" + RULES + ASKED + CLOCK).replace("\n", "\r\n").encode().removesuffix(b"\r\n")
    again = run(tmp_path, "--diff", "--unsafe-fixes", "a.j2")
    assert (again.returncode, again.stdout) == (0, b"")


def test_stdin_is_fixed_on_stdout(tmp_path: Path) -> None:
    """The text of - comes fixed on stdout, what is left on stderr; without anything to fix it comes as it was."""
    done = run(tmp_path, "--fix", "-", stdin=(MAPPING + CLOCK + RULES + ASKED).encode())
    same = run(tmp_path, "--fix", "-", stdin=(RULES + ASKED).encode())

    assert done.stdout.decode() == SORTED + CLOCK + RULES + ASKED
    assert b"RL201" in done.stderr
    assert same.stdout.decode() == RULES + ASKED


def test_suppressed_and_unselected_findings_stay(tmp_path: Path) -> None:
    """What a comment suppresses, or --ignore leaves out, is not fixed."""
    text = "{# radixlint: ignore-next[RL303] #}\n" + MAPPING + RULES + ASKED
    (tmp_path / "a.j2").write_text(text)
    (tmp_path / "b.j2").write_text(MAPPING + RULES + ASKED)

    run(tmp_path, "--fix", "a.j2")
    run(tmp_path, "--fix", "--ignore", "RL303", "b.j2")

    assert (tmp_path / "a.j2").read_text() == text
    assert (tmp_path / "b.j2").read_text() == MAPPING + RULES + ASKED


@pytest.mark.parametrize(
    "text",
    [
        "{% macro head(x) %}\nIt is {{ now() }}.\n{% endmacro %}\nHello. {{ head(1) }} Listen\nto this. " + RULES + ASKED,
        "{% for d in [1, 2] %}\nIt is {{ now() }}.\n{% endfor %}\n" + RULES + ASKED,
        "{% if is_open %}\nIt is {{ now() }}.\n{% endif %}\n" + RULES + ASKED,
        "The library knows at\n{{ now() }} what is on its shelves.\n" + RULES + ASKED,
        "The hour in the library is now\n{{ now() }}\nand no later. " + RULES + ASKED,
        "<time>\n{{ now() }}\n</time>\n" + RULES + ASKED,
        "Time:\n{{ now() }}\n" + RULES + ASKED,
        "<|im_start|>system\nIt is {{ now() }}.\n" + RULES + "<|im_end|>\n<|im_start|>user\n" + ASKED,
        "It is {{- now() }}.\n" + RULES + ASKED,
    ],
)
def test_what_is_part_of_something_is_not_moved(tmp_path: Path, text: str) -> None:
    """A line in a loop, condition or element, or in a sentence over lines, is found and left where it is."""
    (tmp_path / "a.j2").write_text(text)

    done = run(tmp_path, "--fix", "--unsafe-fixes", "--select", "RL201", "a.j2")

    assert b"RL201" in done.stdout
    assert (tmp_path / "a.j2").read_text() == text


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        (
            "json",
            '[{{"role": "system", "content": "It is {{{{ now() }}}}.\\n{0}"}}, {{"role": "user", "content": "{{{{ q }}}}"}}]',
            '[{{"role": "system", "content": "{0}"}}, {{"role": "user", "content": "{{{{ q }}}}\\nIt is {{{{ now() }}}}."}}]',
        ),
        (
            "yaml",
            SYSTEM + "     It is {{{{ now('é') }}}}.\n     {0}\n- role: user\n  content: |\n    {{{{ q }}}}\n",
            SYSTEM + "     {0}\n- role: user\n  content: |\n    {{{{ q }}}}\n    It is {{{{ now('é') }}}}.\n",
        ),
        (
            "yaml",
            SYSTEM + '    It is {{{{ now("h") }}}}.\n    {0}\n- role: user\n  content: "{{{{ q }}}}"\n',
            SYSTEM + '    {0}\n- role: user\n  content: "{{{{ q }}}}\\nIt is {{{{ now(\\"h\\") }}}}."\n',
        ),
    ],
)
def test_a_line_moves_into_the_user_message(tmp_path: Path, kind: str, before: str, after: str) -> None:
    """In messages the line goes to the end of the last user message, in the writing of that text."""
    fixed = RULES.replace("\n", " ").strip()
    file = tmp_path / f"a.{kind}"
    file.write_text(before.format(fixed), encoding="utf-8")

    run(tmp_path, "--fix", "--unsafe-fixes", file.name)

    assert file.read_text(encoding="utf-8") == after.format(fixed)


def _protect(file: Path) -> None:
    file.chmod(0o444)


def _link(file: Path) -> None:
    target = file.with_name("target.txt")
    file.rename(target)
    file.symlink_to(target)


@pytest.mark.parametrize(("spoil", "words"), [(_protect, b"write-protected"), (_link, b"link")])
def test_a_file_that_cannot_be_written_does_not_keep_the_others(tmp_path: Path, spoil: object, words: bytes) -> None:
    """The others are fixed; of this one a clear line tells why not, what was found in it is reported, and the exit code is 2."""
    assert callable(spoil)
    for name in ("a.j2", "b.j2"):
        (tmp_path / name).write_text(MAPPING + RULES + ASKED)
    spoil(tmp_path / "b.j2")

    (tmp_path / "c.j2").write_text(MAPPING + RULES + ASKED)

    done = run(tmp_path, "--fix", "--format", "concise", "a.j2", "b.j2", "c.j2")

    assert done.returncode == 2
    told = [line for line in done.stderr.splitlines() if line.startswith(b"error: ")]
    assert len(told) == 1
    assert told[0].startswith(b"error: b.j2: ")
    assert words in told[0]
    assert done.stderr.splitlines()[-1] == b"fixed 2 findings in 2 files"
    assert [line.split(b":")[0] for line in done.stdout.splitlines() if b"RL303" in line] == [b"b.j2"]
    assert [(tmp_path / name).read_text() == SORTED + RULES + ASKED for name in ("a.j2", "b.j2", "c.j2")] == [True, False, True]
    assert (tmp_path / "b.j2").read_text() == MAPPING + RULES + ASKED
    assert not list(tmp_path.glob(".*"))


def test_without_fix_the_user_hears_what_could_be_fixed(tmp_path: Path) -> None:
    """Nothing is written; --unsafe-fixes counts and marks the unsafe ones among what the same line with --fix would repair."""
    (tmp_path / "a.j2").write_text(MAPPING + CLOCK + RULES + ASKED)

    assert b"[*] 1 fixable with --fix (1 more with --unsafe-fixes)\n" in run(tmp_path, "a.j2").stdout
    done = run(tmp_path, "--unsafe-fixes", "--format", "concise", "a.j2")
    assert b"RL201 [*]" in done.stdout
    assert b"[*] 2 fixable with --fix --unsafe-fixes\n" in done.stdout
    assert (tmp_path / "a.j2").read_text() == MAPPING + CLOCK + RULES + ASKED


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_safe_fixes_alone_tell_how_many_more_there_are(tmp_path: Path, option: str) -> None:
    """--fix and --diff count the findings that only unsafe fixes repair, and name both options; --quiet says nothing."""
    (tmp_path / "a.j2").write_text(CLOCK + RULES + ASKED)

    done = run(tmp_path, option, "a.j2")

    assert f"nothing; 1 more fixable with {option} --unsafe-fixes\n".encode() in done.stderr
    assert run(tmp_path, option, "--quiet", "a.j2").stderr == b""


def test_named_fixes_are_findings_of_the_file_as_read(tmp_path: Path) -> None:
    """Each fix that is named has the place of a finding told before, however the lines moved; others are only counted."""
    text = CLOCK + "Call {{ uuid4() }}.\n" + MAPPING + RULES + ASKED
    (tmp_path / "a.j2").write_text(text)
    before = {":".join(line.split(":")[:3]) for line in run(tmp_path, "--format", "concise", "a.j2").stdout.decode().splitlines()}

    done = run(tmp_path, "--fix", "--unsafe-fixes", "--show-fixes", "a.j2").stderr.decode().splitlines()
    named = [":".join(line.split(":")[:3]) for line in done if "fixed (" in line]

    assert len(named) >= 3
    assert set(named) <= before
    assert len(set(named)) == len(named)
    assert done[-1].startswith(f"fixed {len(named)} findings in 1 file")


def test_no_words_move_for_a_guess(tmp_path: Path) -> None:
    """A note of low confidence, or on a date, is told and nothing is moved for it; a surer one of the same rule is fixed."""
    guess = "Mode: {{ blorp }}\n" + RULES * 3 + ASKED
    day = "It is {{ now().date() }}.\n" + RULES * 3 + ASKED
    sure = "Hello {{ user_name }}.\n" + RULES * 3 + ASKED
    for name, text in {"guess": guess, "day": day, "sure": sure}.items():
        (tmp_path / f"{name}.j2").write_text(text)

    found = run(tmp_path, "--format", "concise", ".").stdout.decode()
    run(tmp_path, "--fix", "--unsafe-fixes", ".")

    assert all(f"{name}.j2:1" in found for name in ("guess", "day", "sure"))
    assert [(tmp_path / f"{name}.j2").read_text() == text for name, text in (("guess", guess), ("day", day))] == [True, True]
    assert (tmp_path / "sure.j2").read_text() != sure


def test_show_fixes_needs_fixes(tmp_path: Path) -> None:
    """--show-fixes alone is wrong usage, not silently ignored."""
    assert run(tmp_path, "--show-fixes", ".").returncode == 2


def test_fix_and_diff_exclude_each_other(tmp_path: Path) -> None:
    """Both at once is wrong usage."""
    assert run(tmp_path, "--fix", "--diff", ".").returncode == 2


@pytest.mark.parametrize("rule", [rule for rule in load_rules() if rule.fixer], ids=lambda rule: rule.id)
def test_fixing_twice_changes_nothing_more(tmp_path: Path, rule: Rule) -> None:
    """Over all failing examples of the rules with fixers, a second run finds nothing to write, and every file still parses."""
    for example in rule.failing:
        (tmp_path / f"{example.name}.{example.kind}").write_bytes(example.text.encode())
        for name, text in example.files:
            (tmp_path / f"{example.name}-{name}").write_bytes(text.encode())
    options = CheckOptions((".",), Settings(), tmp_path)

    first = fix_paths(options, with_unsafe=True, is_dry=False)
    second = fix_paths(options, with_unsafe=True, is_dry=True)

    assert any(file.applied for file in first.files)
    assert not any(finding.rule == PARSE_RULE for finding in first.report.findings)
    assert [file.path for file in second.files if file.after != file.before] == []


@pytest.mark.parametrize("is_dry", [True, False])
def test_a_fix_that_was_taken_back_is_not_offered_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_dry: bool) -> None:
    """The finding stays in the report of that run, without edits: it is neither marked nor counted as fixable."""
    (tmp_path / "a.j2").write_text(CLOCK + RULES + ASKED)
    monkeypatch.setattr("radixlint.api.file_fixing.fault_of", lambda *_: "it was tried in vain")

    done = fix_paths(CheckOptions(("a.j2",), Settings(), tmp_path), with_unsafe=True, is_dry=is_dry)

    assert [fix.reason for file in done.files for fix in file.withdrawn] == ["it was tried in vain"]
    assert [(finding.rule, finding.edits) for finding in done.report.findings] == [("RL201", ())]

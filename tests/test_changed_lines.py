"""``--diff-ref``: changed lines as git tells them, whatever the names, and no program that the repository names is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import msgspec
import pytest
from check_values import CLOCK, report_of

from radixlint.api.changed_lines import ChangedLines
from radixlint.api.finding_filters import FindingFilters, kept_by
from radixlint.errors import RadixlintError
from radixlint.lint import PARSE_RULE
from radixlint.prompt import Span
from radixlint.result.finding import Related

LINES = "".join(f"line {number}\n" for number in range(1, 11))
ODD = os.fsdecode(b'q"uo\\te \xc3\xa4\xff\tt\nn.j2')


def git(folder: Path, *words: str) -> None:
    """Run git with an author of our own and no settings of the machine's."""
    names = {f"GIT_{role}_{what}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = os.environ | names | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *words], cwd=folder, env=env, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit of three files, one of them of an odd name, one in a folder."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "in").mkdir()
    for name in ("a.j2", ODD, "in/b c.j2"):
        (tmp_path / name).write_text(LINES, encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def lines_in(changed: ChangedLines, path: str) -> list[int]:
    """Return which of the first twelve lines of a file changed."""
    return [line for line in range(1, 13) if changed.has(Span(path, line, 1, line, 2))]


@pytest.mark.parametrize("name", ["a.j2", ODD, "in/b c.j2"])
def test_changed_and_added_lines(repository: Path, name: str) -> None:
    """A line that was changed, one that was put in and those at the end are new, lines that moved are not."""
    text = LINES.replace("line 2\n", "++ b/other\n").replace("line 5\n", "line 5\nput in\n") + "-- at the end\n"
    (repository / name).write_text(text, encoding="utf-8")
    changed = ChangedLines("HEAD", repository)

    assert lines_in(changed, name) == [2, 6, 12]
    assert [other for other in ("a.j2", ODD, "in/b c.j2") if changed.has_any(other)] == [name]


def test_lines_taken_out_make_none_new(repository: Path) -> None:
    """Where a line was deleted nothing stands to be told."""
    (repository / "a.j2").write_text(LINES.replace("line 4\n", ""), encoding="utf-8")

    assert lines_in(ChangedLines("HEAD", repository), "a.j2") == []


def test_files_that_git_does_not_know_are_all_new(repository: Path) -> None:
    """A file that is not tracked, ignored or outside of the repository has only changed lines; a renamed one none."""
    (repository / ".gitignore").write_text("ignored.j2\n", encoding="utf-8")
    for name in ("new.j2", "ignored.j2"):
        (repository / name).write_text(LINES, encoding="utf-8")
    git(repository, "mv", "a.j2", "renamed.j2")
    changed = ChangedLines("HEAD", repository)

    assert [changed.has_any(name) for name in ("new.j2", "ignored.j2", "../x.j2", "renamed.j2")] == [True, True, True, False]


def test_attributes_that_hide_a_diff_hide_no_finding(repository: Path) -> None:
    """A file marked as binary is compared like any other."""
    (repository / ".gitattributes").write_text("*.j2 binary\n", encoding="utf-8")
    (repository / "a.j2").write_text(LINES + "more\n", encoding="utf-8")

    assert lines_in(ChangedLines("HEAD", repository), "a.j2") == [11]


def test_what_the_other_branch_did_is_not_new(repository: Path) -> None:
    """Compared is with where the branch left REF, not with what REF is by now."""
    git(repository, "checkout", "-qb", "work")
    git(repository, "checkout", "-q", "main")
    (repository / "a.j2").write_text("theirs\n" + LINES, encoding="utf-8")
    git(repository, "commit", "-qam", "theirs")
    git(repository, "checkout", "-q", "work")

    assert not ChangedLines("main", repository).has_any("a.j2")


def test_a_folder_of_the_repository_and_settings_of_the_user(repository: Path) -> None:
    """Started in a folder, paths are relative to it; settings on how diffs look change nothing."""
    settings = {
        "diff.noprefix": "true",
        "diff.relative": "true",
        "diff.mnemonicPrefix": "true",
        "core.quotePath": "false",
        "diff.context": "9",
    }
    for name, value in {**settings, "color.ui": "always"}.items():
        git(repository, "config", name, value)
    (repository / "in" / "b c.j2").write_text(LINES.replace("line 3", "changed"), encoding="utf-8")
    (repository / ODD).write_text(LINES.replace("line 3", "changed"), encoding="utf-8")
    changed = ChangedLines("HEAD", repository / "in")

    assert lines_in(changed, "b c.j2") == [3]
    assert lines_in(changed, f"../{ODD}") == [3]


def test_a_file_that_changes_while_it_is_looked_at_is_read_again(repository: Path) -> None:
    """After a fix has moved lines, the question is answered for the file as it is then."""
    (repository / "a.j2").write_text(LINES.replace("line 2", "changed"), encoding="utf-8")
    changed = ChangedLines("HEAD", repository)
    assert lines_in(changed, "a.j2") == [2]

    (repository / "a.j2").write_text(LINES.replace("line 2\n", "").replace("line 9", "moved, changed"), encoding="utf-8")
    assert lines_in(changed, "a.j2") == [8]


def test_nothing_that_the_repository_names_is_run(repository: Path) -> None:
    """Filters, monitors, hooks, external and text diffs of a repository that came from strangers leave no trace."""
    mark = repository / "WAS_EXECUTED"
    program = f"sh -c 'touch {mark}; cat'"
    for name in (
        "filter.x.clean",
        "filter.x.process",
        "filter.a=b.clean",
        "diff.x.command",
        "diff.x.textconv",
        "diff.external",
        "core.fsmonitor",
    ):
        git(repository, "config", name, program)
    git(repository, "config", "filter.x.required", "true")
    (repository / ".gitattributes").write_text("*.j2 filter=x diff=x\nin/* filter=a=b\n", encoding="utf-8")
    for name in ("a.j2", "in/b c.j2"):
        (repository / name).write_text(LINES + "more\n", encoding="utf-8")
    mark.unlink(missing_ok=True)
    changed = ChangedLines("HEAD", repository)

    assert lines_in(changed, "a.j2") == lines_in(changed, "in/b c.j2") == [11]
    assert not mark.exists()


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "-p", "", "a b", "HEAD~7", "HEAD:a.j2", "x\0y"])
def test_an_unknown_commit_is_refused(repository: Path, ref: str) -> None:
    """One line says what git does not know; a word that looks like an option is none."""
    with pytest.raises(RadixlintError, match="--diff-ref: git ") as caught:
        ChangedLines(ref, repository)
    assert "\n" not in str(caught.value)


def test_no_repository_and_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of a repository, and without git, the message says so."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(RadixlintError, match="no git repository here"):
        ChangedLines("HEAD", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RadixlintError, match="needs git"):
        ChangedLines("HEAD", tmp_path)


def test_findings_on_changed_lines_are_kept(repository: Path) -> None:
    """A finding stays if its place or one that explains it changed; the others are counted; stdin's text is told whole."""
    (repository / "a.j2").write_text(LINES.replace("line 3", "changed"), encoding="utf-8")
    at = {line: msgspec.structs.replace(CLOCK, span=Span("a.j2", line, 1, line, 2), related=()) for line in (3, 7)}
    explained = msgspec.structs.replace(at[7], related=(Related(Span("a.j2", 3, 1, 3, 2), "set here"),))
    across = msgspec.structs.replace(at[7], span=Span("a.j2", 2, 1, 4, 2))
    broken = msgspec.structs.replace(at[7], rule=PARSE_RULE)
    report = report_of(at[3], at[7], explained, across, broken)

    left = kept_by(FindingFilters(diff_ref="HEAD"), repository)(report)
    assert left.findings == (at[3], explained, across, broken)
    assert left.unchanged == 1
    assert kept_by(FindingFilters(diff_ref="HEAD", whole=frozenset({"a.j2"})), repository)(report) == report

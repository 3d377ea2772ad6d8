"""What git ignores is passed over as git itself does, and only in a work tree; what is named is meant."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from radixlint.errors import RadixlintError
from radixlint.files.git_ignores import GitIgnores
from radixlint.files.source_files import Excludes, Passed, find_files
from radixlint.result.finding import Skipped

FILES = (
    "a.j2", "a.tmp.j2", "keep.tmp.j2", "out/a.j2", "sub/a.j2", "sub/b.j2", "sub/out/a.j2", "sub/deep/c.tmp.j2", "only/a.j2",
    "only/in/a.j2", "sub/only/a.j2", "odd name.j2", "#hash.j2", "x/generated/a.j2", "x/y/generated/b.j2", "local.j2",
)  # fmt: skip
IGNORES = {
    ".gitignore": "# comment\n*.tmp.j2\n!keep.tmp.j2\nout/\n/only\n\\#hash.j2\nx/**/generated/\nodd\\ name.j2\n",
    "sub/.gitignore": "!out/\nb.j2\n!c.tmp.j2\n[\n",
    ".git/info/exclude": "local.j2\n",
}


def _tree(root: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for name, text in (*((name, "x") for name in FILES), *IGNORES.items()):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def _found(root: Path, *arguments: str, is_forced: bool = False, git: bool = True) -> list[str]:
    passed = Passed((Excludes((), root),), GitIgnores() if git else None, is_forced)
    return [item.shown for item in find_files(arguments or (".",), passed, frozenset({".j2"}), root).files]


def test_the_walk_agrees_with_git(tmp_path: Path) -> None:
    """Of a tree with nested files, negations, anchors and ``**``, exactly what git would add is found."""
    root = _tree(tmp_path)
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard", "-z", "*.j2"],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )

    assert _found(root) == sorted(name for name in listed.stdout.split("\0") if name)
    assert _found(root, git=False) == sorted(FILES)


def test_a_walk_from_below_knows_the_files_above(tmp_path: Path) -> None:
    """Ignore files between the top of the work tree and the folder given count."""
    root = _tree(tmp_path)

    assert _found(root, "sub") == [name for name in _found(root) if name.startswith("sub/")]
    assert "sub/b.j2" not in _found(root, "sub")


def test_what_is_named_is_meant(tmp_path: Path) -> None:
    """An ignored file, or an ignored folder, is checked if it is named; with --force-exclude it is not, and says so."""
    root = _tree(tmp_path)

    assert _found(root, "a.tmp.j2", "out") == ["a.tmp.j2", "out/a.j2"]
    assert _found(root, "a.tmp.j2", "out", is_forced=True) == []
    forced = find_files(["a.tmp.j2"], Passed((), GitIgnores(), is_forced=True), frozenset({".j2"}), root)
    assert forced.skipped == (Skipped("a.tmp.j2", "ignored by git"),)


def test_outside_of_a_work_tree_nothing_is_ignored(tmp_path: Path) -> None:
    """A .gitignore without a repository is a file as any other."""
    (tmp_path / ".gitignore").write_text("*\n", encoding="utf-8")
    (tmp_path / "a.j2").write_text("x", encoding="utf-8")

    assert _found(tmp_path) == ["a.j2"]


def test_an_ignored_folder_is_not_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of an ignored folder is looked at."""
    root = _tree(tmp_path)
    real, seen = Path.stat, []

    def watched(path: Path, **arguments: bool) -> object:
        seen.append(path)
        return real(path, **arguments)

    monkeypatch.setattr(Path, "stat", watched)
    _found(root)

    assert [
        path for path in seen if path.parent.name in ("out", "only") and path.suffix == ".j2" and "sub" not in path.parts
    ] == []


def test_patterns_made_to_take_for_ever_are_passed_over(tmp_path: Path) -> None:
    """A pattern of many stars, which nobody needs, costs no time."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("**/" * 30 + "*a*a*a*a*b\n" + "*a" * 20 + "b\nx.j2\n", encoding="utf-8")
    for name in ("a" * 200 + ".j2", "x.j2"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    start = time.perf_counter()

    assert _found(tmp_path) == ["a" * 200 + ".j2"]
    assert time.perf_counter() - start < 1


def test_a_path_that_is_not_there_is_still_an_error(tmp_path: Path) -> None:
    """Ignoring does not hide a mistyped argument."""
    with pytest.raises(RadixlintError):
        _found(_tree(tmp_path), "nowhere.tmp.j2")

"""Discovery and reading: each file once, in one order, no links to folders, no pipes, nothing outside the roots."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from radixlint.errors import RadixlintError, SourceError
from radixlint.files.file_reading import MAX_BYTES, FolderIncludes, ReadFile, decode, folder_includes, read_file
from radixlint.files.path_globs import is_excluded
from radixlint.files.source_files import Excludes, FoundFiles, Passed, find_files, shown_path
from radixlint.result.finding import Skipped

SUFFIXES = frozenset({".j2", ".md"})


def _make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", encoding="utf-8")


def _find(root: Path, *arguments: str, exclude: tuple[str, ...] = ()) -> FoundFiles:
    return find_files(arguments or (".",), Passed((Excludes(exclude, root),)), SUFFIXES, root)


def _shown(found: FoundFiles) -> list[str]:
    return [item.shown for item in found.files]


def test_walk_is_sorted_and_takes_known_suffixes_only(tmp_path: Path) -> None:
    """Files come sorted by path, whatever the order of the arguments; suffixes match in any case."""
    _make(tmp_path, "b/z.j2", "a/y.MD", "a/x.py", "c.j2")

    assert _shown(_find(tmp_path)) == ["a/y.MD", "b/z.j2", "c.j2"]
    assert _find(tmp_path, "c.j2", "b", "a").files[1:] == _find(tmp_path, "a", "b", "c.j2").files[1:]


def test_hidden_and_vendor_folders_are_not_entered(tmp_path: Path) -> None:
    """Version control, environments and packages are passed over when walking, but checked when named."""
    _make(tmp_path, ".git/a.j2", ".venv/a.j2", "node_modules/a.j2", "__pycache__/a.j2", "x/venv/a.j2", ".h.j2", "ok.j2")

    assert _shown(_find(tmp_path)) == ["ok.j2"]
    assert _shown(_find(tmp_path, "node_modules", ".h.j2")) == [".h.j2", "node_modules/a.j2"]


def test_a_file_reached_twice_is_listed_once(tmp_path: Path) -> None:
    """Repeated, overlapping and linked arguments give one file, under its own name, marked as named."""
    _make(tmp_path, "a/t.j2")
    (tmp_path / "a" / "link.j2").symlink_to(tmp_path / "a" / "t.j2")

    found = _find(tmp_path, "a", "a/t.j2", "./a/../a/t.j2", "a/link.j2")

    assert _shown(found) == ["a/t.j2"]
    assert found.files[0].is_named


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    """A cycle of links ends, and a link out of the folder is not walked."""
    _make(tmp_path, "in/a/t.j2", "out/u.j2")
    (tmp_path / "in" / "a" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "out").symlink_to(tmp_path / "out")

    assert _shown(_find(tmp_path, "in")) == ["in/a/t.j2"]


def test_pipes_and_dead_links_are_skipped_with_a_reason(tmp_path: Path) -> None:
    """A pipe is never opened, named or walked; a link to nothing is told."""
    _make(tmp_path, "ok.j2")
    os.mkfifo(tmp_path / "pipe.j2")
    (tmp_path / "dead.j2").symlink_to(tmp_path / "nowhere")

    walked = _find(tmp_path)

    assert _shown(walked) == ["ok.j2"]
    assert walked.skipped == (Skipped("dead.j2", "a link to nothing"), Skipped("pipe.j2", "not a regular file"))
    assert "use - to read" in _find(tmp_path, "pipe.j2").skipped[0].reason


@pytest.mark.parametrize("name", ["absent.j2", "absent/", "nul\0.j2", ""])
def test_a_missing_argument_is_refused_before_anything_is_walked(tmp_path: Path, name: str) -> None:
    """One missing path among good ones ends the run with its name."""
    _make(tmp_path, "ok.j2")

    with pytest.raises(RadixlintError) as caught:
        _find(tmp_path, "ok.j2", name)

    assert caught.value.where == (name or "''")


@pytest.mark.parametrize(
    ("glob", "path", "is_match"),
    [
        ("*.bad.*", "a/x.bad.j2", True),
        ("vendor", "a/vendor/b/x.j2", True),
        ("vendor/", "a/vendor/b/x.j2", True),
        ("a/vendor", "a/vendor/b/x.j2", True),
        ("a/*.j2", "a/x.j2", True),
        ("a/*.j2", "a/b/x.j2", False),
        ("a/**/x.j2", "a/b/c/x.j2", True),
        ("**/x.j2", "x.j2", True),
        ("./a", "a/x.j2", True),
        ("b", "a/x.j2", False),
        ("*.[mj]2", "x.j2", True),
        ("", "x.j2", False),
        ("**/" * 30 + "*a*a*a*a*b", "a/" * 30 + "a" * 200, False),
    ],
)
def test_globs(glob: str, path: str, is_match: bool) -> None:
    """A glob without a slash matches any part, one with a slash the path from its root; a hostile one ends at once."""
    assert (is_excluded(path, [glob]) is not None) is is_match


def test_excludes_hold_for_walked_and_for_named_files(tmp_path: Path) -> None:
    """A named file that is excluded is skipped with the glob as reason, so that a commit hook keeps the excludes."""
    _make(tmp_path, "old/a.j2", "b.j2")

    assert _shown(_find(tmp_path, exclude=("old",))) == ["b.j2"]
    assert _find(tmp_path, "old/a.j2", exclude=("old",)).skipped == (Skipped("old/a.j2", "excluded by old"),)


def test_a_folder_that_exclusion_leaves_empty_says_why(tmp_path: Path) -> None:
    """An excluded folder that is named is told with the pattern; so is one of which nothing is left, but not one with files."""
    _make(tmp_path, "a/x.j2", "b/y.j2", "b/z.md", "c/n.txt")

    found = _find(tmp_path, "a", "b", "c", exclude=("a/**", "*.j2"))
    emptied = _find(tmp_path, "b", exclude=("*.j2", "*.md"))

    assert _shown(found) == ["b/z.md"]
    assert found.skipped == (Skipped("a", "excluded by a/**"),)
    assert emptied.skipped == (Skipped("b", "no prompt beside what is excluded by *.j2, excluded by *.md"),)


def test_shown_paths_are_relative_with_forward_slashes(tmp_path: Path) -> None:
    """Paths are shown relative to the current folder, also those outside it."""
    assert shown_path(tmp_path / "a" / "b.j2", tmp_path) == "a/b.j2"
    assert shown_path(tmp_path / "c.j2", tmp_path / "a") == "../c.j2"


def test_text_is_normalised() -> None:
    """The byte-order mark goes, CRLF and lone CR become LF; U+2028 stays part of its line."""
    read = decode(b"\xef\xbb\xbfa\r\nb\rc\xe2\x80\xa8d", "a.j2")

    assert isinstance(read, ReadFile)
    assert read.source.text == "a\nb\nc\u2028d"
    assert read.fault is None


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\0b", "binary"),
        ("hello".encode("utf-16"), "UTF-16"),
        (b"a" * (MAX_BYTES + 1), f"larger than {MAX_BYTES // 1_000_000} MB"),
    ],
)
def test_what_is_not_text_is_skipped(data: bytes, reason: str) -> None:
    """Binary, UTF-16 and oversized files are skipped with a reason that says which."""
    read = decode(data, "a.j2")

    assert isinstance(read, Skipped)
    assert reason in read.reason


def test_wrong_bytes_are_a_fault_at_their_place() -> None:
    """A byte that is not UTF-8 is reported with line and column in code points; the text is still there."""
    read = decode("a\r\nü".encode() + b"\xffz", "a.j2")

    assert isinstance(read, ReadFile)
    assert read.fault is not None
    assert (read.fault.line, read.fault.column) == (2, 2)
    assert "0xff" in read.fault.message
    assert read.source.text == "a\nü\ufffdz"


def test_reading_is_bounded(tmp_path: Path) -> None:
    """A file far over the limit is read only up to it."""
    with open(tmp_path / "big.j2", "wb") as stream:
        stream.truncate(1 << 34)

    assert isinstance(read_file(tmp_path / "big.j2", "big.j2"), Skipped)


def _includes(root: Path, *arguments: str) -> FolderIncludes:
    return folder_includes([root / argument for argument in arguments], root)


def test_includes_are_found_beside_above_and_in_the_roots(tmp_path: Path) -> None:
    """A name is looked up beside the including file first, then upwards, then in the other folders checked."""
    _make(tmp_path, "t/chat/main.j2", "t/chat/part.j2", "t/shared/head.j2", "other/foot.j2")
    (tmp_path / "t" / "part.j2").write_text("upper", encoding="utf-8")
    includes = _includes(tmp_path, "t", "other")

    found = [includes.open(name, "t/chat/main.j2") for name in ("part.j2", "shared/head.j2", "foot.j2", "../part.j2", "no.j2")]

    assert [item and item.path for item in found] == ["t/chat/part.j2", "t/shared/head.j2", "other/foot.j2", "t/part.j2", None]


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../../../../../../../../etc/passwd", "../secret.j2", "a\0b", "https://x.invalid/y", "~/x", "l.j2"],
)
def test_includes_that_leave_the_roots_are_refused_unopened(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute, climbing, linked and remote names give nothing, are told once, and no file is opened."""
    _make(tmp_path, "secret.j2", "in/main.j2")
    (tmp_path / "in" / "l.j2").symlink_to(tmp_path / "secret.j2")
    includes = _includes(tmp_path / "in", ".")
    monkeypatch.setattr("builtins.open", lambda *args: pytest.fail(f"opened {args[0]}"))

    with pytest.raises(SourceError, match="refused: it leaves the folders checked"):
        includes.open(name, "main.j2")


def test_what_stands_beside_a_named_file_is_looked_up_for_it_alone(tmp_path: Path) -> None:
    """A name means the same whatever else is named; a file named by its path still finds what stands beside it."""
    _make(tmp_path, "a/main.j2", "b/part.j2", "b/page.j2")
    includes = _includes(tmp_path, "a/main.j2", "b/page.j2")
    beside = includes.open("part.j2", "b/page.j2")

    assert includes.open("part.j2", "a/main.j2") is None
    assert beside is not None
    assert beside.path == "b/part.j2"


def test_the_root_of_the_file_system_is_no_include_root() -> None:
    """Running in / does not open the whole machine to includes."""
    assert folder_includes([], Path("/")).roots == ()

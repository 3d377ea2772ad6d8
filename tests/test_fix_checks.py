"""A fix that does harm is taken back, with the reason: each kind of harm is made by an edit of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_files
from radixlint.api.file_findings import FileFindings
from radixlint.api.file_fixing import FileFixer
from radixlint.config import Settings
from radixlint.prompt import Span
from radixlint.result.finding import Edit, Finding
from radixlint.result.fix import FileFix

TEXT = (
    "{% for name, tool in tools.items() %}\n- {{ name }}\n{% endfor %}\n"
    "You answer questions for the city library in short and friendly words.\n"
    "Loans last four weeks and can be renewed twice unless someone waits.\n"
    "Reader: {{ question }}\n"
)


def cut(line: int, end_line: int, text: str = "") -> Edit:
    """Return an edit that replaces whole lines."""
    return Edit(Span("a.j2", line, 1, end_line, 1), text)


def outcome(folder: Path, *edits: Edit) -> FileFix:
    """Return what becomes of ``TEXT`` if ``edits`` are said to repair its mapping."""
    (folder / "a.j2").write_text(TEXT)
    checked = check_files(CheckOptions(("a.j2",), Settings(), folder))

    def choose(file: FileFindings) -> list[Finding]:
        return [replace(f, edits=edits) for f in file.findings if f.rule == "RL303"]

    return FileFixer(checked, choose, checked.files[0], TEXT.encode()).run()


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ((cut(3, 4),), "the file would not parse any more"),
        ((cut(1, 1, "{{ q }}\n"),), "RL303 would still be found"),
        ((cut(1, 4, "It is {{ now() }}.\n"),), "RL201 would be found instead"),
        ((cut(1, 4), cut(6, 6, "- {{ name }} {{ other }}\n")), "lines of the prompt would change"),
        ((cut(9, 9),), "its edits do not fit the file: there is no line 9"),
        ((cut(1, 7),), "lines of the prompt would be lost"),
        (
            (cut(1, 2, "{% for name, tool in tools | dictsort | nothing_like_this %}\n"),),
            "the template would not render any more",
        ),
    ],
)
def test_harm_is_taken_back(tmp_path: Path, edits: tuple[Edit, ...], reason: str) -> None:
    """The bytes stay as they were, and the reason is told."""
    found = outcome(tmp_path, *edits)

    assert found.after == found.before
    assert found.applied == ()
    assert [fault.reason[: len(reason)] for fault in found.withdrawn] == [reason]


def test_what_helps_is_kept(tmp_path: Path) -> None:
    """The right edit of the same finding is kept."""
    found = outcome(tmp_path, cut(1, 2, "{% for name, tool in tools | dictsort %}\n"))

    assert found.after.decode() == TEXT.replace(".items()", " | dictsort")
    assert found.withdrawn == ()

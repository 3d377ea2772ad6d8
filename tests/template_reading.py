"""Read Jinja templates in tests: from text, from a dictionary of files, or from the fixtures."""

from __future__ import annotations

from pathlib import Path

from radixlint.prompt import Expression, Prompt, Segment, SourceText
from radixlint.sources import SourceRead, read_prompts

FIXTURES = Path(__file__).parent / "fixtures" / "sources"


class Shelf:
    """Opens files from a dictionary, or from the fixtures."""

    def __init__(self, files: dict[str, str] | None = None) -> None:
        self.files = files

    def open(self, name: str, from_path: str) -> SourceText | None:
        if self.files is not None:
            return SourceText(name, self.files[name]) if name in self.files else None
        path = FIXTURES / name
        return SourceText(name, path.read_text(encoding="utf-8")) if path.is_file() else None


def read(text: str, files: dict[str, str] | None = None, path: str = "t.j2") -> SourceRead:
    found = read_prompts(SourceText(path, text), Shelf(files if files is not None else {}))
    assert found is not None
    return found


def segments(text: str, files: dict[str, str] | None = None) -> tuple[Segment, ...]:
    (prompt,) = read(text, files).prompts
    return prompt.segments


def fixture(name: str) -> Prompt:
    found = read_prompts(SourceText(name, (FIXTURES / name).read_text(encoding="utf-8")), Shelf())
    assert found is not None
    return found.prompts[0]


def one(text: str, files: dict[str, str] | None = None) -> Expression:
    (expression,) = [s.expression for s in segments(text, files) if s.expression is not None]
    return expression


def place(segment: Segment) -> tuple[int, int, int, int]:
    span = segment.span
    return span.line, span.column, span.end_line, span.end_column


def cut(text: str, segment: Segment) -> str:
    """The source text at a segment's span."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    line, column, end_line, end_column = place(segment)
    return text[starts[line - 1] + column - 1 : starts[end_line - 1] + end_column - 1]

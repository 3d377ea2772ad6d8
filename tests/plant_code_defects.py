"""Plant one defect in a healthy program: a clock through a helper, a set behind JSON, a window on the history.

A plant is a few replacements of text that occurs once. ``@@`` in one of them marks where the finding is to be, so its line
and column are known without reading the language.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HEALTHY = Path(__file__).parent / "fixtures" / "code_healthy"
MARK = "@@"


@dataclass(frozen=True, slots=True)
class Plant:
    """One defect in ``file``: each pair of ``edits`` is what is there and what takes its place (three: in another file)."""

    file: str
    kind: str
    rule: str
    edits: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.kind}"

    def grow(self, folder: Path) -> tuple[str, int, int]:
        """Make ``folder``, a copy of the corpus, the twin; return the file, line and column of the planted value, from 1.

        Raises:
            ValueError: a healthy file does not hold what is to be replaced, or holds it twice.
        """
        place = ("", 0, 0)
        for *names, old, new in self.edits:
            path = folder / (names[0] if names else self.file)
            before, *rest = path.read_text(encoding="utf-8").split(old)
            if len(rest) != 1:
                raise ValueError(f"{path.name}: {len(rest)} times {old!r}")
            path.write_text(before + new + rest[0], encoding="utf-8")
        for name in sorted({self.file, *(edit[0] for edit in self.edits if len(edit) == 3)}):
            ahead, mark, behind = (folder / name).read_text(encoding="utf-8").partition(MARK)
            if mark:
                (folder / name).write_text(ahead + behind, encoding="utf-8")
                place = (name, ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n"))
        return place


def plant(file: str, kind: str, rule: str, *edits: tuple[str, ...]) -> Plant:
    """Return a plant of ``kind`` that ``rule`` is to find."""
    return Plant(file, kind, rule, edits)

"""A code frame: source lines with numbers, and a caret line under the place, right for tabs, wide characters and escapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from radixlint.prompt import Span
from radixlint.safe_text import safe

if TYPE_CHECKING:
    from rich.text import Text

_TAB: Final = "    "
_CUT: Final = "…"
# How much of a long line is kept in front of the place, as a share of the room.
_LEAD_SHARE: Final = 0.4


class FrameStyle(NamedTuple):
    """``width`` in cells for the whole frame, ``mark`` the colour of the carets, ``label`` the words after them."""

    width: int
    mark: str
    label: str


def code_frame(lines: Sequence[str], first_line: int, span: Span, style: FrameStyle) -> list[Text]:
    """Return the frame as lines of text, empty if the place is not among ``lines``; the first has number ``first_line``."""
    from rich.text import Text

    if not first_line <= span.line < first_line + len(lines):
        return []
    digits = len(str(first_line + len(lines) - 1))
    room = max(10, style.width - digits - 5)
    target = lines[span.line - first_line]
    end = span.end_column - 1 if span.end_line == span.line else len(target)
    cut = _Cut(target, span.column - 1, end, room)
    frame = []
    for number, line in enumerate(lines, start=first_line):
        here = number == span.line
        shown = cut.text if here else _clipped(line, room)
        frame.append(Text().append(f"  {number:>{digits}} │ ", "dim").append(shown, "" if here else "dim"))
        if here:
            frame.extend(_caret_lines(cut, end, room, digits, style))
    return frame


def _caret_lines(cut: _Cut, end: int, room: int, digits: int, style: FrameStyle) -> Iterator[Text]:
    from rich.text import Text

    gutter = f"  {'':>{digits}} │ "
    indent, width = cut.mark(end)
    line = Text().append(gutter, "dim").append(" " * indent).append("^" * width, f"bold {style.mark}")
    fits = indent + width + 1 + len(style.label) <= room
    yield line.append(f" {style.label}", style.mark) if fits else line
    if not fits:
        yield (
            Text()
            .append(gutter, "dim")
            .append(" " * max(0, min(indent, room - len(style.label))))
            .append(style.label, style.mark)
        )


class _Cut:
    """A line cut to the room so that the place stays visible."""

    def __init__(self, line: str, column: int, end: int, room: int) -> None:
        self.line = line
        self.column = min(column, len(line))
        # Slices stay within the room, so that a line of megabytes costs no more than a short one.
        fits = end < room and _cells(_shown(line[:end])) < room
        self.first = 0 if fits else self._start(int(room * _LEAD_SHARE))
        head = _CUT if self.first else ""
        self.text = head + _clipped(line[self.first : self.first + room + 1], room - len(head))
        self.head_cells = len(head)

    def _start(self, lead: int) -> int:
        first = self.column
        cells = 0
        while first > 0:
            cells += _cells(_shown(self.line[first - 1]))
            if cells > lead:
                break
            first -= 1
        return first

    def mark(self, end: int) -> tuple[int, int]:
        """Return where the carets start and how many there are, in cells."""
        indent = self.head_cells + _cells(_shown(self.line[self.first : self.column]))
        width = _cells(_shown(self.line[self.column : min(end, self.column + 1000)]))
        return indent, max(1, min(width, _cells(self.text) - indent))


def _shown(text: str) -> str:
    return safe(text).replace("\t", _TAB).replace("\n", "\\n")


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _clipped(line: str, room: int) -> str:
    from rich.cells import set_cell_size

    shown = _shown(line[: room + 1])
    return shown if _cells(shown) <= room else set_cell_size(shown, room - 1) + _CUT

"""``render`` for people: a prompt from top to bottom, in the margin how long each part lives and the tokens up to its end."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from radixlint.prompt import Confidence, Control, ControlKind, Lifetime, Role, Segment, Span
from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._figures import counted
from radixlint.reports._prompt_strip import BREAK, LETTERS, legend, strip_line
from radixlint.result.evidence import Evidence
from radixlint.result.finding import PromptStrip
from radixlint.result.rendered import PrefixEnd, RenderedPart, RenderedPrompt, RenderReport
from radixlint.safe_text import safe, safe_line

if TYPE_CHECKING:
    from rich.text import Text

_RULE: Final = "│ "
_FIGURE_CELLS: Final = 7
_LEAST_CELLS: Final = 20
_INDENT: Final = "  "
_STRIP_CELLS: Final = 60
_FOR_WHOM: Final = {
    Lifetime.RELEASE: "in another release",
    Lifetime.DAY: "on another day",
    Lifetime.TENANT: "for another tenant",
    Lifetime.USER: "for another user",
    Lifetime.SESSION: "in another session",
    Lifetime.TURN: "with another input",
    Lifetime.CALL: "in every other call",
}
_KEPT_BY: Final = {"process": ("process", "in another process"), "object": ("object", "for another object that keeps it")}
"""What keeps a value that is drawn once, and for whom the prefix ends there."""


def render(report: RenderReport, style: TextStyle) -> str:
    """Return the report as text of ``style.width`` columns; colours only if the style wants them."""
    return drawn(_lines(report, style), style)


def _lines(report: RenderReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    for prompt in report.prompts:
        yield from _head(prompt, report, style)
        yield from _Page(prompt, report.path, style.width).lines()
        yield Text()
    strips = [prompt.strip for prompt in report.prompts if prompt.strip is not None]
    if strips:
        yield legend(strips, style.width)
    yield Text(
        f"tokens: of fixed text alone, of a condition its longest branch ({Evidence.STATIC.value}, {report.tokenizer})", "dim"
    )


def _head(prompt: RenderedPrompt, report: RenderReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    line = Text().append(safe_line(report.path), "bold")
    if prompt.name != report.path.rsplit("/", 1)[-1]:
        line.append(f" {safe_line(prompt.name)}", "bold")
    yield line.append(f"  {prompt.dialect}, {counted(prompt.total_tokens, 'token')}", "dim")
    strip = prompt.strip
    if strip is not None and strip.parts:
        yield Text(_INDENT).append_text(strip_line(strip, min(_STRIP_CELLS, style.width - 2)))
        if strip.lost_tokens:
            yield Text(f"{_INDENT}{_parts_of(prompt, strip)}", "bold")
    if not prompt.ends:
        yield Text(f"{_INDENT}the same in every request", "dim")


def _parts_of(prompt: RenderedPrompt, strip: PromptStrip) -> str:
    """Return where the tokens of a prompt with a break stand; the numbers add up to all of them."""
    words = f"{strip.lost_tokens:,} of {counted(strip.total_tokens, 'token')} behind the break"
    front = prompt.ends[0].tokens if prompt.ends else 0
    rest = strip.total_tokens - strip.lost_tokens - front
    return f"{words}, {front:,} in front" + (f", {rest:,} not shared in any case" if rest > 0 else "")


def _blank(text: str) -> str:
    """Return blank text so that it can be seen: its line ends and blanks as marks."""
    return "".join("↵" if char == "\n" else "⇥" if char == "\t" else "␣" for char in text)


@dataclass(slots=True)
class _Page:
    """Draws one prompt; remembers what was said last, so that headings stand only where something changes."""

    prompt: RenderedPrompt
    path: str
    width: int
    _place: tuple[Role, int] | None = None
    _controls: tuple[tuple[int, int], ...] = ()
    _file: str = ""

    def lines(self) -> Iterator[Text]:
        ends = {end.part: end for end in self.prompt.ends}
        self._file = self.path
        for number, part in enumerate(self.prompt.parts):
            segment = part.segment
            if segment.text.strip():
                yield from self._headings(segment)
                if number in ends:
                    yield self._end(ends[number])
                yield from self._text(part) if segment.is_literal else self._value(part)
            elif part.tokens:
                yield from self._openings(segment.controls)
                figure, depth = f"{part.running_tokens:,}", len(segment.controls)
                yield from self._rows(_blank(segment.text), LETTERS[segment.lifetime], figure, depth, "dim", cuts=True)
            if segment.is_breakpoint:
                yield self._margin("", "").append("▲ cache mark", "bold cyan")

    def _headings(self, segment: Segment) -> Iterator[Text]:
        from rich.text import Text

        if (segment.role, segment.message) != self._place:
            is_first = self._place is None
            self._place = segment.role, segment.message
            if segment.role is not Role.TEXT or not is_first:
                title = f"── {segment.role.value} "
                yield Text(title + "─" * max(0, min(_STRIP_CELLS, self.width) - len(title)), "bold", no_wrap=True)
        home = next((span for span in reversed(segment.related) if span.path != self.path), segment.span)
        if home.path != self._file:
            self._file = home.path
            words = "back in" if self._file == self.path else "from"
            yield self._margin("", "").append(f"{words} {safe_line(_shown(home))}", "dim")
        yield from self._openings(segment.controls)

    def _openings(self, controls: Sequence[Control]) -> Iterator[Text]:
        """Yield a line for each loop or branch that is entered here."""
        keys = tuple((control.node, control.branch) for control in controls)
        same = next(
            (i for i, (a, b) in enumerate(zip(keys, self._controls, strict=False)) if a != b), min(len(keys), len(self._controls))
        )
        self._controls = keys
        for depth, control in enumerate(controls[same:], start=same):
            words = f"{_opening(control)}  {control.lifetime.label}"
            yield from self._rows(words, "", "", depth, "magenta", cuts=True)

    def _end(self, end: PrefixEnd) -> Text:
        kept = _KEPT_BY.get(self.prompt.parts[end.part].segment.kept)
        for_whom = kept[1] if kept is not None else _FOR_WHOM[end.lifetime]
        words = f"the prefix ends here {for_whom}, {counted(end.tokens, 'token')} in front"
        return self._margin("", "").append(f"{BREAK} ", "bold red").append(words, "red")

    def _text(self, part: RenderedPart) -> Iterator[Text]:
        segment = part.segment
        letter, figure = LETTERS[segment.lifetime], f"{part.running_tokens:,}"
        yield from self._rows(safe(segment.text).strip("\n"), letter, figure, len(segment.controls), _color(segment.lifetime))

    def _value(self, part: RenderedPart) -> Iterator[Text]:
        segment = part.segment
        depth, color = len(segment.controls), _color(segment.lifetime)
        yield from self._rows(
            " ".join(safe(segment.text).split()), LETTERS[segment.lifetime], "", depth, f"bold {color}", cuts=True
        )
        lasts = _KEPT_BY[segment.kept][0] if segment.kept else segment.lifetime.label
        words = [lasts, segment.origin.value, f"at {_shown(segment.span)}"]
        words += [f"by {_shown(span)}" for span in segment.related]
        if segment.confidence is not Confidence.HIGH:
            words.append(f"{segment.confidence.value} confidence: {segment.reason}".removesuffix(": "))
        yield from self._rows(f"^ {safe_line(', '.join(words))}", "", "", depth, "dim")

    def _rows(self, text: str, letter: str, figure: str, depth: int, style: str, *, cuts: bool = False) -> Iterator[Text]:
        """Yield ``text`` line by line behind the margin; ``figure`` stands beside the last of the lines, or one is cut short."""
        indent = _INDENT * min(depth, max(0, (self.width - _LEAST_CELLS) // 2 // len(_INDENT)))
        room = max(_LEAST_CELLS, self.width - 2 - _FIGURE_CELLS - 1 - len(_RULE) - len(indent))
        rows = [row for line in text.expandtabs(4).split("\n") for row in _fitted(line, room)]
        if cuts and len(rows) > 1:
            rows = [rows[0][: room - 1] + "…"]
        for number, row in enumerate(rows, start=1):
            yield self._margin(letter, figure if number == len(rows) else "").append(indent).append(row, style)

    def _margin(self, letter: str, figure: str) -> Text:
        from rich.text import Text

        lifetime = next((life for life, known in LETTERS.items() if known == letter), None)
        line = Text(no_wrap=True).append(f"{letter:<2}", "" if lifetime is None else f"bold {_color(lifetime)}")
        return line.append(f"{figure:>{_FIGURE_CELLS}} ", "dim").append(_RULE, "dim")


def _opening(control: Control) -> str:
    test = " ".join(safe(control.expression.text).split())
    if control.kind is ControlKind.LOOP:
        return f"loop over {test}"
    return f"if {test}" if control.branch == 0 else f"or, branch {control.branch + 1}: {test}"


def _shown(span: Span) -> str:
    return f"{span.path}:{span.line}:{span.column}"


def _color(lifetime: Lifetime) -> str:
    if lifetime >= Lifetime.RELEASE:
        return "green"
    return "red" if lifetime <= Lifetime.TURN else "yellow"


def _fitted(line: str, room: int) -> Iterator[str]:
    """Yield a line in pieces of at most ``room`` cells, cut at blanks where there are any."""
    from rich.cells import cell_len, chop_cells

    for row in textwrap.wrap(line, room, drop_whitespace=False, break_on_hyphens=False) or [""]:
        yield from chop_cells(row, room) if cell_len(row) > room else [row]

"""Read the source of a prompt by its places: the text of a span, the lines of the file, offsets and back."""

from __future__ import annotations

from radixlint.detectors import Hit
from radixlint.prompt import Prompt, Span, lines_of


class SourceLines:
    """The lines of a prompt's own file, without line ends."""

    def __init__(self, prompt: Prompt) -> None:
        self.path = prompt.path
        self.lines = lines_of(prompt.source.text) if prompt.source is not None else ()

    def text(self, span: Span) -> str:
        """Return the source text of a span."""
        if span.line == span.end_line:
            return self.lines[span.line - 1][span.column - 1 : span.end_column - 1]
        inner = self.lines[span.line : span.end_line - 1]
        return "\n".join(
            [self.lines[span.line - 1][span.column - 1 :], *inner, self.lines[span.end_line - 1][: span.end_column - 1]]
        )

    def part(self, span: Span, start: int, end: int) -> Span:
        """Return the place of ``text(span)[start:end]``."""
        return Span(span.path, *self._behind(span, start), *self._behind(span, end))

    def _behind(self, span: Span, offset: int) -> tuple[int, int]:
        before = self.text(span)[:offset]
        if "\n" not in before:
            return span.line, span.column + offset
        return span.line + before.count("\n"), len(before) - before.rfind("\n")


def tag_spans(prompt: Prompt, hit: Hit) -> list[Span]:
    """Return the places in the prompt's own file that a hit came from: its tag, then those of the names on the way."""
    spans = [hit.span, *(related.span for related in hit.related), *hit.segment.related]
    own = [span for span in spans if span.path == prompt.path]
    return list(dict.fromkeys(own)) if prompt.source is not None else []

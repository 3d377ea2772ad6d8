"""A template as what can be found again in the requests it made: its fixed lines in order, and the places of findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from radixlint.prompt import Control, ControlKind, Origin, Prompt, Role, Segment, Span

LEAST_CHARACTERS: Final = 24
"""Fixed text below this tells no template."""
_ANCHOR_CHARACTERS: Final = 6
_INSTRUCTIONS: Final = frozenset({Role.SYSTEM, Role.DEVELOPER})


@dataclass(frozen=True, slots=True)
class Item:
    """A fixed line without the blanks around it, the blank text between two values, or a value (no text).

    ``is_required`` says that each request holds it, ``is_anchor`` that it is long enough to be looked for by itself.
    ``is_long`` is a value's.
    """

    text: str
    role: Role
    message: int
    controls: tuple[Control, ...] = ()
    is_anchor: bool = False
    is_long: bool = False

    @property
    def is_required(self) -> bool:
        """Whether it stands under no loop or condition."""
        return not self.controls


@dataclass(frozen=True, slots=True)
class Place:
    """The items ``first`` to ``last`` of a template, which a finding (by number) is about."""

    first: int
    last: int
    finding: int


@dataclass(frozen=True, slots=True)
class Template:
    """``items`` in wire order, the ``places`` of findings in them; ``has_roles`` says that messages are told apart."""

    prompt: Prompt
    items: tuple[Item, ...]
    places: tuple[Place, ...]
    has_roles: bool

    @property
    def can_be_told(self) -> bool:
        """Whether there is enough fixed text to know its requests by."""
        return sum(len(item.text) for item in self.items if item.is_anchor) >= LEAST_CHARACTERS


def template_of(prompt: Prompt, spans: Mapping[int, Span]) -> Template:
    """Return a classified prompt as a template; ``spans`` are the places of its findings, by their number."""
    pieces = [piece for segment in prompt.segments for piece in _cut(segment, sorted(set(spans.values())), prompt)]
    items, owners = _items(pieces, prompt)
    found = ((number, _found(span, pieces, owners)) for number, span in spans.items())
    places = [Place(*ends, number) for number, ends in found if ends is not None]
    has_roles = any(segment.role is not Role.TEXT for segment in prompt.segments)
    places.sort(key=lambda place: (place.first, -place.last, place.finding))
    return Template(prompt, tuple(items), tuple(places), has_roles)


def _cut(segment: Segment, spans: Sequence[Span], prompt: Prompt) -> Iterator[Segment]:
    """Yield a segment; a literal in which findings stand in parts, what they are about as values.

    A body as sent has literals that another call has another text for.
    """
    if segment.is_literal and (segment.span in spans or (prompt.is_rendered and segment.origin is not Origin.LITERAL)):
        yield replace(segment, text="")
        return
    inside = [span for span in spans if _holds(segment.span, span)] if segment.is_literal else []
    if not inside or segment.span.path != prompt.path:
        yield segment
        return
    at, end = 0, len(segment.text)
    for span in inside:
        start, stop = (_offset(segment, line, column) for line, column in _ends(span))
        if at <= start < stop <= end:
            yield replace(segment, text=segment.text[at:start])
            yield replace(segment, text="", span=span)
            at = stop
    yield replace(segment, text=segment.text[at:])


def _ends(span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
    return (span.line, span.column), (span.end_line, span.end_column)


def _holds(outer: Span, inner: Span) -> bool:
    (start, end), (first, last) = _ends(outer), _ends(inner)
    return outer.path == inner.path and start <= first and last <= end


def _offset(segment: Segment, line: int, column: int) -> int:
    """Return the code point of a literal that stands at a place of the source."""
    if segment.offsets:
        return next((i for i, place in enumerate(segment.offsets) if place >= (line, column)), len(segment.text))
    if line == segment.span.line:
        return column - segment.span.column
    lines = segment.text.split("\n")[: line - segment.span.line]
    return sum(len(text) + 1 for text in lines) + column - 1


def _is_value(piece: Segment) -> bool:
    return not piece.is_literal or not piece.text


def _items(pieces: Sequence[Segment], prompt: Prompt) -> tuple[list[Item], list[tuple[int, ...]]]:
    """Return the items, and for each piece the numbers of those it gave."""
    items: list[Item] = []
    owners: list[tuple[int, ...]] = [()] * len(pieces)

    def kind(index: int) -> tuple[object, ...]:
        piece = pieces[index]
        return (index,) if _is_value(piece) else (-1, piece.role, piece.message, piece.controls)

    for _, group in groupby(range(len(pieces)), kind):
        members = list(group)
        first, start = pieces[members[0]], len(items)
        items.extend(_value(first) if _is_value(first) else _lines([pieces[i] for i in members], prompt))
        for i in members:
            owners[i] = tuple(range(start, len(items)))
    return items, owners


def _value(piece: Segment) -> list[Item]:
    return [Item("", piece.role, piece.message, piece.controls, is_long=piece.is_long)]


def _lines(pieces: Sequence[Segment], prompt: Prompt) -> list[Item]:
    """Return the lines of neighbouring literals.

    Tools are logged in another form than they are written in, and of a body as sent only the instructions come again.
    """
    first, text = pieces[0], "".join(piece.text for piece in pieces)
    if first.role is Role.TOOLS or (prompt.is_rendered and first.role not in _INSTRUCTIONS):
        return []
    lines = [line.strip() for line in text.split("\n") if line.strip()] or [text]
    return [
        Item(line, first.role, first.message, first.controls, is_anchor=len(line.strip()) >= _ANCHOR_CHARACTERS) for line in lines
    ]


def _found(span: Span, pieces: Sequence[Segment], owners: Sequence[tuple[int, ...]]) -> tuple[int, int] | None:
    """Return the first and the last item of what stands at a place: a value, or all that a loop or condition encloses."""
    values = [i for i, piece in enumerate(pieces) if _is_value(piece)]
    own = [i for i in values if pieces[i].span == span] or [i for i in values if _holds(pieces[i].span, span)]
    if own:
        loop = next((c for c in pieces[own[0]].controls if c.kind is ControlKind.LOOP), None)
        members = own[:1] if loop is None else _enclosed(pieces, loop)
    else:
        control = next((c for piece in pieces for c in piece.controls if c.span == span), None)
        members = [] if control is None else _enclosed(pieces, control)
    numbers = [number for i in members for number in owners[i]]
    return (min(numbers), max(numbers)) if numbers else None


def _enclosed(pieces: Sequence[Segment], control: Control) -> list[int]:
    return [i for i, piece in enumerate(pieces) if any(c.node == control.node for c in piece.controls)]

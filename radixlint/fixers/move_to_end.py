"""Move the line, or the whole loop or condition, that prints a value behind the text that stays the same."""

from __future__ import annotations

from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._destination import Destination, ahead_of_input, end_of_turn
from radixlint.fixers._line_manners import is_enclosed, says_role, stands_alone
from radixlint.fixers._source_lines import SourceLines
from radixlint.fixers._tag_depth import block_end, has_block_tag
from radixlint.fixers._text_fields import TextField, field_at
from radixlint.prompt import Origin, Prompt, Segment
from radixlint.result.finding import Edit

_HEADED: Final = "#"


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets.

    ``ahead_of_input`` puts it ahead of the newest question where there is one, and else at the end. ``of_cause`` moves the value
    that the place is reported for, unless it is the question itself.
    """

    ahead_of_input: bool = False
    of_cause: bool = False


def edits(prompt: Prompt, hit: Hit, params: Params) -> tuple[Edit, ...] | None:
    """Return one edit that takes whole lines out and one that writes them; None inside loops, macros, includes and
    sentences, and of what says to the model who it is.
    """
    lines = SourceLines(prompt)
    span = hit.cause if params.of_cause else hit.span
    is_question = params.of_cause and hit.segment.origin is Origin.INPUT
    if span is None or is_question or not lines.lines or span.path != prompt.path or prompt.kind == "chat-template":
        return None
    place = (span.line, span.column)
    field = field_at(prompt.path, lines.lines, place)
    if field is None:
        return None
    at = field.index_at(place)
    found = (at, at) if _is_movable_line(prompt, field, at) else _movable_block(field, at, place[1])
    target = (ahead_of_input(prompt, place) if params.ahead_of_input else None) or end_of_turn(prompt, hit.segment.message)
    return _move(field, found, target) if found is not None and target is not None else None


def _move(field: TextField, found: tuple[int, int], target: Destination) -> tuple[Edit, ...] | None:
    first, last = found
    place = target.field.pieces[target.index].end
    if field.pieces[first].start <= place <= field.pieces[last].end or place == field.pieces[max(first - 1, 0)].end:
        return None
    moved = [field.pieces[i].text for i in range(first, last + 1)]
    if says_role(moved):
        return None
    text = target.field.written(moved, field)
    cut = field.without(first, last + 1 if _leaves_two_blanks(field, first, last, target) else last)
    if text is None or cut is None:
        return None
    return tuple(sorted((Edit(cut, ""), Edit(target.field.behind(target.index), text)), key=lambda edit: edit.span))


def _leaves_two_blanks(field: TextField, first: int, last: int, target: Destination) -> bool:
    """Whether the lines are a paragraph, whose blank line behind it goes with it."""
    behind = field.text(last + 1)
    is_paragraph = not (field.text(first - 1) or "").strip() and behind is not None and not behind.strip()
    return is_paragraph and not (field.is_quoted or target.field.pieces[target.index].end == field.pieces[last + 1].end)


def _is_movable_line(prompt: Prompt, field: TextField, at: int) -> bool:
    """Whether a line is text and values alone, at the top of its text, and no part of a sentence or list around it."""
    line = field.pieces[at].text
    if has_block_tag(line) or line.lstrip().startswith(_HEADED) or field.depths[at] or field.depths[at + 1]:
        return False
    if not stands_alone(line, field.text(at - 1), field.text(at + 1)) or is_enclosed([p.text for p in field.pieces[:at]]):
        return False
    return _is_covered(prompt, field, at)


def _is_covered(prompt: Prompt, field: TextField, at: int) -> bool:
    """Whether all of the line is printed, once, whatever the values are."""
    piece = field.pieces[at]
    indent = len(field.indent)
    blank = len(piece.text) - len(piece.text.lstrip())
    columns = set(range(piece.start[1] + indent + blank, piece.start[1] + indent + len(piece.text.rstrip())))
    for segment in prompt.segments:
        shown = _columns(segment, piece.start[0])
        if segment.span.path == prompt.path and any(column in shown for column in columns):
            if segment.controls:
                return False
            columns = {column for column in columns if column not in shown}
    return not columns


def _columns(segment: Segment, line: int) -> range:
    span = segment.span
    if not span.line <= line <= span.end_line:
        return range(0)
    return range(span.column if span.line == line else 1, span.end_column if span.end_line == line else 1 << 30)


def _movable_block(field: TextField, at: int, column: int) -> tuple[int, int] | None:
    """Return the lines of the block whose opening tag starts line ``at``, with the label ahead of it; None if there is none."""
    text = "\n".join(piece.text for piece in field.pieces)
    start = sum(len(piece.text) + 1 for piece in field.pieces[:at])
    blank = len(field.pieces[at].text) - len(field.pieces[at].text.lstrip())
    is_first = column - field.pieces[at].start[1] - len(field.indent) == blank
    if field.is_quoted or field.depths[at] or not is_first:
        return None
    end = block_end(text, start + blank)
    if end is None or text[end:].split("\n", 1)[0].strip():
        return None
    last = text.count("\n", 0, end)
    inner = text[start:end]
    if inner.lstrip().startswith(("{%-", "{{-", "{{~")) or inner.rstrip().endswith(("-%}", "-}}", "~}}")):
        return None
    if is_enclosed([piece.text for piece in field.pieces[:at]]):
        return None
    return _with_label(field, at, last)


def _with_label(field: TextField, at: int, last: int) -> tuple[int, int] | None:
    """Return the lines with the label or heading ahead of them; None if that is not theirs alone."""
    label, behind = (field.text(at - 1) or "").strip(), (field.text(last + 1) or "").strip()
    if label.startswith(_HEADED):
        return (at - 1, last) if not behind or behind.startswith(_HEADED) else None
    if not label.endswith(":"):
        return at, last
    return (at - 1, last) if "{" not in label else None

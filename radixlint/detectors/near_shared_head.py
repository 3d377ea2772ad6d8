"""Fixed text at the head of several prompts is alike but for a small difference, behind which nothing is shared any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from radixlint.detectors import FolderHit, Hit
from radixlint.detectors._head_groups import Head, HeadGroups, Near, distinct_heads, fixed_head
from radixlint.plural import counted
from radixlint.prompt import Confidence, Prompt, Segment, Span
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.value_words import shortened

_MOST_NAMED: Final = 5
_MOST_RELATED: Final = 16


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: tokens shared behind the difference, and ``skip``, dialects whose texts are no heads of prompts."""

    min_tokens: int
    skip: frozenset[str] = frozenset()


class _Side(Struct, frozen=True):
    """A head at the difference for which it is shown: the range of it, and what the other side of it has."""

    head: Head
    start: int
    end: int
    note: str


def find_across(prompts: Sequence[Prompt], params: Params, count: CountTokens) -> Iterator[FolderHit]:
    """Yield one hit for each group of heads that are alike, at the costliest difference, with the place of all others."""
    groups = HeadGroups(distinct_heads(prompts, params.skip), params.min_tokens, count).found()
    yield from sorted((_hit(found, prompts) for found in groups), key=lambda hit: hit.prompt)


def _hit(found: Sequence[Near], prompts: Sequence[Prompt]) -> FolderHit:
    """Return the hit of a group, at the prompt that loses most or is first; prompts with one version share it already."""
    near = min(found, key=lambda near: (-near.lost_tokens, near.other.prompts[0]))
    one, other, alignment = near.one, near.other, near.alignment
    index, place = _place(other.segments, alignment.start, alignment.other_end)
    heads = [found[0].one, *(n.other for n in found)]
    members = [number for head in heads for number in head.prompts]
    files = sorted({prompts[number].path for number in members})
    fields = {
        "tokens": counted(near.tokens, "token"),
        "total": counted(sum(n.lost_tokens for n in found), "token"),
        "prompts": counted(len(members), "prompt"),
        "versions": counted(len({head.text for head in heads}), "version"),
        "here": _shown(other.text[alignment.start : alignment.other_end]),
        "there": _shown(one.text[alignment.start : alignment.one_end]),
        "path": prompts[one.prompts[0]].path,
        "files": ", ".join(files[:_MOST_NAMED]) + (f" and {len(files) - _MOST_NAMED:,} more" if len(files) > _MOST_NAMED else ""),
    }
    # That a time would be an example where it stands says nothing of fixed text.
    segment = replace(other.segments[index], confidence=Confidence.HIGH, reason="")
    hit = Hit(index, segment, place, near.tokens, fields, _related(near, found, prompts), is_value=False)
    return FolderHit(other.prompts[0], hit)


def _related(near: Near, found: Sequence[Near], prompts: Sequence[Prompt]) -> tuple[Related, ...]:
    """Return the place of the difference in each other prompt of a group, that of ``near.one`` first, up to a limit."""
    sides = list(_sides(near, found, prompts))
    shown = [(number, side) for side in sides[1:] for number in side.head.prompts if number != near.other.prompts[0]]
    first = sides[0].head.prompts
    shown = [(number, sides[0]) for number in first] + sorted(shown, key=lambda one: one[0])
    related = []
    for number, side in shown[:_MOST_RELATED]:
        _, place = _place(fixed_head(prompts[number]), side.start, side.end)
        note = "the other prompt has this here" if number == first[0] else side.note
        related.append(Related(place, note))
    more = len(shown) - len(related)
    if more:
        related[-1] = Related(related[-1].span, f"{related[-1].message}; {counted(more, 'more prompt')} of the group not shown")
    return tuple(related)


def _sides(near: Near, found: Sequence[Near], prompts: Sequence[Prompt]) -> Iterator[_Side]:
    """Yield each head of a group once, at the difference that parts it from the others, that of ``near.one`` first."""

    def one_side(of: Near) -> _Side:
        note = f"this prompt has {_shown(of.one.text[of.alignment.start : of.alignment.one_end])} here"
        return _Side(of.one, of.alignment.start, of.alignment.one_end, note)

    yield one_side(near)
    if found[0].one is not near.one:
        yield one_side(found[0])
    for of in found:
        if of.other is not near.one:
            here, there = of.other.text[of.alignment.start : of.alignment.other_end], prompts[of.one.prompts[0]].path
            note = f"this prompt has {_shown(here)} here, ahead of {counted(of.tokens, 'token')} that {there} has too"
            yield _Side(of.other, of.alignment.start, of.alignment.other_end, note)


def _shown(text: str) -> str:
    if text.strip():
        return f"`{shortened(text)}`"
    kinds = (("line break", "\n"), ("tab", "\t"), ("space", " "))
    found = [counted(text.count(mark), noun) for noun, mark in kinds if mark in text]
    return " and ".join(found) or ("other white space" if text else "nothing")


def _place(segments: Sequence[Segment], start: int, end: int) -> tuple[int, Span]:
    """Return the segment that holds character ``start`` of a head, and the span of ``start`` to ``end`` within it."""
    at = 0
    for index, segment in enumerate(segments):
        if start < at + len(segment.text) or index == len(segments) - 1:
            first = min(start - at, max(len(segment.text) - 1, 0))
            last = max(first + 1, min(end - at, len(segment.text)))
            return index, Span(segment.span.path, *_source_place(segment, first), *_source_place(segment, last))
        at += len(segment.text)
    raise AssertionError("a head that has a difference has text")


def _source_place(segment: Segment, index: int) -> tuple[int, int]:
    if segment.offsets:
        return segment.offsets[index] if index < len(segment.offsets) else (segment.span.end_line, segment.span.end_column)
    before = segment.text[:index]
    lines = before.count("\n")
    column = len(before) - before.rfind("\n") if lines else segment.span.column + len(before)
    return segment.span.line + lines, column

"""Fixed text at the head of several prompts is alike but for a small difference, behind which nothing is shared any more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from radixlint.detectors import FolderHit, Hit
from radixlint.detectors._head_alignment import Alignment, align
from radixlint.late_pattern import late_pattern
from radixlint.plural import counted
from radixlint.prompt import Lifetime, Prompt, Segment, Span
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.value_words import shortened

# A stretch that is shared behind a difference holds whole sentences or lines; rare ones lead to the other prompt.
_SENTENCE: Final = late_pattern(r"[^\n.!?:]+")
_MIN_LETTERS: Final = 16
_MOST_TRIED: Final = 3
_MOST_NAMED: Final = 5


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: tokens shared behind the difference, and ``skip``, dialects whose texts are no heads of prompts."""

    min_tokens: int
    skip: frozenset[str] = frozenset()


class _Head(Struct, frozen=True):
    """The fixed text in front of the first value or tag of ``prompts``, all equal in it; ``segments`` are the first one's."""

    text: str
    segments: tuple[Segment, ...]
    prompts: list[int]


class _Near(Struct, frozen=True):
    """Two heads that are nearly shared, ``one`` the more common; ``tokens`` are equal behind their first difference."""

    one: _Head
    other: _Head
    alignment: Alignment
    tokens: int


def find_across(prompts: Sequence[Prompt], params: Params, count: CountTokens) -> Iterator[FolderHit]:
    """Yield one hit for each group of heads that are alike, at the first difference from the most common one of the group."""
    groups: dict[int, list[_Near]] = {}
    for leader, near in _near_heads(_distinct_heads(prompts, params.skip), params.min_tokens, count):
        groups.setdefault(leader, []).append(near)
    hits = [_hit(found, prompts) for found in groups.values()]
    yield from sorted(hits, key=lambda hit: hit.prompt)


def _distinct_heads(prompts: Sequence[Prompt], skip: frozenset[str]) -> list[_Head]:
    """Return the heads that differ, those of most prompts first: what few have otherwise is what should change."""
    found: dict[str, _Head] = {}
    for number, prompt in enumerate(prompts):
        if prompt.dialect in skip or prompt.chat_template is not None:
            continue
        segments: list[Segment] = []
        for segment in prompt.segments:
            if not segment.is_literal or segment.controls or segment.lifetime is not Lifetime.STATIC:
                break
            segments.append(segment)
        text = "".join(segment.text for segment in segments)
        found.setdefault(text, _Head(text, tuple(segments), [])).prompts.append(number)
    return sorted(found.values(), key=lambda head: (-len(head.prompts), head.prompts[0]))


def _near_heads(heads: Sequence[_Head], min_tokens: int, count: CountTokens) -> Iterator[tuple[int, _Near]]:
    """Yield each head that is nearly shared with one ahead of it in the list, with the number of its group's first head."""
    holders: dict[str, int] = {}
    leaders = list(range(len(heads)))
    for number, head in enumerate(heads):
        votes: dict[int, int] = defaultdict(int)
        for sentence in {match[0].strip() for match in _SENTENCE.finditer(head.text)}:
            if len(sentence) >= _MIN_LETTERS and (holder := holders.setdefault(sentence, number)) != number:
                for voted in {holder, leaders[holder]}:
                    votes[voted] += len(sentence)
        for tried in sorted(votes, key=lambda other: (-votes[other], other))[:_MOST_TRIED]:
            alignment = align(heads[tried].text, head.text)
            if alignment is not None and (tokens := count(alignment.shared)) >= min_tokens:
                leaders[number] = leaders[tried]
                yield leaders[tried], _Near(heads[tried], head, alignment, tokens)
                break


def _hit(found: Sequence[_Near], prompts: Sequence[Prompt]) -> FolderHit:
    """Return the hit of a group, at the first prompt that is to change; prompts with one version share it already."""
    near = min(found, key=lambda near: near.other.prompts[0])
    one, other, alignment = near.one, near.other, near.alignment
    index, place = _place(other, alignment.start, alignment.other_end)
    _, first = _place(one, alignment.start, alignment.one_end)
    members = [number for head in (found[0].one, *(n.other for n in found)) for number in head.prompts]
    files = sorted({prompts[number].path for number in members})
    fields = {
        "tokens": counted(near.tokens, "token"),
        "total": counted(sum(n.tokens for n in found), "token"),
        "prompts": counted(len(members), "prompt"),
        "versions": counted(len(found) + 1, "version"),
        "here": _shown(other.text[alignment.start : alignment.other_end]),
        "there": _shown(one.text[alignment.start : alignment.one_end]),
        "path": prompts[one.prompts[0]].path,
        "files": ", ".join(files[:_MOST_NAMED]) + (f" and {len(files) - _MOST_NAMED:,} more" if len(files) > _MOST_NAMED else ""),
    }
    related = (Related(first, "the other prompt has this here"),)
    hit = Hit(index, other.segments[index], place, near.tokens, fields, related, is_value=False)
    return FolderHit(other.prompts[0], hit)


def _shown(text: str) -> str:
    if text.strip():
        return f"`{shortened(text)}`"
    kinds = (("line break", "\n"), ("tab", "\t"), ("space", " "))
    found = [counted(text.count(mark), noun) for noun, mark in kinds if mark in text]
    return " and ".join(found) or ("other white space" if text else "nothing")


def _place(head: _Head, start: int, end: int) -> tuple[int, Span]:
    """Return the segment that holds character ``start`` of the head, and the span of ``start`` to ``end`` within it."""
    at = 0
    for index, segment in enumerate(head.segments):
        if start < at + len(segment.text) or index == len(head.segments) - 1:
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

"""Fixed text at the head of several prompts is alike but for a small difference, behind which nothing is shared any more."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from radixlint.detectors import FolderHit, Hit
from radixlint.detectors._head_alignment import Alignment, align
from radixlint.prompt import Lifetime, Prompt, Segment, Span
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.value_words import shortened

# A stretch that is shared behind a difference holds whole sentences or lines; rare ones lead to the other prompt.
_SENTENCE: Final = re.compile(r"[^\n.!?:]+")
_MIN_LETTERS: Final = 16
_MOST_TRIED: Final = 3
_MOST_NAMED: Final = 5


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: tokens shared behind the difference, and ``skip``, dialects whose texts are no heads of prompts."""

    min_tokens: int
    skip: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Head:
    """The fixed text in front of a prompt's first value or tag: the text, the segments it is made of, the prompt's index."""

    prompt: int
    text: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class _Near:
    """Two heads, by number, that are nearly shared, the earlier first."""

    one: int
    other: int
    alignment: Alignment


def find_across(prompts: Sequence[Prompt], params: Params, count: CountTokens) -> Iterator[FolderHit]:
    """Yield one hit for each group of heads that are alike, at the first difference in the second one of the group."""
    heads = _distinct_heads(prompts, params.skip)
    groups: dict[int, list[_Near]] = {}
    leader = list(range(len(heads)))
    for near in _near_heads(heads, params.min_tokens, count):
        leader[near.other] = leader[near.one]
        groups.setdefault(leader[near.one], []).append(near)
    for found in groups.values():
        yield _hit(heads, found, prompts, count)


def _distinct_heads(prompts: Sequence[Prompt], skip: frozenset[str]) -> list[_Head]:
    """Return the heads that differ, each with its first prompt; equal ones are shared already."""
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
        found.setdefault(text, _Head(number, text, tuple(segments)))
    return list(found.values())


def _near_heads(heads: Sequence[_Head], min_tokens: int, count: CountTokens) -> Iterator[_Near]:
    """Yield for each head an earlier one that it shares much with behind a small difference, if there is one."""
    first: dict[str, int] = {}
    for number, head in enumerate(heads):
        votes: dict[int, int] = defaultdict(int)
        for match in _SENTENCE.finditer(head.text):
            sentence = match[0].strip()
            if len(sentence) >= _MIN_LETTERS:
                votes[first.setdefault(sentence, number)] += len(sentence)
        votes.pop(number, None)
        tried = sorted(votes, key=lambda other: (-votes[other], other))[:_MOST_TRIED]
        pairs = ((other, align(heads[other].text, head.text)) for other in tried)
        near = (_Near(other, number, found) for other, found in pairs if found and count(found.shared) >= min_tokens)
        if (best := next(near, None)) is not None:
            yield best


def _hit(heads: Sequence[_Head], found: Sequence[_Near], prompts: Sequence[Prompt], count: CountTokens) -> FolderHit:
    near = found[0]
    one, other, alignment = heads[near.one], heads[near.other], near.alignment
    index, place = _place(other, alignment.start, alignment.other_end)
    _, first = _place(one, alignment.start, alignment.one_end)
    lost = count(alignment.shared)
    files = sorted({prompts[heads[n.other].prompt].path for n in found} | {prompts[one.prompt].path})
    fields = {
        "tokens": f"{lost:,}",
        "prompts": f"{len(found) + 1:,}",
        "here": _shown(other.text[alignment.start : alignment.other_end]),
        "there": _shown(one.text[alignment.start : alignment.one_end]),
        "path": prompts[one.prompt].path,
        "files": ", ".join(files[:_MOST_NAMED]) + (" and more" if len(files) > _MOST_NAMED else ""),
    }
    related = (Related(first, "the other prompt has this here"),)
    return FolderHit(other.prompt, Hit(index, other.segments[index], place, lost, fields, related, is_value=False))


def _shown(text: str) -> str:
    return f"`{shortened(text)}`" if text.strip() else "white space" if text else "nothing"


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

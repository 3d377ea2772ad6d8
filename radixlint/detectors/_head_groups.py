"""Group fixed heads of prompts that are nearly shared, and tell what each shares with the heads ahead of it."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from radixlint.detectors._head_alignment import Alignment, align, shared_length
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Lifetime, Prompt, Segment
from radixlint.stake import CountTokens

# A stretch that is shared behind a difference holds whole sentences or lines; those of several heads lead to the others.
_SENTENCE: Final = late_pattern(r"[^\n.!?:]+")
_MIN_LETTERS: Final = 16
_MOST_TRIED: Final = 3
_MOST_ALIKE: Final = 3
_MOST_FAMILIES: Final = 16


class Head(Struct, frozen=True):
    """The fixed text in front of the first value or tag of ``prompts``, all equal in it and sent to one model.

    ``model`` is None where the file names none. ``segments`` are the first prompt's.
    """

    text: str
    model: str | None
    segments: tuple[Segment, ...]
    prompts: list[int]


class Near(Struct, frozen=True):
    """Two heads that are nearly shared, ``one`` the more common; ``tokens`` are equal behind their first difference.

    ``lost_tokens`` of them are kept for ``other`` alone: what it shares with a third head of the group is kept once.
    """

    one: Head
    other: Head
    alignment: Alignment
    tokens: int
    lost_tokens: int


def fixed_head(prompt: Prompt) -> tuple[Segment, ...]:
    """Return the segments ahead of the first that is no fixed text, or that a condition or loop may leave out."""
    segments = prompt.segments
    ends = (
        index
        for index, segment in enumerate(segments)
        if not segment.is_literal or segment.controls or segment.lifetime is not Lifetime.STATIC
    )
    return segments[: next(ends, len(segments))]


def distinct_heads(prompts: Sequence[Prompt], skip: frozenset[str]) -> list[Head]:
    """Return the heads that differ, those of most prompts first: what few have otherwise is what should change."""
    found: dict[tuple[str, str | None], Head] = {}
    for number, prompt in enumerate(prompts):
        if prompt.dialect in skip or prompt.chat_template is not None:
            continue
        segments = fixed_head(prompt)
        text = "".join(segment.text for segment in segments)
        model = prompt.request.model if prompt.request is not None else None
        found.setdefault((text, model), Head(text, model, segments, [])).prompts.append(number)
    return sorted(found.values(), key=lambda head: (-len(head.prompts), head.prompts[0]))


class _Family(Struct):
    """Heads that hold the same ``sentences``, of those that several heads hold; ``members`` are a few that differ much."""

    sentences: frozenset[str]
    members: list[int]


class HeadGroups:
    """The groups of ``heads``: each head joins the one ahead of it with which it shares most, if that is enough."""

    def __init__(self, heads: Sequence[Head], min_tokens: int, count: CountTokens) -> None:
        self.heads = heads
        self.min_tokens = min_tokens
        self.count = count
        self._families: dict[frozenset[str], _Family] = {}
        self._by_sentence: dict[str, list[_Family]] = defaultdict(list)

    def found(self) -> list[list[Near]]:
        """Return the groups, each as the heads that joined it, in the order of ``heads``."""
        groups: dict[int, list[Near]] = {}
        leaders: dict[int, int] = {}
        texts: dict[int, list[str]] = {}
        for number, sentences in enumerate(_common_sentences(self.heads)):
            joined = self._joined(number, sentences) if sentences else None
            leader = number if joined is None else leaders[joined[0]]
            leaders[number] = leader
            known = texts.setdefault(leader, [])
            if joined is not None:
                groups.setdefault(leader, []).append(self._near(number, *joined, known))
            insort(known, self.heads[number].text)
        return list(groups.values())

    def _joined(self, number: int, sentences: frozenset[str]) -> tuple[int, Alignment, int] | None:
        """Return the head that this one joins, how they agree, and the tokens behind their difference."""
        head, found = self.heads[number], list[tuple[int, int, int, Alignment]]()
        for letters, other in self._candidates(head, sentences):
            # What is left shares less than what was found, or too little: no token has less than a letter.
            if len(found) >= _MOST_TRIED or letters < self.min_tokens or any(-size >= letters for size, *_ in found):
                break
            alignment = align(self.heads[other].text, head.text)
            if alignment is not None:
                size = alignment.start + len(alignment.shared(head.text))
                found.append((-size, -alignment.start, other, alignment))
        letters = sum(map(len, sentences))
        for size, _, other, alignment in sorted(found, key=lambda one: one[:3]):
            tokens = self.count(alignment.shared(head.text))
            if tokens >= self.min_tokens:
                self._keep(number, sentences, other if -size >= letters else None)
                return other, alignment, tokens
        self._keep(number, sentences, None)
        return None

    def _candidates(self, head: Head, sentences: frozenset[str]) -> list[tuple[int, int]]:
        """Return heads ahead of this one with the letters of the sentences that both hold, the most first."""
        near = {id(family): family for sentence in sentences for family in self._by_sentence[sentence]}
        found = [
            (sum(map(len, sentences & family.sentences)), other)
            for family in near.values()
            for other in family.members
            if None in (head.model, self.heads[other].model) or head.model == self.heads[other].model
        ]
        return sorted(found, key=lambda one: (-one[0], one[1]))

    def _keep(self, number: int, sentences: frozenset[str], alike: int | None) -> None:
        """Note a head for those behind it, unless one that is ``alike``, with all that others share, is known already."""
        family = self._families.get(sentences)
        if family is None:
            family = self._families[sentences] = _Family(sentences, [])
            for sentence in sentences:
                if len(self._by_sentence[sentence]) < _MOST_FAMILIES:
                    self._by_sentence[sentence].append(family)
        if alike not in family.members and len(family.members) < _MOST_ALIKE:
            family.members.append(number)

    def _near(self, number: int, joined: int, alignment: Alignment, tokens: int, known: Sequence[str]) -> Near:
        other = self.heads[number]
        shared = _shared_start(other.text, known)
        lost = tokens if shared <= alignment.other_end else self.count(alignment.shared(other.text, shared))
        return Near(self.heads[joined], other, alignment, tokens, lost)


def _common_sentences(heads: Sequence[Head]) -> Iterator[frozenset[str]]:
    """Yield for each head the sentences in it that another holds too."""
    held = [{text for match in _SENTENCE.finditer(head.text) if len(text := match[0].strip()) >= _MIN_LETTERS} for head in heads]
    times = Counter(sentence for sentences in held for sentence in sentences)
    for sentences in held:
        yield frozenset(sentence for sentence in sentences if times[sentence] > 1)


def _shared_start(text: str, known: Sequence[str]) -> int:
    """Return how much of the start of ``text`` the nearest of some sorted texts has too."""
    at = bisect_left(known, text)
    return max((shared_length(text, other) for other in known[max(0, at - 1) : at + 1]), default=0)

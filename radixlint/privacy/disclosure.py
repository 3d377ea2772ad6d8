"""Show what many conversations have in common; give the shape of everything else."""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from radixlint.plural import counted
from radixlint.privacy.conversations import Crowd
from radixlint.privacy.crowd_search import CrowdSearch, Passage, passage_at
from radixlint.privacy.secret_masks import MASK, mask_secrets, name_masks
from radixlint.privacy.shapes import is_plain_text, shape_of
from radixlint.result.measurement import Show

_UNIT: Final = re.compile(r"\s*\S+|\s+")
_SHORTEST_RUN_CHARACTERS: Final = 12
_MARGIN_CHARACTERS: Final = 4_096
_MOST_SHAPES: Final = 4
_GAP_CHARACTERS: Final = 64
_PLACE_CHARACTERS: Final = 40

Span = tuple[int, int]


class Shown(Struct, frozen=True):
    """What a report prints of ``source``, and the ``spans`` of ``source`` (in code points) that stand in it as they are."""

    text: str
    source: str = ""
    spans: tuple[Span, ...] = ()


class Disclosure:
    """Decides what of a log's text is shown.

    What is shown of one text must stand as a whole in enough conversations: common words do not make a common sentence.

    Args:
        show: the mode.
        crowd: who is behind each request.
        text_of: the laid-out text of a request, by position.
        count_tokens: the length of a text in tokens.
    """

    def __init__(self, show: Show, crowd: Crowd, text_of: Callable[[int], str], count_tokens: Callable[[str], int]) -> None:
        self.show = show
        self.search = CrowdSearch(crowd, text_of)
        self._log_requests = len(crowd.conversations)
        self._text_of = text_of
        self._count_tokens = count_tokens

    def window(
        self, text: str, start: int, end: int, *, near: Sequence[int] = (), values: int | None = None, size: int = 80
    ) -> str:
        """Return the text of ``shown``."""
        return self.shown(text, start, end, near=near, values=values, size=size).text

    def shown(
        self,
        text: str,
        start: int,
        end: int,
        *,
        near: Sequence[int] = (),
        values: int | None = None,
        size: int = 80,
        beside: Sequence[Shown] = (),
    ) -> Shown:
        """Return ``text[start:end]`` as it may be shown, at most ``size`` characters.

        ``near`` are positions of requests that probably hold the same text; ``values`` goes into the first shape.
        ``beside`` is what is printed next to it, of texts that equal this one up to ``end`` at least: the words here
        must be common together with those there.
        """
        end = _whole_words(text, start, end)
        first = max(0, start - _MARGIN_CHARACTERS)
        masked = mask_secrets(text[first : end + _MARGIN_CHARACTERS])[start - first : end - first]
        if self.show is Show.HASH:
            return Shown(self._hashed(text[start:end]))
        if self.show is Show.TEXT:
            return Shown(_cut(name_masks(masked), size))
        part = text[start:end]
        units = [m.span() for m in _UNIT.finditer(part)]
        runs = self._together(text, self._runs(text, start, masked, units, near), near, beside)
        bare = [(s - start, e - start) for s, e in runs]
        return Shown(_cut(self._written(part, masked, units, bare, values), size), text, tuple(runs))

    def shape(self, text: str, values: int | None = None) -> str:
        """Return the shape of ``text``, for text that may not be shown however common it is; its hash in that mode."""
        if self.show is Show.HASH:
            return self._hashed(text)
        return self._shapes(text.strip(), [m.group() for m in _UNIT.finditer(text.strip())], values)

    def is_common(self, text: str, near: Sequence[int] = ()) -> bool:
        """Whether ``text`` occurs in enough conversations and, where users are known, in enough users' conversations."""
        return self.search.is_common((Passage(text),), near)

    def _hashed(self, text: str) -> str:
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=self._key, digest_size=16).hexdigest()
        return f"<hash {digest[:12]}, {counted(self._count_tokens(text), 'token')}>" if text else ""

    @functools.cached_property
    def _key(self) -> bytes:
        """A key that only who has the whole log can work out, so that hashes of guessed texts meet none of ours."""
        whole = hashlib.sha256()
        for position in range(self._log_requests):
            whole.update(hashlib.sha256(self._text_of(position).encode("utf-8", "surrogatepass")).digest())
        return whole.digest()

    def _runs(self, text: str, start: int, masked: str, units: Sequence[Span], near: Sequence[int]) -> list[Span]:
        """Return the stretches of ``text`` (whose ``units`` from ``start`` on are looked at) that are common.

        Each is common for itself and as long as it can be.
        """
        runs: list[Span] = []
        at = 0
        while at < len(units):
            count = self._longest_run(text, start, masked, units[at:], near)
            if count:
                runs.append((start + units[at][0], start + units[at + count - 1][1]))
            at += max(count, 1)
        return runs

    def _together(self, text: str, runs: list[Span], near: Sequence[int], beside: Sequence[Shown]) -> list[Span]:
        """Return those of ``runs`` that are common as a whole, with what stands beside them; longest first if not all."""

        def is_shown(spans: list[Span]) -> bool:
            sides = [(text, spans), *((side.source, [*spans, *side.spans]) for side in beside if side.spans)]
            return all(self.search.is_common(_passages(source, joined), near) for source, joined in sides)

        if not runs or is_shown(runs):
            return runs
        chosen: list[Span] = []
        for run in sorted(runs, key=lambda span: (span[0] - span[1], span)):
            together = sorted([*chosen, run])
            if is_shown(together):
                chosen = together
        return chosen

    def _longest_run(self, text: str, start: int, masked: str, units: Sequence[Span], near: Sequence[int]) -> int:
        """Return how many units from the first make the longest common text, 0 if too few do."""
        first = units[0][0]
        begin = start + first
        least = next((n for n, (_, e) in enumerate(units, 1) if e - first >= _SHORTEST_RUN_CHARACTERS), None)
        if least is None:
            # A few common letters behind private text say nothing. Alone they may be all that is shared, but a short word
            # is common by chance: it must be so at this place, behind the words that stand in front of it here.
            if first:
                return 0
            least, begin = len(units), _place_start(text, start)

        def is_shown(count: int) -> bool:
            end = units[count - 1][1]
            return MASK not in masked[first:end] and self.search.is_common((passage_at(text, begin, start + end),), near)

        if not is_shown(least):
            return 0
        low, high = least, len(units)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if is_shown(middle) else (low, middle - 1)
        return low

    def _written(self, text: str, masked: str, units: Sequence[Span], runs: Sequence[Span], values: int | None) -> str:
        """Return the ``runs`` as they are and the shape of what stands between them."""
        out: list[str] = []
        hidden: list[Span] = []
        pending = list(runs)[::-1]
        for unit in units:
            if pending and unit[0] >= pending[-1][1]:
                pending.pop()
            if not pending or unit[0] < pending[-1][0]:
                hidden.append(unit)
                continue
            values = self._flush(out, hidden, text, masked, values)
            out.append(text[slice(*unit)])
        self._flush(out, hidden, text, masked, values)
        return "".join(out)

    def _flush(self, out: list[str], hidden: list[Span], text: str, masked: str, values: int | None) -> int | None:
        """Write the shape of the ``hidden`` stretch; return the values still to be told."""
        if not hidden:
            return values
        stretch = text[hidden[0][0] : hidden[-1][1]]
        has_mask = MASK in masked[hidden[0][0] : hidden[-1][1]]
        bare = stretch.strip()
        lead, tail = stretch[: len(stretch) - len(stretch.lstrip())], stretch[len(stretch.rstrip()) :]
        shape = "<secret>" if has_mask and len(hidden) == 1 else self._shapes(bare, [text[s:e] for s, e in hidden], values)
        out.append(f"{lead}{shape}{tail}" if bare else stretch)
        hidden.clear()
        return None

    def _shapes(self, whole: str, units: list[str], values: int | None) -> str:
        """Return the shape of a hidden stretch; times, dates and ids in private text are named, so that a clock is seen."""
        shape = shape_of(whole, self._count_tokens, values)
        if not is_plain_text(shape):
            return shape
        shapes: list[str] = []
        for is_text, group in itertools.groupby(units, lambda unit: is_plain_text(shape_of(unit, len))):
            words = list(group)
            told = values if not shapes else None
            if is_text:
                shapes.append(shape_of("".join(words), self._count_tokens, told))
            else:
                shapes.extend(shape_of(word, self._count_tokens, told) for word in words)
        return " ".join(shapes) if len(shapes) <= _MOST_SHAPES else shape


def _passages(text: str, spans: Sequence[Span]) -> tuple[Passage, ...]:
    """Return the ``spans`` of ``text`` as passages; what is hidden between two may be longer elsewhere, within limits."""
    passages: list[Passage] = []
    end = None
    for start, stop in spans:
        if passages and start == end:
            passages[-1] = passage_at(text, end - len(passages[-1].text), stop, passages[-1].gap)
        else:
            passages.append(passage_at(text, start, stop, 0 if end is None else 4 * (start - end) + _GAP_CHARACTERS))
        end = stop
    return tuple(passages)


def _place_start(text: str, start: int) -> int:
    """Return where the line of ``start`` begins (or a word of it, in a long line), with the role mark in front of it."""
    line = text.rfind("\n", 0, start) + 1
    if start - line > _PLACE_CHARACTERS:
        space = text.find(" ", start - _PLACE_CHARACTERS, start)
        return start - _PLACE_CHARACTERS if space < 0 else space
    before = text.rfind("\n", 0, max(0, line - 1)) + 1
    return before if text.startswith("<|", before) else max(0, line - 1)


def _whole_words(text: str, start: int, end: int) -> int:
    """Return ``end`` moved back so that no word is cut, unless that would lose more than half of the window."""
    if end >= len(text) or text[end].isspace():
        return min(end, len(text))
    space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    return space if space - start > (end - start) // 2 else end


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1] + "…"

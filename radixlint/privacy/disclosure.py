"""Show what many conversations have in common; give the shape of everything else."""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Final

from radixlint.privacy.conversations import Crowd
from radixlint.privacy.secret_masks import MASK, mask_secrets, name_masks
from radixlint.privacy.shapes import is_plain_text, shape_of

ENOUGH: Final = 5
"""Conversations (and users, where known) that a text must occur in before it is shown."""

_UNIT: Final = re.compile(r"\s*\S+|\s+")
_SHORTEST_RUN_CHARACTERS: Final = 12
_MARGIN_CHARACTERS: Final = 4_096
_MOST_SHAPES: Final = 4
_SAMPLE_CONVERSATIONS: Final = 256
_SAMPLE_CHARACTERS: Final = 2_000_000


class Show(StrEnum):
    """How much text a report may hold."""

    SHARED = "shared"
    """Text that occurs in at least five conversations; the shape of the rest."""
    TEXT = "text"
    """All text, secrets masked."""
    HASH = "hash"
    """No text: a hash and a length in its place."""


class Disclosure:
    """Decides what of a log's text is shown.

    Whether a text occurs often enough is looked up in the texts given as ``near`` and in a fixed sample of the
    conversations; what is not found there counts as private, so the bound on the work errs on the safe side.

    Args:
        show: the mode.
        crowd: who is behind each request.
        text_of: the laid-out text of a request, by position.
        count_tokens: the length of a text in tokens.
    """

    def __init__(self, show: Show, crowd: Crowd, text_of: Callable[[int], str], count_tokens: Callable[[str], int]) -> None:
        self.show = show
        self._crowd = crowd
        self._text_of = text_of
        self._count_tokens = count_tokens
        self._known: dict[str, bool] = {}

    def window(
        self, text: str, start: int, end: int, *, near: Sequence[int] = (), values: int | None = None, size: int = 80
    ) -> str:
        """Return ``text[start:end]`` as it may be shown, at most ``size`` characters.

        ``near`` are positions of requests that probably hold the same text; ``values`` goes into the first shape.
        """
        end = _whole_words(text, start, end)
        first = max(0, start - _MARGIN_CHARACTERS)
        masked = mask_secrets(text[first : end + _MARGIN_CHARACTERS])[start - first : end - first]
        if self.show is Show.HASH:
            return self._hashed(text[start:end])
        if self.show is Show.TEXT:
            return _cut(name_masks(masked), size)
        return _cut(self._shared_runs(text[start:end], masked, near, values), size)

    def is_common(self, text: str, near: Sequence[int] = ()) -> bool:
        """Whether ``text`` occurs in enough conversations and, where users are known, in enough users' conversations."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._is_found(text, near)
        return known

    def _hashed(self, text: str) -> str:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"<sha256 {digest[:12]}, {self._count_tokens(text)} tokens>" if text else ""

    def _shared_runs(self, text: str, masked: str, near: Sequence[int], values: int | None) -> str:
        units = [m.span() for m in _UNIT.finditer(text)]
        out: list[str] = []
        hidden: list[tuple[int, int]] = []
        at = 0
        while at < len(units):
            count = self._longest_run(text, masked, units[at:], near)
            if not count:
                hidden.append(units[at])
                at += 1
                continue
            values = self._flush(out, hidden, text, masked, values)
            out.append(text[units[at][0] : units[at + count - 1][1]])
            at += count
        self._flush(out, hidden, text, masked, values)
        return "".join(out)

    def _longest_run(self, text: str, masked: str, units: list[tuple[int, int]], near: Sequence[int]) -> int:
        """Return how many units from the first make the longest common text, 0 if too few do."""
        start = units[0][0]
        least = next((n for n, (_, e) in enumerate(units, 1) if e - start >= _SHORTEST_RUN_CHARACTERS), None)
        if least is None:
            # A few common letters behind private text say nothing; alone they may be all that is shared.
            if start:
                return 0
            least = len(units)

        def is_shown(count: int) -> bool:
            end = units[count - 1][1]
            return MASK not in masked[start:end] and self.is_common(text[start:end], near)

        if not is_shown(least):
            return 0
        low, high = least, len(units)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if is_shown(middle) else (low, middle - 1)
        return low

    def _flush(self, out: list[str], hidden: list[tuple[int, int]], text: str, masked: str, values: int | None) -> int | None:
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

    def _is_found(self, text: str, near: Sequence[int]) -> bool:
        conversations: set[int] = set()
        users: set[int | None] = set()
        for position in _each_once(near, self._sample):
            conversation = self._crowd.conversations[position]
            user = self._crowd.users[position]
            if conversation in conversations and (not self._crowd.has_users or user in users):
                continue
            if text in self._text_of(position):
                conversations.add(conversation)
                users.add(user)
                if len(conversations) >= ENOUGH and (not self._crowd.has_users or len(users) >= ENOUGH):
                    return True
        return False

    @functools.cached_property
    def _sample(self) -> tuple[int, ...]:
        """Positions of one request of each sampled conversation (its last, which holds the longest history)."""
        last: dict[int, int] = {c: i for i, c in enumerate(self._crowd.conversations)}
        positions = sorted(last.values())
        step = max(1, -(-len(positions) // _SAMPLE_CONVERSATIONS))
        sample: list[int] = []
        room = _SAMPLE_CHARACTERS
        for position in positions[::step]:
            room -= len(self._text_of(position))
            if room < 0 and len(sample) >= 4 * ENOUGH:
                break
            sample.append(position)
        return tuple(sample)


def _each_once(*groups: Iterable[int]) -> Iterable[int]:
    return dict.fromkeys(position for group in groups for position in group)


def _whole_words(text: str, start: int, end: int) -> int:
    """Return ``end`` moved back so that no word is cut, unless that would lose more than half of the window."""
    if end >= len(text) or text[end].isspace():
        return min(end, len(text))
    space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    return space if space - start > (end - start) // 2 else end


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1] + "…"

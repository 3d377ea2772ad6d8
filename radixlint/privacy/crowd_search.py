"""Whether passages stand, together and in their order, in the texts of enough conversations and users."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from radixlint.privacy.conversations import ENOUGH, Crowd

_SAMPLE_CONVERSATIONS: Final = 256
_SAMPLE_CHARACTERS: Final = 2_000_000
_MOST_REPRESENTATIVES: Final = 32
_MOST_OCCURRENCES: Final = 256


class Passage(Struct, frozen=True):
    """A text, and how many code points at most may stand between the passage before it and this one (0: none).

    ``starts_word`` and ``ends_word`` say that no letter or digit may stand directly in front of it or behind it.
    """

    text: str
    gap: int = 0
    starts_word: bool = False
    ends_word: bool = False


def passage_at(text: str, start: int, end: int, gap: int = 0) -> Passage:
    """Return ``text[start:end]`` as a passage that starts and ends a word where it does so in ``text``.

    >>> passage_at("will you", 0, 4)
    Passage(text='will', gap=0, starts_word=True, ends_word=True)
    """
    return Passage(text[start:end], gap, _is_border(text, start), _is_border(text, end))


class CrowdSearch:
    """Looks passages up in the texts of a log.

    Whether they occur often enough is looked up in the texts given as ``near`` and in a fixed sample of the
    conversations; what is not found there counts as private, so the bound on the work errs on the safe side.

    Args:
        crowd: who is behind each request.
        text_of: the laid-out text of a request, by position.
    """

    def __init__(self, crowd: Crowd, text_of: Callable[[int], str]) -> None:
        self._crowd = crowd
        self._text_of = text_of
        self._known: dict[tuple[Passage, ...], bool] = {}

    def is_common(self, passages: tuple[Passage, ...], near: Sequence[int] = ()) -> bool:
        """Whether enough conversations and, where users are known, enough users' conversations hold all ``passages``.

        They must follow one another in the text, each within its gap behind the one before.
        """
        known = self._known.get(passages)
        if known is None:
            positions = dict.fromkeys(position for group in (near, self._sample) for position in group)
            known = self._known[passages] = self.is_enough(positions, lambda p: holds(self._text_of(p), passages))
        return known

    def is_enough(self, positions: Iterable[int], is_counted: Callable[[int], bool] = lambda _: True) -> bool:
        """Whether the requests at ``positions`` that count belong to enough conversations and users."""
        return self._count(positions, is_counted, ENOUGH)[1]

    def representatives(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return at most 32 of ``positions``, of as many different conversations and users as there are."""
        return self._count(positions, lambda _: True, _MOST_REPRESENTATIVES)[0]

    def _count(self, positions: Iterable[int], is_counted: Callable[[int], bool], wanted: int) -> tuple[tuple[int, ...], bool]:
        """Return those that brought a new conversation or user, and whether ``wanted`` of both were found."""
        conversations: set[int] = set()
        users: set[int] = set()
        news: list[int] = []
        for position in positions:
            conversation, user = self._crowd.conversations[position], self._crowd.users[position]
            is_new_user = user is not None and user not in users
            if conversation in conversations and not is_new_user:
                continue
            if not is_counted(position):
                continue
            conversations.add(conversation)
            if user is not None:
                users.add(user)
            news.append(position)
            if len(conversations) >= wanted and (not self._crowd.has_users or len(users) >= wanted):
                return tuple(news), True
        return tuple(news), False

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


def holds(text: str, passages: Sequence[Passage]) -> bool:
    """Whether ``text`` holds all ``passages`` in order, each at most its gap behind the one before.

    Only the first 256 places of each passage are tried; what is missed counts as not held.

    >>> holds("one two three", (Passage("one"), Passage("three", 5)))
    True
    >>> holds("one two three", (Passage("one"), Passage("three", 4)))
    False
    """
    for passage in passages:  # no generator: most texts are left here
        if passage.text not in text:
            return False
    ends: list[int] = []
    for number, passage in enumerate(passages):
        starts = _occurrences(text, passage, ends[0] if ends else 0)
        if number:
            starts = [start for start in starts if start - ends[bisect_right(ends, start) - 1] <= passage.gap]
        ends = [start + len(passage.text) for start in starts]
        if not ends:
            return False
    return True


def _occurrences(text: str, passage: Passage, start: int) -> list[int]:
    found: list[int] = []
    at = text.find(passage.text, start)
    tries = _MOST_OCCURRENCES
    while at >= 0 and tries:
        tries -= 1
        is_start = not passage.starts_word or _is_border(text, at)
        if is_start and (not passage.ends_word or _is_border(text, at + len(passage.text))):
            found.append(at)
        at = text.find(passage.text, at + 1)
    return found


def _is_border(text: str, at: int) -> bool:
    """Whether no word goes on across ``at``."""
    return not (0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum())

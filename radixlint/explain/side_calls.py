"""Whether a request is a side call: it looks at a conversation from under another prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.pieces import TOOL_ROLE, Item
from radixlint.traffic import Message

_HEAD_ROLES: Final = (TOOL_ROLE, "system", "developer")
_MOST_SHARED_HEAD_RATE: Final = 0.1
_LEAST_KNOWN_RATE: Final = 0.5
_MOST_CHARACTERS: Final = 100_000
_MOST_THEIR_CHARACTERS: Final = 1_000_000
_RUN_WORDS: Final = 4
# Scripts that put no blanks between words are read by the character.
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+")


def is_side_call(mine: Sequence[Item], theirs: Sequence[Item]) -> bool:
    """Whether a request is a summary, title or sub-agent call beside an earlier one of its conversation.

    Its head (tools and instructions) shares less than a tenth with the other's and begins otherwise, while at least half of
    the words behind it stand in the other, in runs of four. Only the first 100,000 code points are looked at, and a million
    of the other.
    """
    head, other_head = _head(mine), _head(theirs)
    if not (head or other_head) or _share_heads(head, other_head):
        return False
    body, other_body = mine[len(head) :], theirs[len(other_head) :]
    words = list(_words(body, _MOST_CHARACTERS))
    runs = {tuple(words[at : at + _RUN_WORDS]) for at in range(len(words) - _RUN_WORDS + 1)}
    if not runs:
        return False
    others = list(_words(other_body, _MOST_THEIR_CHARACTERS))
    found = {run for at in range(len(others) - _RUN_WORDS + 1) if (run := tuple(others[at : at + _RUN_WORDS])) in runs}
    return _covered(words, found) >= len(words) * _LEAST_KNOWN_RATE


def _head(items: Sequence[Item]) -> Sequence[Item]:
    """Return the tools and instructions in front of the first other message."""
    return items[: next((at for at, item in enumerate(items) if item.role not in _HEAD_ROLES), len(items))]


def _share_heads(head: Sequence[Item], other_head: Sequence[Item]) -> bool:
    """Whether two heads begin alike, or the other holds a tenth of the first one's tokens."""
    keys = {piece.key for item in other_head for piece in item.pieces}
    pieces = [piece for item in head for piece in item.pieces]
    if not pieces or not keys:
        return not pieces and not keys
    shared = sum(piece.tokens for piece in pieces if piece.key in keys)
    return pieces[0].key in keys or shared >= sum(piece.tokens for piece in pieces) * _MOST_SHARED_HEAD_RATE


def _words(items: Sequence[Item], most: int) -> Iterator[str]:
    """Yield the words of messages and of the calls in them, up to ``most`` code points."""
    for item in items:
        source = item.source
        calls = source.tool_calls if isinstance(source, Message) else ()
        for text in (item.text, *(call.arguments for call in calls)):
            yield from _WORD.findall(text[:most])
            most -= len(text)
            if most <= 0:
                return


def _covered(words: Sequence[str], found: set[tuple[str, ...]]) -> int:
    """Return how many words lie in a run that was found."""
    count, end = 0, 0
    for at in range(len(words) - _RUN_WORDS + 1):
        if tuple(words[at : at + _RUN_WORDS]) in found:
            count += at + _RUN_WORDS - max(at, end)
            end = at + _RUN_WORDS
    return count

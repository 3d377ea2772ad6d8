"""Where sent messages go on in a known history: as a plain search finds it, in time that grows as the number of messages."""

from __future__ import annotations

import random
from collections.abc import Sequence

from radixlint.rewrites.whole_histories import _aligned


class CountedKey(int):
    """A number that counts how often such numbers are compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        CountedKey.compared += 1
        return int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


def plain_search(whole: Sequence[int], sent: Sequence[int]) -> tuple[bool, int, int]:
    """Return what ``_aligned`` does, by comparing at every place."""
    best = (False, 0, 0)
    for at in range(len(whole)):
        length = 0
        while length < min(len(sent), len(whole) - at) and whole[at + length] == sent[length]:
            length += 1
        is_to_end = length == len(whole) - at
        if length and (at == 0 or length > 1 or (is_to_end and len(sent) > 1)):
            best = max(best, (is_to_end, length, -at))
    return best


def test_finds_what_a_plain_search_finds() -> None:
    """Of 3,000 random histories of few different messages the same place is found as by comparing everywhere."""
    draw = random.Random(4)
    for _ in range(3_000):
        whole, sent = (draw.choices(range(draw.randint(1, 3)), k=draw.randint(0, 12)) for _ in range(2))

        assert _aligned(whole, sent) == plain_search(whole, sent), (whole, sent)


def test_messages_that_are_all_alike_are_compared_a_few_times_each() -> None:
    """A thousand equal messages with another at the end take at most eight comparisons a message, not a thousand."""
    messages = 1_000
    whole = [CountedKey(0)] * messages + [CountedKey(1)]
    sent = [CountedKey(0)] * (messages + 2)
    CountedKey.compared = 0

    assert _aligned(whole, sent) == (False, messages, 0)
    assert CountedKey.compared <= 8 * (len(whole) + len(sent))

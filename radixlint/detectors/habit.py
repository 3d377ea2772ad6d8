"""A program changes messages that were sent before, or sets cache marks to no effect."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit
from radixlint.detectors._habit_events import find_habits
from radixlint.prompt import Habit, Prompt
from radixlint.stake import CountTokens


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``habits`` that it is about."""

    habits: frozenset[Habit]


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each such habit at its place."""
    return find_habits(prompt, params.habits)

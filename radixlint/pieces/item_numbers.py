"""Equal items by one number: counted by first appearance, many occurrences at a time."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from radixlint.pieces.item import TOOL_ROLE
from radixlint.pieces.seen_numbers import SeenNumbers
from radixlint.traffic import Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROMPT_ROLE: Final = "prompt"
"""The role of a prompt that is known as rendered text alone."""


class ItemNumbers:
    """Numbers the items of a log, whose objects must live as long as this.

    Attributes:
        sources: the tool, the rendered prompt or the message of each number.
    """

    def __init__(self) -> None:
        self.sources: list[str | Message] = []
        self._is_prompt = bytearray()
        self._by_identity, self._by_value = SeenNumbers(), SeenNumbers()

    def numbers(self, roles: Sequence[str], sources: Sequence[str | Message]) -> array[int]:
        """Return the numbers of items that occur, of each its role and its source."""
        import numpy as np

        # Equal messages are mostly one object, whose text need not be hashed again. A short prompt and a tool may be one
        # object too, but are never one item.
        pairs = zip(roles, sources, strict=True)
        identities = np.fromiter((id(source) | (role == PROMPT_ROLE) for role, source in pairs), np.int64, len(roles))
        found = self._by_identity.find(identities)
        new = np.flatnonzero(found < 0)
        if len(new):
            unique, firsts, places = np.unique(identities[new], return_index=True, return_inverse=True)
            order = np.argsort(firsts)
            at = new[firsts[order]].tolist()
            numbers = np.empty(len(unique), np.int64)
            numbers[order] = self._by_values([(roles[i], sources[i]) for i in at])
            found[new] = numbers[places]
            self._by_identity.add(unique, numbers)
        return array("I", found.astype(np.uint32).tobytes())

    def role(self, number: int) -> str:
        """Return the role of an item."""
        source = self.sources[number]
        if isinstance(source, Message):
            return source.role
        return PROMPT_ROLE if self._is_prompt[number] else TOOL_ROLE

    def forget(self) -> None:
        """Let go of what finds numbers again: all that there are, are given."""
        self._by_identity, self._by_value = SeenNumbers(), SeenNumbers()

    def _by_values(self, items: Sequence[tuple[str, str | Message]]) -> NDArray[np.int64]:
        """Return the numbers of items whose objects were not met before."""
        import numpy as np

        hashes = np.fromiter((hash(item if isinstance(item[1], str) else item[1]) for item in items), np.int64, len(items))
        found = self._by_value.find(hashes)
        fresh: dict[int, int] = {}
        for i, (role, source) in enumerate(items):
            digest, number = int(hashes[i]), int(found[i])
            if number < 0:
                number = fresh.setdefault(digest, len(self.sources))
            if number == len(self.sources) or (self.role(number), self.sources[number]) != (role, source):
                number = len(self.sources)
                self.sources.append(source)
                self._is_prompt.append(role == PROMPT_ROLE)
            found[i] = number
        self._by_value.add(np.fromiter(fresh, np.int64, len(fresh)), np.fromiter(fresh.values(), np.int64, len(fresh)))
        return found

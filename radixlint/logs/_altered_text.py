"""What of a record reads otherwise than it was written: repeated keys, and halves of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.logs._record_json import has_repeated_keys
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

_REPEATED_KEYS: Final = "Records with a repeated key were read with its last value"
MAX_REPEAT_CHECKS: Final = 100
_HALF_CHARACTERS: Final = "Records with half of a character (a lone surrogate) were tokenized with U+FFFD in its place"
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def note_repeated_keys(line: bytes, checks_left: int, tally: Tally) -> int:
    """Note if an object in ``line`` has a key twice; return how many more lines may be checked, which is slow."""
    # Counting is cheap and rules out nearly all lines.
    if not checks_left or line.count(b'"messages"') < 2:
        return checks_left
    if has_repeated_keys(line):
        tally.note(_REPEATED_KEYS)
    return checks_left - 1


def note_half_characters(requests: Sequence[Request], tally: Tally) -> None:
    """Note if a text of ``requests`` holds half of a character."""
    if any(_HALF_CHARACTER.search(text) for request in requests for text in _texts(request)):
        tally.note(_HALF_CHARACTERS)


def _texts(request: Request) -> Iterator[str]:
    yield from request.tools
    yield request.rendered or ""
    for message in request.messages:
        yield message.text
        yield from (call.arguments for call in message.tool_calls)

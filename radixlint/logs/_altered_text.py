"""What of a record reads otherwise than it was written: repeated keys, and halves of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.logs._record_json import WRAPPERS, Record, has_repeated_keys
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

_REPEATED_KEYS: Final = "Records with a repeated key were read with its last value"
MAX_REPEAT_CHECKS: Final = 100
# Quotes, colon and comma with spaces around them.
_BYTES_A_KEY: Final = 8
_HALF_CHARACTERS: Final = "Records with half of a character (a lone surrogate) were tokenized with U+FFFD in its place"
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def note_repeated_keys(line: bytes, record: Record, checks_left: int, tally: Tally) -> int:
    """Note if an object in ``line`` has a key twice; return how many more lines may be checked, which is slow.

    ``record`` are its fields: if they are shorter than the line, a field was dropped because a later one has its key. What
    is wrapped in one of them is checked if it may have several lists of messages.
    """
    if not checks_left:
        return 0
    if WRAPPERS.isdisjoint(record):
        dropped = len(line) - len(b"".join(record.values())) - sum(map(len, record)) - _BYTES_A_KEY * len(record)
        is_whole = dropped < _BYTES_A_KEY
    else:
        is_whole = line.count(b'"messages"') < 2
    if is_whole:
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

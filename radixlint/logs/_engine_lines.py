"""What the text logs of the engines have in common: colours, and the prefixes of other programs."""

from __future__ import annotations

import re
from typing import Final

REQUEST_SWITCHES: Final = {
    "sglang": "--log-requests --log-requests-level 3",
    "vllm": "--enable-log-requests and VLLM_LOGGING_LEVEL=DEBUG, without --max-log-len",
}
"""What has an engine log its requests with their prompts."""

_COLOUR: Final = re.compile(rb"\x1b\[[0-9;]*m")


def without_colours(line: bytes) -> bytes:
    """Return ``line`` without terminal colours, which engines print when they think that somebody watches."""
    return _COLOUR.sub(b"", line) if b"\x1b" in line else line


def find_number(pattern: re.Pattern[bytes], line: bytes) -> int | None:
    """Return the number that the first group of ``pattern`` finds in ``line``, thousands separators allowed."""
    found = pattern.search(line)
    return int(found[1].replace(b",", b"")) if found else None

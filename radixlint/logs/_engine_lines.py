"""What the text logs of the engines have in common: colours, and the prefixes of other programs."""

from __future__ import annotations

import re
from typing import Final

from radixlint.logs._tally import Tally

REQUEST_SWITCHES: Final = {
    "sglang": "--log-requests --log-requests-level 3",
    "vllm": "--enable-log-requests and VLLM_LOGGING_LEVEL=DEBUG, without --max-log-len",
}
"""What has an engine log its requests with their prompts."""

COUNT: Final = rb"(\d{1,15})(?!\.?\d)"
"""A whole number as a group of a pattern; one of more digits is damage, not a count."""
DECIMAL: Final = rb"(\d{1,15}(?:\.\d{1,15})?)(?!\.?\d)"
"""A number with or without decimals as a group of a pattern, and nothing with two dots in it."""

_OVER_ONE: Final = "Rates over 100 % in statistics lines are none and were dropped"
_COLOUR: Final = re.compile(rb"\x1b\[[0-9;]*m")


def without_colours(line: bytes) -> bytes:
    """Return ``line`` without terminal colours, which engines print when they think that somebody watches."""
    return _COLOUR.sub(b"", line) if b"\x1b" in line else line


def find_number(pattern: re.Pattern[bytes], line: bytes) -> int | None:
    """Return the number that the first group of ``pattern`` finds in ``line``, thousands separators allowed."""
    found = pattern.search(line)
    return int(found[1].replace(b",", b"")) if found else None


def find_rate(pattern: re.Pattern[bytes], line: bytes, whole: float, tally: Tally) -> float | None:
    """Return the number that the first group of ``pattern`` finds in ``line`` as a part of ``whole``, 0..1; None without one."""
    found = pattern.search(line)
    rate = None if found is None else round(float(found[1]) / whole, 6)
    if rate is not None and rate > 1:
        tally.note(_OVER_ONE)
        return None
    return rate

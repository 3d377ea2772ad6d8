"""How many blocks are open at each line of a template: loops, conditions, macros, and whatever else a tag opens and closes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from radixlint.late_pattern import late_pattern

_TAGS: Final = late_pattern(
    r"\{#.*?#\}|\{\{!--.*?--\}\}"
    r"|\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}"
    r"|\{%[-+]?\s*(?P<tag>\w+)(?P<rest>.*?)[-+]?%\}"
    r"|\{\{[-~]?\s*(?P<mustache>[#^/])\s*\w"
    r"|\{\{-?\s*(?P<go>if|range|with|define|block|end)\b[^}]*\}\}",
    re.DOTALL,
)
_OPENERS: Final = frozenset({"for", "if", "macro", "call", "filter", "block", "with", "unless", "case", "capture"})
_INLINE: Final = late_pattern(
    r"\{%|\{#|\{\{[-~]|[-~]\}\}|\{\{\s*[#^/>!]|\{\{\s*(?:else|end|if|range|with|template|define|block)\b"
)


def tag_events(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and +1 or -1 for each tag that opens or closes a block; comments and raw text hold none."""
    closed = set(re.findall(r"\{%[-+]?\s*end(\w+)", text))
    for found in _TAGS.finditer(text):
        change = 0
        if found["tag"] is not None:
            change = _change(found["tag"], found["rest"], closed)
        elif found["mustache"] is not None:
            change = -1 if found["mustache"] == "/" else 1
        elif found["go"] is not None:
            change = -1 if found["go"] == "end" else 1
        if change:
            yield found.start(), found.end(), change


def _change(tag: str, rest: str, closed: set[str]) -> int:
    if tag.startswith("end") and tag != "end":
        return -1
    if tag == "set":
        return 1 if "=" not in rest and "set" in closed else 0
    return 1 if tag in _OPENERS or tag in closed else 0


def depths_at(text: str, offsets: Iterable[int]) -> list[int]:
    """Return how many blocks are open at each of ``offsets``, which rise."""
    events = tag_events(text)
    event, depth, depths = next(events, None), 0, list[int]()
    for offset in offsets:
        while event is not None and event[0] < offset:
            depth += event[2]
            event = next(events, None)
        depths.append(depth)
    return depths


def block_end(text: str, offset: int) -> int | None:
    """Return the end of the block whose opening tag starts at ``offset``; None if none does, or it is never closed."""
    depth = 0
    for start, end, change in tag_events(text):
        if start < offset or (depth == 0 and start != offset):
            continue
        depth += change
        if depth == 0:
            return end
    return None


def has_block_tag(line: str) -> bool:
    """Whether a line holds more than text and printed values: a block's tag, a comment, blanks trimmed by a tag."""
    return _INLINE.search(line) is not None

"""Find the prompts of a BAML file: functions and template strings, with their raw strings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, Passage
from radixlint.sources._tag_tree import checked_end

# What may hold braces and quotes that mean nothing: raw strings, strings, comments.
_SOLID = late_pattern(r"""(?P<comment>//[^\n]*)|(?P<open>\#+")|(?P<string>"(?:[^"\\\n]|\\.)*+")""")
_HEAD = late_pattern(
    r"^[ \t]*(?P<kind>function|template_string)\s+(?P<name>\w+)\s*(?:\((?P<parameters>[^)]*)\))?(?:\s*->[^{\n]*)?", re.MULTILINE
)
_PROMPT = late_pattern(r"\bprompt\s+$")
_PARAMETER = late_pattern(r"(\w+)\s*(?::|,|$)")


@dataclass(frozen=True, slots=True)
class Raw:
    """A raw string: the half-open ranges of all of it, and of its text."""

    start: int
    end: int
    text_start: int
    text_end: int


@dataclass(frozen=True, slots=True)
class Declared:
    """A function or template string: its name, its parameters, where it is declared, and its text without indentation."""

    kind: str
    name: str
    parameters: tuple[str, ...]
    start: int
    text: Passage


def declared_in(passage: Passage) -> list[Declared]:
    """Return the functions with a prompt and the template strings, in the order of the file.

    Raises:
        SourceError: a raw string is not closed.
    """
    raws, solids = _solids(passage)
    heads = [head for head in _HEAD.finditer(passage.text) if not _is_inside(head.start("kind"), solids)]
    found: list[Declared] = []
    at = 0
    for index, head in enumerate(heads):
        limit = heads[index + 1].start() if index + 1 < len(heads) else len(passage.text)
        is_function = head["kind"] == "function"
        while at < len(raws) and raws[at].start < limit:
            raw, at = raws[at], at + 1
            ahead = passage.text[max(head.end(), raw.start - 200) : raw.start]
            if raw.start >= head.end() and (not is_function or _PROMPT.search(ahead)):
                parameters = tuple(match[1] for match in _PARAMETER.finditer(head["parameters"] or "") if not match[1].isdigit())
                text = _without_indent(passage.ground, passage.text, raw)
                found.append(Declared(head["kind"], head["name"], parameters, head.start("kind"), text))
                break
    return found


def _solids(passage: Passage) -> tuple[list[Raw], list[tuple[int, int]]]:
    """Return the raw strings, and the ranges of all that is no code."""
    raws: list[Raw] = []
    ranges: list[tuple[int, int]] = []
    at = 0
    while (found := _SOLID.search(passage.text, at)) is not None:
        at = found.end()
        if found["open"] is not None:
            shut = '"' + "#" * (len(found["open"]) - 1)
            end = checked_end(passage, passage.text.find(shut, at), found.start(), shut)
            raws.append(Raw(found.start(), end + len(shut), at, end))
            at = end + len(shut)
        ranges.append((found.start(), at))
    return raws, ranges


def _is_inside(at: int, ranges: list[tuple[int, int]]) -> bool:
    index = bisect_right(ranges, at, key=lambda found: found[0]) - 1
    return index >= 0 and ranges[index][0] <= at < ranges[index][1]


def _without_indent(ground: Ground, text: str, raw: Raw) -> Passage:
    """Return a raw string's text as the model reads it: no blank edges, and no indentation that all lines share."""
    rows = list(_lines(text, raw))
    while rows and not text[rows[0][0] : rows[0][1]].strip():
        rows.pop(0)
    while rows and not text[rows[-1][0] : rows[-1][1]].strip():
        rows.pop()
    filled = [text[start:end] for start, end in rows if text[start:end].strip()]
    # The first line has none if it follows the opening quote.
    inner = filled[1:] if rows and rows[0][0] == raw.text_start and len(filled) > 1 else filled
    indent = min((len(line) - len(line.lstrip(" \t")) for line in inner), default=0)
    table: list[int] = []
    for start, end in rows:
        cut = start + min(indent, len(text[start:end]) - len(text[start:end].lstrip(" \t")))
        table.extend(range(cut, min(end + 1, raw.text_end)))
    if rows and table and text[table[-1]] == "\n":
        table.pop()
    kept = "".join(text[index] for index in table)
    return Passage(kept, ground, 0, [*table, table[-1] + 1 if table else raw.text_start])


def _lines(text: str, raw: Raw) -> Iterator[tuple[int, int]]:
    start = raw.text_start
    while start <= raw.text_end:
        end = text.find("\n", start, raw.text_end)
        end = raw.text_end if end < 0 else end
        yield start, end
        start = end + 1

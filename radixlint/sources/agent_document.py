"""Documents that agents read at each start (AGENTS.md, CLAUDE.md, skills): fixed text, but for what a program wrote in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import whole
from radixlint.prompt import Confidence, Prompt, Role, Segment, SourceText, Span
from radixlint.sources import Includes, SourceRead
from radixlint.sources._fences import fenced_lines

NAME = "agent-document"
_SKILL, _IMPORTING = "skill.md", frozenset(("claude.md", "claude.local.md", "gemini.md"))
_NAMES = _IMPORTING | {
    _SKILL,
    "agents.md",
    "agent.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
}
SUFFIXES = frozenset((".md", ".mdc", *(name for name in _NAMES if name.startswith("."))))
RANK = 30
_IMPORTS_DEEP_MAX, _RELATED_MAX = 5, 3

_INLINE_CODE = late_pattern(r"(`+)(?!`).+?(?<!`)\1(?!`)")
# Words by which a line says that a program wrote the time or id in it, or that it is about this moment.
_STAMP = late_pattern(
    r"(?i)\b(?:generated|updated|modified|refreshed|sync(?:ed|hronised)|exported|snapshot|as of|current(?:ly)?|now|today|"
    r"time ?stamp|local time|session|request|trace|run|conversation|correlation)\b"
    r"|^\W*(?:status|progress)\b[^\n]*[0-9]:[0-9]{2}:[0-9]{2}"
)
_LINE, _NOT_CODE = late_pattern(r"[^\n]+"), late_pattern(r"[^\0\n]+")
_CHECKOUT = late_pattern(
    r"^[ \t]*(?:On branch \S+$|Your branch is (?:ahead of|behind|up to date with) |HEAD detached at |"
    r"Changes not staged for commit:|"
    r"(?:Current|Git) branch:[ \t]*[\w/.-]+[ \t]*$)",
    re.MULTILINE,
)
_IMPORT = late_pattern(r"(?<!\S)@(?P<path>(?:~|\.{1,2})?/?[\w.-]+(?:/[\w.-]+)*\.\w+)(?![\w/@])")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the document as one prompt; None for another Markdown file.

    Raises:
        SourceError: the front matter of a skill does not parse.
    """
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    if name.lower() not in _NAMES and not name.lower().endswith(".mdc"):
        return None
    notes: list[str] = []
    if name.lower() == _SKILL:
        from radixlint.sources._skill_front_matter import skill_notes

        notes.extend(skill_notes(source))
    reader = _Reader(includes, notes)
    segments = tuple(reader.segments(source, (source.path,)))
    return SourceRead(NAME, (Prompt(source.path, name, NAME, segments, is_rendered=True),), tuple(dict.fromkeys(notes)))


class _Reader(Struct, frozen=True):
    """Reads a document and what it imports."""

    includes: Includes
    notes: list[str]

    def segments(self, source: SourceText, chain: tuple[str, ...]) -> Iterator[Segment]:
        """Yield the text in pieces: what may have been written in by a program, all other text, and what is imported."""
        passage, bare = whole(source), _without_code(source.text)
        imports = list(_IMPORT.finditer(bare)) if _basename(chain[0]) in _IMPORTING else []
        stamped = list(_stamped(bare))
        cuts = {0, len(bare), *(at for piece in stamped for at in piece), *(match.end() for match in imports)}
        opened = {match.end(): match for match in imports}
        for start, end in pairwise(sorted(cuts)):
            yield _piece(passage.literal(start, end), is_fixed=not any(a <= start and end <= b for a, b in stamped))
            if end in opened:
                match = opened[end]
                yield from self._imported(match["path"], passage.span(*match.span()), chain)
        for match in _CHECKOUT.finditer(bare) if len(chain) == 1 else ():
            line = passage.place(match.start())[0]
            self.notes.append(f"line {line}: the state of a git checkout is written here; it and all text behind it change")

    def _imported(self, name: str, span: Span, chain: tuple[str, ...]) -> Iterator[Segment]:
        where = f"line {span.line}" if len(chain) == 1 else f"{chain[-1]}:{span.line}"
        try:
            source = self.includes.open(name.removeprefix("./"), chain[-1])
        except SourceError as error:
            self.notes.append(f"{where}: {error.message}, read without it")
            return
        if source is None:
            self.notes.append(f"{where}: cannot open '{name}' (not found), read without it")
        elif source.path not in chain and len(chain) <= _IMPORTS_DEEP_MAX:
            # A document of its own is checked by itself.
            is_own = _basename(source.path) in _NAMES
            for segment in self.segments(source, (*chain, source.path)):
                yield _carried(_piece(segment, is_fixed=True) if is_own else segment, span)


def _basename(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower()


def _without_code(text: str) -> str:
    """Return ``text`` with NUL for each character of code; a file that holds NUL itself is never read."""
    lines = text.split("\n")
    fenced = fenced_lines(lines)
    return "\n".join(
        "\0" * len(line) if index in fenced else _INLINE_CODE.sub(lambda code: "\0" * len(code[0]), line)
        for index, line in enumerate(lines)
    )


def _stamped(bare: str) -> Iterator[tuple[int, int]]:
    for line in _LINE.finditer(bare):
        if _STAMP.search(line[0]):
            yield from (part.span() for part in _NOT_CODE.finditer(bare, *line.span()))


def _piece(segment: Segment, *, is_fixed: bool) -> Segment:
    segment = replace(segment, role=Role.SYSTEM)
    return replace(segment, confidence=Confidence.LOW, reason="nothing says that it was filled in") if is_fixed else segment


def _carried(segment: Segment, span: Span) -> Segment:
    places = ((span.line, span.column),) * len(segment.text)
    return replace(segment, span=span, related=(segment.span, *segment.related)[:_RELATED_MAX], offsets=places)

"""Suppression comments, read from the source text before it is parsed, so that they work in files that do not parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.errors import ConfigError
from radixlint.files.code_comments import HASH_COMMENTED, SLASH_COMMENTED, hash_comments, slash_comments, string_ahead
from radixlint.files.comment_starts import CLOSERS, ENCLOSED, LIQUID_END, TO_LINE_END
from radixlint.prompt import SourceText, Span
from radixlint.result.finding import Finding

_DIRECTIVE: Final = r"(?P<mark>radixlint:[ \t]*(?P<verb>ignore(?:-next|-file)?)\b(?![\w-])[ \t]*(?P<list>\[[^\]\n]*\]?)?)"
_ENCLOSED: Final = re.compile(ENCLOSED + _DIRECTIVE)
_TO_LINE_END: Final = re.compile(TO_LINE_END + _DIRECTIVE, re.MULTILINE)
_IN_COMMENT: Final = re.compile(r"(?P<opener>#+)[ \t]*" + _DIRECTIVE)
_IN_SLASHES: Final = re.compile(r"(?P<opener>//|/\*)[/*\s]*" + _DIRECTIVE)
# JSON has no line comments: there such a mark would be prompt text, which may come from strangers.
_NO_LINE_COMMENTS: Final = (".json",)

UNUSED_RULE: Final = "RL002"
"""The rule on comments that suppress nothing."""

Resolve = Callable[[str], frozenset[str]]
"""Turns one selector (code, name or prefix) into rule codes; raises ConfigError for an unknown one."""


class Directive(Struct, frozen=True):
    """One suppression: ``codes`` is None for all rules; lines from 1, both included; a file directive has no lines.

    ``span`` is where it is written, ``written`` its verb and list; ``next_line`` the line below a comment that stands alone
    for its own line only.
    """

    codes: frozenset[str] | None
    first_line: int | None
    last_line: int | None
    span: Span
    written: str = ""
    next_line: int | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether the finding starts or ends on a line of this directive, and its rule is meant."""
        # That a comment is of no use cannot be hidden by that comment.
        if finding.rule == UNUSED_RULE if self.codes is None else finding.rule not in self.codes:
            return False
        if self.first_line is None or self.last_line is None:
            return True
        return any(self.first_line <= line <= self.last_line for line in (finding.span.line, finding.span.end_line))

    def advice(self, findings: Iterable[Finding]) -> str:
        """Return what to write where it stands alone above a finding that it was meant for, empty if there is none."""
        below = replace(self, first_line=self.next_line, last_line=self.next_line)
        if self.next_line is None or not any(map(below.covers, findings)):
            return ""
        return f" on its own line; for line {self.next_line} write `{self.written.replace('ignore', 'ignore-next', 1)}`"


class Suppressions(Struct, frozen=True):
    """The directives of one file, and the places of what could not be understood, each with a half sentence."""

    directives: tuple[Directive, ...]
    mistakes: tuple[tuple[Span, str], ...]

    def covers(self, finding: Finding) -> bool:
        """Whether any directive suppresses the finding."""
        return any(directive.covers(finding) for directive in self.directives)

    def idle(self, findings: Sequence[Finding], run: AbstractSet[str], every: AbstractSet[str]) -> tuple[Directive, ...]:
        """Return the directives that suppress none of the file's ``findings``.

        Args:
            findings: all of the file, suppressed or not.
            run: codes of the rules that ran; a directive for a rule that did not is not judged.
            every: codes of all rules, which a directive without codes means.
        """
        judged = (d for d in self.directives if d.codes != frozenset() and (every if d.codes is None else d.codes) <= run)
        return tuple(directive for directive in judged if not any(map(directive.covers, findings)))


def read_suppressions(source: SourceText, resolve: Resolve, comment: tuple[str, str] | None = None) -> Suppressions:
    """Return the suppressions written in comments of ``source``.

    ``radixlint: ignore[RL201]`` covers the line or lines of its comment, and in Python a string over several lines that ends
    there; ``ignore-next[...]`` the next line that is neither blank nor a suppression itself, ``ignore-file[...]`` the file.
    Without a list all rules are meant. A list with an unknown code suppresses its known codes only. ``comment`` opens and
    closes a comment besides the usual ones.
    """
    if "radixlint:" not in source.text:
        return Suppressions((), ())
    lines = source.text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    directives: list[Directive] = []
    mistakes: list[tuple[Span, str]] = []
    for match in sorted(_matches(source, comment), key=lambda found: found.start("mark")):
        number = bisect_right(starts, match.start("mark"))
        column = match.start("mark") - starts[number - 1] + 1
        span = Span(source.path, number, column, number, column + len(match["mark"].rstrip()))
        first = bisect_right(starts, string_ahead(source, match.start()) if match["verb"] == "ignore" else match.start())
        last = bisect_right(starts, _comment_end(source.text, match, comment))
        codes, problems = _codes(match["list"], resolve)
        mistakes.extend((span, problem) for problem in problems)
        placed = _placed(
            Directive(codes, None, None, span, f"{match['verb']}{match['list'] or ''}"), match["verb"], first, last, lines
        )
        if not any(other.span == span for other in directives):
            directives.append(placed)
    return Suppressions(tuple(directives), tuple(dict.fromkeys(mistakes)))


def _matches(source: SourceText, comment: tuple[str, str] | None) -> Iterator[re.Match[str]]:
    if source.path.lower().endswith(HASH_COMMENTED):
        # In code a mark in a literal is text of a prompt.
        for start, end in hash_comments(source):
            yield from _IN_COMMENT.finditer(source.text, start, end)
        return
    if source.path.lower().endswith(SLASH_COMMENTED):
        for start, end in slash_comments(source):
            yield from _IN_SLASHES.finditer(source.text, start, end)
        return
    yield from _ENCLOSED.finditer(source.text)
    if comment is not None:
        yield from re.finditer(rf"(?P<opener>{re.escape(comment[0])})[-~]?\s*{_DIRECTIVE}", source.text)
    if not source.path.lower().endswith(_NO_LINE_COMMENTS):
        yield from _TO_LINE_END.finditer(source.text)


def _comment_end(text: str, match: re.Match[str], comment: tuple[str, str] | None) -> int:
    opener = match["opener"]
    if opener.startswith("{%"):
        end = LIQUID_END.search(text, match.end())
        return end.start() if end else match.end()
    closer = comment[1] if comment is not None and opener == comment[0] else CLOSERS.get(opener)
    end_at = -1 if closer is None else text.find(closer, match.end())
    return match.end() if end_at < 0 else end_at


def _codes(written: str | None, resolve: Resolve) -> tuple[frozenset[str] | None, tuple[str, ...]]:
    if written is None:
        return None, ()
    if not written.endswith("]"):
        return frozenset(), ("suppression without closing bracket, so nothing is suppressed",)
    codes: set[str] = set()
    problems: list[str] = []
    for word in filter(None, (part.strip() for part in written[1:-1].split(","))):
        try:
            codes |= resolve(word)
        except ConfigError as error:
            advice = f" ({error.hint})" if error.hint else ""
            problems.append(f"{error.message}{advice}")
    return frozenset(codes), tuple(problems)


def _placed(bare: Directive, verb: str, first: int, last: int, lines: list[str]) -> Directive:
    if verb == "ignore-file":
        return bare
    below = last + 1
    while below <= len(lines) and _is_passed_over(lines[below - 1]):
        below += 1
    if verb == "ignore":
        next_line = below if _is_passed_over(lines[first - 1]) else None
        return replace(bare, first_line=first, last_line=last, next_line=next_line)
    return replace(bare, first_line=below, last_line=below)


def _is_passed_over(line: str) -> bool:
    match = _ENCLOSED.match(line.strip()) or _TO_LINE_END.match(line.strip())
    return not line.strip() or match is not None

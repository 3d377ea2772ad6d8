"""Suppression comments, read from the source text before it is parsed, so that they work in files that do not parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from radixlint.errors import ConfigError
from radixlint.prompt import SourceText
from radixlint.result.finding import Finding

_CLOSERS: Final = {"{#": "#}", "{{!--": "--}}", "{{/*": "*/}}", "<!--": "-->"}
_DIRECTIVE: Final = r"-?[ \t]*radixlint:[ \t]*(?P<verb>ignore(?:-next|-file)?)\b(?![\w-])[ \t]*(?P<list>\[[^\]\n]*\]?)?"
_ENCLOSED: Final = re.compile(r"(?P<opener>\{#|\{\{!--|\{\{/\*|<!--)" + _DIRECTIVE)
# A line comment starts a line or follows white space: the # of an address or a colour is none.
_TO_LINE_END: Final = re.compile(r"(?:(?<=\s)|^)(?P<opener>#|//)" + _DIRECTIVE, re.MULTILINE)
# JSON has no line comments: there such a mark would be prompt text, which may come from strangers.
_NO_LINE_COMMENTS: Final = ".json"

Resolve = Callable[[str], frozenset[str]]
"""Turns one selector (code, name or prefix) into rule codes; raises ConfigError for an unknown one."""


@dataclass(frozen=True, slots=True)
class Directive:
    """One suppression: ``codes`` is None for all rules; lines from 1, both included; a file directive has no lines.

    ``place`` is where it is written, as path and line; ``written`` its verb and list; ``next_line`` the line below a
    comment that stands alone for its own line only.
    """

    codes: frozenset[str] | None
    first_line: int | None
    last_line: int | None
    place: str = ""
    written: str = ""
    next_line: int | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether the finding starts or ends on a line of this directive, and its rule is meant."""
        if self.codes is not None and finding.rule not in self.codes:
            return False
        if self.first_line is None or self.last_line is None:
            return True
        return any(self.first_line <= line <= self.last_line for line in (finding.span.line, finding.span.end_line))


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The directives of one file, and a sentence for each that could not be understood."""

    directives: tuple[Directive, ...]
    notes: tuple[str, ...]

    def covers(self, finding: Finding) -> bool:
        """Whether any directive suppresses the finding."""
        return any(directive.covers(finding) for directive in self.directives)

    def idle_notes(self, findings: Sequence[Finding], run: AbstractSet[str]) -> tuple[str, ...]:
        """Return a sentence for each directive that suppresses none of the file's ``findings``.

        Args:
            findings: all of the file, suppressed or not.
            run: codes of the rules that ran; a directive for a rule that did not is not judged.
        """
        notes: list[str] = []
        for directive in self.directives:
            is_judged = directive.codes is not None and bool(directive.codes) and directive.codes <= run
            if (is_judged or directive.codes is None) and not any(map(directive.covers, findings)):
                notes.append(f"{directive.place}: `{directive.written}` suppresses nothing{_advice(directive, findings)}")
        return tuple(notes)


def _advice(directive: Directive, findings: Iterable[Finding]) -> str:
    below = replace(directive, first_line=directive.next_line, last_line=directive.next_line)
    if directive.next_line is None or not any(map(below.covers, findings)):
        return ""
    return f" on its own line; for line {directive.next_line} write `{directive.written.replace('ignore', 'ignore-next', 1)}`"


def read_suppressions(source: SourceText, resolve: Resolve) -> Suppressions:
    """Return the suppressions written in comments of ``source``.

    ``radixlint: ignore[RL201]`` covers the line or lines of its comment, ``ignore-next[...]`` the next line that is
    neither blank nor a suppression itself, ``ignore-file[...]`` the file. Without a list all rules are meant. A list
    with an unknown code suppresses its known codes only.
    """
    if "radixlint:" not in source.text:
        return Suppressions((), ())
    lines = source.text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    directives: list[Directive] = []
    notes: list[str] = []
    for match in sorted(_matches(source), key=lambda found: found.start()):
        first = bisect_right(starts, match.start())
        last = bisect_right(starts, _comment_end(source.text, match))
        codes, problems = _codes(match["list"], resolve)
        notes.extend(f"{source.path}:{first}: {problem}" for problem in problems)
        placed = _placed(match["verb"], codes, first, last, lines)
        written = f"{match['verb']}{match['list'] or ''}"
        directives.append(replace(placed, place=f"{source.path}:{first}", written=written))
    return Suppressions(tuple(directives), tuple(notes))


def _matches(source: SourceText) -> Iterator[re.Match[str]]:
    yield from _ENCLOSED.finditer(source.text)
    if not source.path.lower().endswith(_NO_LINE_COMMENTS):
        yield from _TO_LINE_END.finditer(source.text)


def _comment_end(text: str, match: re.Match[str]) -> int:
    closer = _CLOSERS.get(match["opener"])
    if closer is None:
        return match.end()
    end = text.find(closer, match.end())
    return match.end() if end < 0 else end


def _codes(written: str | None, resolve: Resolve) -> tuple[frozenset[str] | None, tuple[str, ...]]:
    if written is None:
        return None, ()
    if not written.endswith("]"):
        return frozenset(), ("suppression without closing bracket: nothing is suppressed",)
    codes: set[str] = set()
    problems: list[str] = []
    for word in filter(None, (part.strip() for part in written[1:-1].split(","))):
        try:
            codes |= resolve(word)
        except ConfigError as error:
            advice = f" ({error.hint})" if error.hint else ""
            problems.append(f"in a suppression: {error.message}{advice}")
    return frozenset(codes), tuple(problems)


def _placed(verb: str, codes: frozenset[str] | None, first: int, last: int, lines: list[str]) -> Directive:
    if verb == "ignore-file":
        return Directive(codes, None, None)
    below = last + 1
    while below <= len(lines) and _is_passed_over(lines[below - 1]):
        below += 1
    if verb == "ignore":
        return Directive(codes, first, last, next_line=below if _is_passed_over(lines[first - 1]) else None)
    return Directive(codes, below, below)


def _is_passed_over(line: str) -> bool:
    match = _ENCLOSED.match(line.strip()) or _TO_LINE_END.match(line.strip())
    return not line.strip() or match is not None

"""Which finding of a file as it was read a finding of a later pass is: by rule and words, for lines move between passes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from radixlint.api.file_findings import FileFindings
from radixlint.prompt import Span
from radixlint.result.finding import Finding

Shown = Callable[[Sequence[Finding]], Sequence[Finding]]
"""Picks of some findings those that the user is told of."""

Key = tuple[str, Span]


class FixOrigins:
    """The findings of one file as it was read, and which of them may be fixed: those that were told.

    Where all were told, what only shows once others are repaired may be fixed too.
    """

    def __init__(self, file: FileFindings, shown: Shown) -> None:
        self._first = _open(file)
        self._told = {_key(finding) for finding in shown(self._first)}
        self._words = {_key(finding): _words_of(file, finding) for finding in self._first}
        self._done: set[Key] = set()

    def of(self, file: FileFindings) -> dict[Key, Finding]:
        """Return for the findings of a pass, by rule and place, those that they were at first; new ones are left out.

        Of several with the same words the first is the first that was not repaired.
        """
        left: dict[tuple[str, str], list[Finding]] = defaultdict(list)
        for origin in self._first:
            if _key(origin) not in self._done:
                left[self._words[_key(origin)]].append(origin)
        found: dict[Key, Finding] = {}
        for finding in _open(file):
            same = left[_words_of(file, finding)]
            if same and _key(finding) not in found:
                found[_key(finding)] = same.pop(0)
        return found

    def is_wanted(self, origin: Finding | None) -> bool:
        """Whether what was ``origin``, None for what was not there at first, may be fixed."""
        if origin is not None:
            return _key(origin) in self._told
        return len(self._told) == len(self._words)

    def set_done(self, origins: Iterable[Finding]) -> None:
        """Take note of what was repaired: no later finding is one of these."""
        self._done.update(map(_key, origins))


def _open(file: FileFindings) -> list[Finding]:
    """Return the findings that no comment suppresses, by place."""
    return sorted((f for f in file.findings if not file.suppressions.covers(f)), key=_by_place)


def _by_place(finding: Finding) -> tuple[Span, str]:
    return finding.span, finding.rule


def _key(finding: Finding) -> Key:
    return finding.rule, finding.span


def _words_of(file: FileFindings, finding: Finding) -> tuple[str, str]:
    """Return the rule, and what stands at the place, as far as its line goes."""
    span = finding.span
    lines = file.source.text.split("\n") if file.source is not None else []
    line = lines[span.line - 1] if 0 < span.line <= len(lines) else ""
    return finding.rule, line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else None]

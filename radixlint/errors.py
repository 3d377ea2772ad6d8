"""The exception family: what went wrong, where, and what to do; the console boundary prints it and picks the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

_MOST_TOLD: Final = 20


class RadixlintError(Exception):
    """A problem the user can act on; ends the run with exit code 2 unless a caller turns it into a finding.

    Args:
        message: what is wrong, in one line, without the place.
        where: the place as shown to the user, for example ``chat.j2:3:7`` or ``pyproject.toml``; None if there is none.
        hint: what to do about it, in one line; None if nothing useful can be said.

    ``others`` are more mistakes of the same input, found in the same go; each is told on a line of its own.
    """

    others: tuple[RadixlintError, ...] = ()

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return self._line(self.hint)

    def _line(self, hint: str | None) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" ({hint})" if hint else ""
        return f"{place}{self.message}{advice}"

    def lines(self) -> list[str]:
        """Return what to print: a line for this mistake and for each of the others up to twenty, the same hint once."""
        every = (self, *self.others)
        hints: set[str | None] = set()
        told: list[str] = []
        for one in every[:_MOST_TOLD]:
            told.append(one._line(None if one.hint in hints else one.hint))
            hints.add(one.hint)
        return [*told, f"and {len(every) - len(told):,} more mistakes"] if len(every) > len(told) else told


Problem = TypeVar("Problem", bound=RadixlintError)


def all_in_one(problems: Sequence[Problem]) -> Problem:
    """Return the first of several mistakes (at least one), with the others, and theirs."""
    first, *rest = problems
    others: list[RadixlintError] = list(first.others)
    for problem in rest:
        others += [problem, *problem.others]
    first.others = tuple(others)
    return first


class ConfigError(RadixlintError):
    """A setting, flag value, rule code or config file is wrong."""


class SourceError(RadixlintError):
    """A prompt file does not parse; becomes finding RL001.

    Args:
        line: line of the fault, from 1.
        column: column of the fault in code points, from 1.
    """

    def __init__(
        self, message: str, *, line: int = 1, column: int = 1, where: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.line = line
        self.column = column


class MissingReaderError(RadixlintError):
    """Files of a format need packages that are not installed; a run over folders leaves them out and says so once.

    Args:
        words: the languages of the files.
        extra: the extra of radixlint that brings the packages.
    """

    def __init__(self, words: str, extra: str) -> None:
        super().__init__(f"not checked, as their parsers are missing: {words}", hint=f"pip install 'radixlint[{extra}]'")


class LogError(RadixlintError):
    """A log cannot be opened or holds no readable record."""


class LayoutError(RadixlintError):
    """One request cannot be laid out; it is left out, and counted by the message, which is short and stable."""


class RuleError(RadixlintError):
    """A rule file is malformed."""


class TokenizerError(RadixlintError):
    """A vocabulary is unknown, missing or damaged."""


class DataError(RadixlintError):
    """A provider, model, GPU or workload description is unknown or malformed."""

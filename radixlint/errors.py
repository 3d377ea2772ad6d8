"""The exception family: what went wrong, where, and what to do; the console boundary prints it and picks the exit code."""

from __future__ import annotations


class RadixlintError(Exception):
    """A problem the user can act on; ends the run with exit code 2 unless a caller turns it into a finding.

    Args:
        message: what is wrong, in one line, without the place.
        where: the place as shown to the user, for example ``chat.j2:3:7`` or ``pyproject.toml``; None if there is none.
        hint: what to do about it, in one line; None if nothing useful can be said.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.message}{advice}"


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
        words: what the files are, as the start of a sentence.
        extra: the extra of radixlint that brings the packages.
    """

    def __init__(self, words: str, extra: str) -> None:
        super().__init__(f"{words} files were not checked", hint=f"pip install 'radixlint[{extra}]'")


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

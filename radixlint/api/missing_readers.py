"""Files whose reader is not installed: left out and told once with their number, or findings if the user asks for RL001."""

from __future__ import annotations

from radixlint.api.file_findings import FileChecker, FileFindings
from radixlint.errors import MissingReaderError, SourceError
from radixlint.files.suppression import Suppressions
from radixlint.lint import PARSE_RULE, parse_failure
from radixlint.prompt import SourceText
from radixlint.result.finding import Skipped


def left_out(error: MissingReaderError, source: SourceText, checker: FileChecker) -> FileFindings | Skipped:
    """Return that a file is left out; a finding where ``RL001`` itself is selected by code."""
    options = checker.options
    selected = (*options.select, *options.extend_select, *options.settings.select, *options.settings.extend_select)
    if PARSE_RULE not in selected:
        return Skipped(source.path, f"{error.message}: {error.hint}", is_counted=True)
    failure = parse_failure(SourceError(error.message, hint=error.hint), source, checker.every)
    return FileFindings(source.path, (failure,), Suppressions((), ()))

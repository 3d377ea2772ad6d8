"""Check an example of a rule as ``check`` would check its file: in memory, with its settings and the files beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from radixlint.api.check_options import CheckOptions, with_sizes
from radixlint.api.checking import CheckedFiles, report_of, with_folder_rules
from radixlint.api.file_findings import FileChecker, FileFindings
from radixlint.config import settings_of
from radixlint.errors import RuleError
from radixlint.files.file_reading import ReadFile, decode
from radixlint.files.text_includes import TextIncludes
from radixlint.result.finding import Finding
from radixlint.result.rule import Rule, RuleExample

MAIN = "example"
"""The name of an example's own file."""


def example_findings(example: RuleExample, rules: Sequence[Rule]) -> tuple[Finding, ...]:
    """Return what ``rules`` find in an example and the files beside it, less what its comments suppress.

    Raises:
        RuleError: no reader takes the example for a prompt.
        ConfigError: its settings are wrong.
    """
    main = f"{MAIN}.{example.kind}"
    texts = {**dict(example.files), main: example.text}
    settings = settings_of(example.config, f"{example.name}: config")
    options = CheckOptions((), settings, Path.cwd())
    sized = with_sizes(rules, settings)
    checker = FileChecker(options, sized, sized, TextIncludes(texts))
    files: list[FileFindings] = []
    for path, text in sorted(texts.items()):
        read = decode(text.encode("utf-8", "replace"), path)
        found = checker.check(read, False) if isinstance(read, ReadFile) else read
        if isinstance(found, FileFindings):
            files.append(found)
        elif path == main:
            raise RuleError(f"no prompt is seen in a file .{example.kind}", where=f"example {example.name}")
    return report_of(CheckedFiles(tuple(with_folder_rules(files, checker)), (), checker)).findings


def example_place(finding: Finding) -> str:
    """Return where a finding stands, as rule files write it: ``line:column``, with the name of another file ahead of it."""
    where = f"{finding.span.line}:{finding.span.column}"
    return where if finding.span.path.startswith(f"{MAIN}.") else f"{finding.span.path}:{where}"

"""Check one file: read its prompts, classify and lint them, and read the comments that suppress findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from msgspec import Struct

from radixlint.api.check_options import CheckOptions
from radixlint.api.file_settings import FileSettings
from radixlint.api.housekeeping import unknown, unresolved
from radixlint.api.same_faults import told_once, without_covered
from radixlint.catalog import select_rules
from radixlint.errors import SourceError
from radixlint.files.file_reading import ReadFile
from radixlint.files.request_log import IS_LOG, is_request_log
from radixlint.files.suppression import Suppressions, read_suppressions
from radixlint.lint import PARSE_RULE, classified, lint_prompt, notes_on, parse_failure
from radixlint.prompt import Prompt, SourceText
from radixlint.result.finding import Finding, Skipped
from radixlint.result.rule import Rule
from radixlint.sources import Includes, SourceRead, read_prompts, syntax_fault, unknown_kind
from radixlint.tokenizers import open_tokenizer

_LOG_HEAD_CHARS = 65_536
_CODE = (".py", ".ipynb", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")


class FileFindings(Struct, frozen=True):
    """What one file gave: its findings before comments suppress any, its prompts (classified), its comments, and notes.

    ``source`` is its text, None if it does not parse.
    """

    path: str
    findings: tuple[Finding, ...]
    suppressions: Suppressions
    prompts: tuple[Prompt, ...] = ()
    notes: tuple[str, ...] = ()
    source: SourceText | None = None


class _Run(Struct, frozen=True):
    """The rules that run on files of which the settings ignore the same: in order, and by code."""

    rules: tuple[Rule, ...]
    by_code: dict[str, Rule]


@dataclass(slots=True)
class FileChecker:
    """Checks files one by one with ``rules``; ``every`` is the whole catalogue, which suppressions may name."""

    options: CheckOptions
    every: tuple[Rule, ...]
    rules: tuple[Rule, ...]
    includes: Includes
    count: Callable[[str], int] = field(init=False)
    per_file: FileSettings = field(init=False)
    codes: frozenset[str] = field(init=False)
    runs: dict[frozenset[str], _Run] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.count = _lazy_count(self.options.settings.tokenizer)
        self.per_file = FileSettings(self.options.settings, self.every, self.options.start)
        self.codes = frozenset(rule.id for rule in self.every)

    def rules_for(self, path: str) -> dict[str, Rule]:
        """Return the rules that run on a file, by code."""
        return self._run(path).by_code

    def _run(self, path: str) -> _Run:
        ignored = self.per_file.ignored(path)
        if ignored not in self.runs:
            rules = tuple(rule for rule in self.rules if rule.id not in ignored)
            self.runs[ignored] = _Run(rules, {rule.id: rule for rule in rules})
        return self.runs[ignored]

    def check(self, read: ReadFile, is_named: bool) -> FileFindings | Skipped | None:
        """Return what a file holds; None for one without prompts, with a reason if the user named it."""
        source = read.source
        if is_named and is_request_log(source.text[:_LOG_HEAD_CHARS].encode("utf-8", "replace"), source.path):
            return Skipped(source.path, IS_LOG, self.is_fault(is_named))
        own = self._run(source.path)
        run = own.by_code
        try:
            found = read_prompts(source, self.includes, self.per_file.delimiters, self.per_file.sinks)
            fault = read.fault if found is not None else syntax_fault(source) if is_named else None
            if fault is not None:
                raise fault
        except SourceError as error:
            if PARSE_RULE not in run and self._is_parse_rule_ignored(source.path):
                return Skipped(source.path, f"does not parse: {error.message}")
            comments = self._suppressions(source)
            failure = parse_failure(error, source, self.every)
            mistakes, notes = unknown(source, comments, run)
            return FileFindings(source.path, (failure, *mistakes), comments, notes=notes)
        if found is None:
            if not is_named or source.path.lower().endswith(_CODE):
                return None  # most code builds no prompts, and hooks name all of it
            return Skipped(source.path, unknown_kind(source.path), self.is_fault(is_named))
        return self._linted(source, found, own)

    def is_fault(self, is_named: bool) -> bool:
        """Whether a file that cannot be checked was to be: named, and not by a program that names all files of a commit."""
        return is_named and not self.options.is_exclusion_forced

    def _linted(self, source: SourceText, found: SourceRead, own: _Run) -> FileFindings:
        run, variables = own.by_code, self.per_file.variables(source.path)
        prompts = tuple(classified(prompt, variables, self.per_file.alike) for prompt in found.prompts)
        linted = (finding for prompt in prompts for finding in lint_prompt(prompt, own.rules, self.count))
        findings = without_covered(told_once(linted), prompts)
        unread, others = unresolved(source, found.notes, run)
        unjudged = (note for prompt in prompts for note in notes_on(prompt, own.rules))
        is_told = PARSE_RULE in run or not self._is_parse_rule_ignored(source.path)
        faults = [parse_failure(error, source, self.every) for error in found.faults if is_told]
        comments = self._suppressions(source)
        mistakes, told = unknown(source, comments, run)
        notes = (*(f"{source.path}: {note}" for note in (*others, *unjudged)), *told)
        return FileFindings(source.path, (*faults, *findings, *unread, *mistakes), comments, prompts, notes, source)

    def _suppressions(self, source: SourceText) -> Suppressions:
        usual = self.per_file.delimiters
        return read_suppressions(source, self.resolve, (usual.comment_start, usual.comment_end))

    def _is_parse_rule_ignored(self, path: str) -> bool:
        """Whether the user said so: a selection of other rules alone does not hide a file that cannot be read."""
        options = self.options
        if PARSE_RULE in self.per_file.ignored(path):
            return True
        ignored = options.ignore if options.select else (*options.settings.ignore, *options.ignore)
        return any(PARSE_RULE in self.resolve(word) for word in ignored)

    def resolve(self, word: str) -> frozenset[str]:
        """Return the codes that one selector names.

        Raises:
            ConfigError: it names none.
        """
        return frozenset(rule.id for rule in select_rules(self.every, (word,), ()))


def _lazy_count(tokenizer: str) -> Callable[[str], int]:
    """Return a token counter that opens the vocabulary at the first call and remembers every text."""
    opened = cache(lambda: open_tokenizer(tokenizer))
    return cache(lambda text: opened().count(text))

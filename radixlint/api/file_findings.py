"""Check one file: read its prompts, classify and lint them, and read the comments that suppress findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from radixlint.api.check_options import CheckOptions
from radixlint.catalog import select_rules
from radixlint.errors import SourceError
from radixlint.files.file_reading import FolderIncludes, ReadFile
from radixlint.files.suppression import Suppressions, read_suppressions
from radixlint.lint import PARSE_RULE, classified, lint_prompt, notes_on, parse_failure
from radixlint.prompt import Prompt
from radixlint.result.finding import Finding, Skipped
from radixlint.result.rule import Rule
from radixlint.sources import read_prompts, syntax_fault
from radixlint.tokenizers import open_tokenizer

_UNKNOWN_FILE = (
    "not a prompt file that radixlint knows: Jinja2 (.j2), chat messages or request bodies with `messages` (.yaml, .json), "
    "text with {name} fields (.md, .txt)"
)


@dataclass(frozen=True, slots=True)
class FileFindings:
    """What one file gave: its findings before comments suppress any, its prompts (classified), its comments, and notes."""

    path: str
    findings: tuple[Finding, ...]
    suppressions: Suppressions
    prompts: tuple[Prompt, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class FileChecker:
    """Checks files one by one with ``rules``; ``every`` is the whole catalogue, which suppressions may name."""

    options: CheckOptions
    every: tuple[Rule, ...]
    rules: tuple[Rule, ...]
    includes: FolderIncludes
    count: Callable[[str], int] = field(init=False)

    def __post_init__(self) -> None:
        self.count = _lazy_count(self.options.settings.tokenizer)

    def check(self, read: ReadFile, is_named: bool) -> FileFindings | Skipped | None:
        """Return what a file holds; None for one without prompts, with a reason if the user named it."""
        source = read.source
        try:
            found = read_prompts(source, self.includes)
            fault = read.fault if found is not None else syntax_fault(source) if is_named else None
            if fault is not None:
                raise fault
        except SourceError as error:
            if PARSE_RULE not in {rule.id for rule in self.rules} and self._is_parse_rule_ignored():
                return Skipped(source.path, f"does not parse: {error.message}")
            failure = parse_failure(error, source, self.every)
            return FileFindings(source.path, (failure,), read_suppressions(source, self.resolve))
        if found is None:
            return Skipped(source.path, _UNKNOWN_FILE) if is_named else None
        prompts = tuple(classified(prompt, self.options.settings.variables) for prompt in found.prompts)
        findings = tuple(finding for prompt in prompts for finding in lint_prompt(prompt, self.rules, self.count))
        unjudged = (note for prompt in prompts for note in notes_on(prompt, self.rules))
        notes = tuple(f"{source.path}: {note}" for note in (*found.notes, *unjudged))
        return FileFindings(source.path, findings, read_suppressions(source, self.resolve), prompts, notes)

    def _is_parse_rule_ignored(self) -> bool:
        """Whether the user said so: a selection of other rules alone does not hide a file that cannot be read."""
        options = self.options
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

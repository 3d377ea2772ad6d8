"""Join the steps of ``check``: find files, read prompts, lint them, take out what comments suppress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from radixlint.catalog import load_rules, select_rules
from radixlint.config import Settings
from radixlint.errors import ConfigError, RadixlintError, SourceError
from radixlint.files.file_reading import MAX_BYTES, FolderIncludes, ReadFile, decode, include_roots, read_file
from radixlint.files.source_files import STDIN, Excludes, FoundFile, find_files
from radixlint.files.suppression import Suppressions, read_suppressions
from radixlint.lint import lint_prompt, parse_failure
from radixlint.prompt import Prompt, SourceText
from radixlint.result.finding import CheckReport, Finding, Skipped
from radixlint.result.rule import Rule
from radixlint.sources import SUFFIXES, read_prompts, syntax_fault
from radixlint.tokenizers import open_tokenizer

PARSE_ERROR = "RL001"
_UNKNOWN_FILE = (
    "not a prompt file that radixlint knows: Jinja2 (.j2), chat messages or request bodies with `messages` (.yaml, .json), "
    "text with {name} fields (.md, .txt)"
)


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What one run checks.

    ``select`` (if not empty) replaces the settings' selection and ignores; ``ignore`` and ``exclude`` add to the
    settings'. ``read_stdin`` is called once, with the most bytes wanted, if ``-`` is among the arguments; its text counts as
    the file ``stdin_name``.
    """

    arguments: tuple[str, ...]
    settings: Settings
    start: Path
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    stdin_name: str = "stdin.j2"
    read_stdin: Callable[[int], bytes] | None = None


def check_paths(options: CheckOptions) -> CheckReport:
    """Check every prompt file among the arguments and in the folders among them.

    Raises:
        RadixlintError: an argument does not exist or cannot be read.
        ConfigError: a rule selector or the tokenizer is unknown.
    """
    run = _Run(options)
    if STDIN in options.arguments and options.read_stdin is not None:
        run.take(decode(options.read_stdin(MAX_BYTES + 1), options.stdin_name), is_named=True)
    excludes = _excludes(options)
    found = find_files([a for a in options.arguments if a != STDIN], excludes, frozenset(SUFFIXES), options.start)
    run.skipped.extend(found.skipped)
    for file in found.files:
        run.take(_read(file), file.is_named)
    return run.report()


def _excludes(options: CheckOptions) -> tuple[Excludes, ...]:
    settings = options.settings
    return Excludes(settings.exclude, settings.root or options.start), Excludes(options.exclude, options.start)


def _read(file: FoundFile) -> ReadFile | Skipped:
    try:
        return read_file(file.path, file.shown)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        if file.is_named:
            raise RadixlintError(f"cannot be read: {reason}", where=file.shown) from error
        return Skipped(file.shown, f"cannot be read: {reason}")


def chosen_rules(rules: Sequence[Rule], options: CheckOptions) -> tuple[Rule, ...]:
    """Return the rules to run; a mistake in the config file is reported with the file and key.

    Raises:
        ConfigError: a selector matches no rule.
    """
    settings = options.settings
    for key, words in (("select", settings.select), ("ignore", settings.ignore)):
        try:
            select_rules(rules, words, ())
        except ConfigError as error:
            raise ConfigError(error.message, where=f"{settings.source}: {key}", hint=error.hint) from error
    if options.select:
        return select_rules(rules, options.select, options.ignore)
    return select_rules(rules, settings.select, (*settings.ignore, *options.ignore))


@dataclass(slots=True)
class _Run:
    """What one run has gathered so far."""

    options: CheckOptions
    findings: list[Finding] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: int = 0
    prompts: int = 0
    suppressed: int = 0
    _all: tuple[Rule, ...] = field(init=False)
    _chosen: tuple[Rule, ...] = field(init=False)
    _includes: FolderIncludes = field(init=False)
    _count: Callable[[str], int] = field(init=False)

    def __post_init__(self) -> None:
        options = self.options
        self._all = load_rules()
        self._chosen = chosen_rules(self._all, options)
        paths = [options.start / (options.stdin_name if a == STDIN else a) for a in options.arguments]
        self._includes = FolderIncludes(options.start, include_roots(paths, options.start))
        self._count = _lazy_count(options.settings.tokenizer)

    def take(self, read: ReadFile | Skipped, is_named: bool) -> None:
        """Check one file; a file without prompts is passed over, with a reason if the user named it."""
        if isinstance(read, Skipped):
            self.skipped.append(read)
            return
        try:
            found = read_prompts(read.source, self._includes)
            fault = read.fault if found is not None else syntax_fault(read.source) if is_named else None
            if fault is not None:
                raise fault
        except SourceError as error:
            self._fail(error, read.source)
            return
        if found is None:
            if is_named:
                self.skipped.append(Skipped(read.source.path, _UNKNOWN_FILE))
            return
        self.files += 1
        self.notes.extend(f"{read.source.path}: {note}" for note in found.notes)
        findings = [finding for prompt in found.prompts for finding in self._lint(prompt, read.source)]
        comments = self._keep(findings, read.source)
        self.notes.extend(comments.idle_notes(findings, {rule.id for rule in self._chosen}))

    def _fail(self, error: SourceError, source: SourceText) -> None:
        self.files += 1
        options = self.options
        ignored = options.ignore if options.select else (*options.settings.ignore, *options.ignore)
        if any(PARSE_ERROR in self._resolve(word) for word in ignored):
            self.skipped.append(Skipped(source.path, f"does not parse: {error.message}"))
        else:
            self._keep([parse_failure(error, source, self._all)], source)

    def _lint(self, prompt: Prompt, source: SourceText) -> tuple[Finding, ...]:
        self.prompts += 1
        return lint_prompt(prompt, source, self._chosen, self.options.settings.variables, self._count)

    def _keep(self, findings: Sequence[Finding], source: SourceText) -> Suppressions:
        """Take over what no comment of the file suppresses, and return its comments."""
        comments = read_suppressions(source, self._resolve)
        self.notes.extend(comments.notes)
        kept = [finding for finding in findings if not comments.covers(finding)]
        self.findings.extend(kept)
        self.suppressed += len(findings) - len(kept)
        return comments

    def _resolve(self, word: str) -> frozenset[str]:
        return frozenset(rule.id for rule in select_rules(self._all, (word,), ()))

    def report(self) -> CheckReport:
        """Return everything in the fixed order: by path, line, column, rule."""
        findings = sorted(self.findings, key=lambda f: (f.span, f.rule, f.message))
        return CheckReport(
            findings=tuple(findings),
            files=self.files,
            prompts=self.prompts,
            suppressed=self.suppressed,
            skipped=tuple(sorted(set(self.skipped), key=lambda item: (item.path, item.reason))),
            tokenizer=self.options.settings.tokenizer,
            notes=tuple(dict.fromkeys(self.notes)),
        )


def _lazy_count(tokenizer: str) -> Callable[[str], int]:
    """Return a token counter that opens the vocabulary at the first call and remembers every text."""
    opened = cache(lambda: open_tokenizer(tokenizer))
    return cache(lambda text: opened().count(text))

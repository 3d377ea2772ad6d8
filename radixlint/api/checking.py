"""Join the steps of ``check``: find files, check each, compare their prompts, take out what comments suppress."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from radixlint.api.check_options import CheckOptions, chosen_rules, every_rule_of
from radixlint.api.check_pool import checked_by, jobs_for
from radixlint.api.collector_pause import with_rare_visits
from radixlint.api.file_findings import FileChecker, FileFindings
from radixlint.api.housekeeping import unused
from radixlint.api.missing_readers import left_out
from radixlint.api.named_files import is_named_elsewhere, named_elsewhere, told_at_the_prompt
from radixlint.api.same_faults import told_once
from radixlint.api.unmet_variables import unmet_variables
from radixlint.errors import MissingReaderError, RadixlintError
from radixlint.files.file_reading import MAX_BYTES, ReadFile, decode, folder_includes, read_file
from radixlint.files.git_ignores import GitIgnores
from radixlint.files.source_files import STDIN, Excludes, FoundFile, Passed, find_files
from radixlint.lint import frame_of, lint_folder
from radixlint.prompt import Prompt, lines_of
from radixlint.result.finding import CheckReport, Finding, Skipped


class CheckedFiles(Struct, frozen=True):
    """All files of one run, by path, with what rules on folders found in them, before anything is suppressed."""

    files: tuple[FileFindings, ...]
    skipped: tuple[Skipped, ...]
    checker: FileChecker

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The prompts of all files, classified."""
        return tuple(prompt for file in self.files for prompt in file.prompts)


def check_paths(options: CheckOptions) -> CheckReport:
    """Check every prompt file among the arguments and in the folders among them.

    Raises:
        RadixlintError: an argument does not exist or cannot be read.
        ConfigError: a rule selector or the tokenizer is unknown.
    """
    return report_of(check_files(options))


def check_files(options: CheckOptions) -> CheckedFiles:
    """Read and lint the files; raises as ``check_paths``."""
    every = every_rule_of(options)
    paths = [options.start / (options.stdin_name if a == STDIN else a) for a in options.arguments]
    includes = folder_includes(paths, options.start)
    checker = FileChecker(options, every, chosen_rules(every, options), includes)
    files: list[FileFindings] = []
    skipped: list[Skipped] = []
    items = list(_to_check(options, skipped))

    def check(item: tuple[FoundFile | ReadFile | Skipped, bool]) -> FileFindings | Skipped | None:
        read = _read(item[0]) if isinstance(item[0], FoundFile) else item[0]
        if isinstance(read, Skipped):
            return msgspec.structs.replace(read, is_fault=checker.is_fault(item[1]))
        try:
            return checker.check(read, item[1])
        except MissingReaderError as error:
            return left_out(error, read.source, checker)

    jobs = jobs_for(len(items), options.settings.jobs)
    with with_rare_visits():
        results = list(checked_by(jobs, items, check))
    for found in results:
        if isinstance(found, Skipped):
            skipped.append(found)
        elif found is not None:
            files.append(found)
    files.sort(key=lambda file: file.path)
    return CheckedFiles(tuple(with_folder_rules(files, checker)), tuple(skipped), checker)


def _to_check(options: CheckOptions, skipped: list[Skipped]) -> Iterator[tuple[FoundFile | ReadFile | Skipped, bool]]:
    """Yield each file, and whether the user named it; what is not looked at at all goes to ``skipped``."""
    if STDIN in options.arguments and options.read_stdin is not None:
        yield decode(options.read_stdin(MAX_BYTES + 1), options.stdin_name), True
    from radixlint.sources import SUFFIXES  # imports every reader, which a mistake in the settings need not wait for

    settings = options.settings
    excludes = [Excludes(settings.exclude, settings.root or options.start), Excludes(options.exclude, options.start)]
    excludes += [Excludes(globs, root) for root, globs in settings.inherited_excludes]
    passed = Passed(tuple(excludes), GitIgnores() if settings.respect_gitignore else None, options.is_exclusion_forced)
    found = find_files([a for a in options.arguments if a != STDIN], passed, frozenset(SUFFIXES), options.start)
    skipped.extend(found.skipped)
    for file in found.files:
        yield file, file.is_named


def _read(file: FoundFile) -> ReadFile | Skipped:
    try:
        return read_file(file.path, file.shown)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        if file.is_named:
            raise RadixlintError(f"cannot be read: {reason}", where=file.shown) from error
        return Skipped(file.shown, f"cannot be read: {reason}")


def with_folder_rules(files: Iterable[FileFindings], checker: FileChecker) -> Iterator[FileFindings]:
    """Yield the files with what comes of comparing their prompts."""
    every = tuple(files)
    prompts = [prompt for file in every for prompt in file.prompts]
    # A prompt that a file only names is compared once, where it stands.
    named = named_elsewhere(prompts)
    prompts = [prompt for prompt in prompts if not is_named_elsewhere(prompt, named)]
    more: dict[str, list[Finding]] = defaultdict(list)
    for finding in lint_folder(prompts, checker.rules, checker.count):
        if finding.rule in checker.rules_for(finding.span.path):
            more[finding.span.path].append(finding)
    for file in every:
        if more[file.path]:
            yield replace(file, findings=(*file.findings, *more[file.path]))
        else:
            yield file


def _unused(file: FileFindings, checker: FileChecker) -> Iterator[Finding]:
    """Yield what suppresses nothing; in a file that does not parse nobody knows."""
    if file.source is not None and file.prompts:
        yield from unused(file.source, file.suppressions, file.findings, checker.rules_for(file.path), checker.codes)


def _framed(findings: Iterable[Finding], files: Iterable[FileFindings]) -> Iterator[Finding]:
    """Yield findings with the lines at their place, also where a prompt of another file brought them."""
    sources = {file.path: file.source for file in files if file.source is not None}
    for finding in findings:
        source = None if finding.frame else sources.get(finding.span.path)
        if source is None:
            yield finding
        else:
            frame, first = frame_of(source.path, lines_of(source.text), finding.span)
            yield msgspec.structs.replace(finding, frame=frame, frame_line=first)


def report_of(checked: CheckedFiles) -> CheckReport:
    """Return everything in the fixed order: by path, line, column, rule."""
    kept: list[Finding] = []
    silenced: list[Finding] = []
    notes: list[str] = []
    suppressions = {file.path: file.suppressions for file in checked.files}
    for file in checked.files:
        found = (*file.findings, *_unused(file, checked.checker))
        for finding in found:
            # A comment is about its own file, which another file may send a value through.
            there = suppressions.get(finding.span.path)
            (silenced if there is not None and there.covers(finding) else kept).append(finding)
        notes.extend(file.notes)
    kept = told_at_the_prompt(kept, silenced, named_elsewhere(checked.prompts))
    notes.extend(unmet_variables(checked.checker.options, checked.prompts))
    return CheckReport(
        findings=_ordered(_framed(told_once(kept), checked.files)),
        files=len(checked.files),
        prompts=sum(len(file.prompts) for file in checked.files),
        suppressed=len(silenced),
        skipped=tuple(sorted(set(checked.skipped), key=lambda item: (item.path, item.reason))),
        tokenizer=checked.checker.options.settings.tokenizer,
        notes=tuple(dict.fromkeys(notes)),
        silenced=_ordered(told_once(silenced)),
        paths=tuple(file.path for file in checked.files),
        rules=checked.checker.rules,
    )


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda f: (f.span, f.rule, f.message)))

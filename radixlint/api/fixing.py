"""Fix what ``check`` found: apply edits in passes, keep those that hold, write the files, and check again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import CheckedFiles, check_files, report_of
from radixlint.api.file_findings import FileFindings
from radixlint.api.file_fixing import Choose, FileFixer
from radixlint.api.fix_origins import Shown
from radixlint.errors import RadixlintError
from radixlint.files.file_reading import MAX_BYTES, decode
from radixlint.files.file_replacing import Replacement, read_again, replace_file
from radixlint.files.source_files import STDIN
from radixlint.result.finding import CheckReport, Finding, Skipped
from radixlint.result.fix import FileFix

Keep = Callable[[CheckReport], CheckReport]
"""What the user wants to see of a report, such as findings that are not in a baseline; the others are not fixed."""

_SAFETIES: Final = {False: frozenset({"safe"}), True: frozenset({"safe", "unsafe"})}


@dataclass(frozen=True, slots=True)
class FixRun:
    """What one run did: the findings left (of a dry run: those there were), the files by path, stdin as fixed if it was read.

    ``refused`` says of each file that could not be written why; it is as it was, and not among ``files``.
    """

    report: CheckReport
    files: tuple[FileFix, ...]
    stdin: bytes | None = None
    refused: tuple[RadixlintError, ...] = ()


def fix_paths(options: CheckOptions, *, with_unsafe: bool, is_dry: bool, keep: Keep = lambda report: report) -> FixRun:
    """Check as ``check_paths`` does, fix what can be fixed, and check again.

    Args:
        options: as for ``check_paths``.
        with_unsafe: whether fixes that change the order or the words of a prompt are made too.
        is_dry: whether nothing is written.
        keep: leaves out findings that are not to be shown or fixed.

    Raises:
        RadixlintError: as ``check_paths``.
    """
    options, stdin = _read_once(options)
    checked = check_files(options)
    report = keep(report_of(checked))

    def choose(file: FileFindings) -> list[Finding]:
        can_be = (f for f in file.findings if f.edits and f.fix_safety in _SAFETIES[with_unsafe])
        return sorted((f for f in can_be if not file.suppressions.covers(f)), key=lambda f: (f.span, f.rule))

    def shown(findings: Sequence[Finding]) -> Sequence[Finding]:
        return keep(msgspec.structs.replace(report, findings=tuple(findings))).findings

    refused: list[RadixlintError] = []
    fixes = tuple(_fixed(options, stdin, checked, choose, shown, refused))
    after = stdin
    if not is_dry:
        fixes = tuple(fix for fix in fixes if fix.after == fix.before or _is_stored(options, stdin, fix, refused))
    changed = [fix for fix in fixes if fix.after != fix.before]
    if not is_dry and changed:
        after = next((fix.after for fix in changed if _is_stdin(options, stdin, fix)), stdin)
        again = options if after is None else replace(options, read_stdin=lambda _most, data=after: data)
        report = keep(report_of(check_files(again)))
    report = _without_failed(report, fixes, is_dry=is_dry)
    return FixRun(report, fixes, after, tuple(refused))


def _without_failed(report: CheckReport, fixes: Iterable[FileFix], *, is_dry: bool) -> CheckReport:
    """Return the report without the edits that were tried and taken back: nothing repairs these findings."""
    failed = {
        (fix.path, rule, span)
        for fix in fixes
        for rule, span in ([(one.rule, one.span) for one in fix.withdrawn] if is_dry else fix.unrepaired)
    }
    if not failed:
        return report
    findings = (msgspec.structs.replace(f, edits=()) if (f.span.path, f.rule, f.span) in failed else f for f in report.findings)
    return msgspec.structs.replace(report, findings=tuple(findings))


def _read_once(options: CheckOptions) -> tuple[CheckOptions, bytes | None]:
    """Return the options with standard input read, so that it can be read again."""
    if STDIN not in options.arguments or options.read_stdin is None:
        return options, None
    data = options.read_stdin(MAX_BYTES + 1)
    return replace(options, read_stdin=lambda _most: data), data


def _is_stdin(options: CheckOptions, stdin: bytes | None, fix: FileFix) -> bool:
    return stdin is not None and fix.path == options.stdin_name


def _is_stored(options: CheckOptions, stdin: bytes | None, fix: FileFix, refused: list[RadixlintError]) -> bool:
    """Write a file, and return whether that could be done; why not goes to ``refused``."""
    if _is_stdin(options, stdin, fix):
        return True
    try:
        replace_file(Replacement(options.start / fix.path, fix.path, fix.before, fix.after))
    except RadixlintError as error:
        refused.append(error)
        return False
    return True


def _fixed(
    options: CheckOptions,
    stdin: bytes | None,
    checked: CheckedFiles,
    choose: Choose,
    shown: Shown,
    refused: list[RadixlintError],
) -> Iterator[FileFix]:
    """Yield what became of each file that has something to fix; why one cannot be read again goes to ``refused``."""
    for file in checked.files:
        if choose(file):
            is_stdin = stdin is not None and file.path == options.stdin_name
            try:
                data = stdin if is_stdin and stdin is not None else read_again(options.start / file.path, file.path)
            except RadixlintError as error:
                refused.append(error)
                continue
            if _is_as_read(file, data):
                yield FileFixer(checked, choose, file, data, shown).run()


def _is_as_read(file: FileFindings, data: bytes) -> bool:
    """Whether the bytes are those that were checked: edits of a file with faulty bytes or other text would go astray."""
    read = decode(data, file.path)
    if isinstance(read, Skipped) or read.fault is not None:
        return False
    return all(prompt.source is None or prompt.source.text == read.source.text for prompt in file.prompts)

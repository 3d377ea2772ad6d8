"""Fix one file in memory: passes over its findings until none is left that can be fixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from radixlint.api.checking import CheckedFiles, with_folder_rules
from radixlint.api.file_findings import FileFindings
from radixlint.api.fix_checks import fault_of, is_move, moved_words
from radixlint.api.fix_origins import FixOrigins, Shown
from radixlint.api.fix_rendering import render_fault
from radixlint.files.edited_bytes import EditableText, do_overlap
from radixlint.files.file_reading import decode
from radixlint.files.source_encoding import encoding_of
from radixlint.prompt import Span
from radixlint.result.finding import Edit, Finding, Skipped
from radixlint.result.fix import AppliedFix, FileFix, WithdrawnFix

_MAX_PASSES: Final = 10

Choose = Callable[[FileFindings], list[Finding]]
"""Picks the findings of a file that have edits of an allowed safety, by place."""


@dataclass(slots=True)
class FileFixer:
    """The fixes of one file: ``file`` is what it held, ``data`` its bytes; the other files of the run stay as they are.

    Of what ``choose`` picks those are fixed that ``shown`` leaves.
    """

    checked: CheckedFiles
    choose: Choose
    file: FileFindings
    data: bytes
    shown: Shown = tuple
    _origins: FixOrigins = field(init=False)
    _applied: list[AppliedFix] = field(default_factory=list)
    _further: int = 0
    _tried: set[tuple[str, tuple[Edit, ...]]] = field(default_factory=set)
    _withdrawn: dict[tuple[str, Span], WithdrawnFix] = field(default_factory=dict)

    def run(self) -> FileFix:
        """Return the file with all fixes that hold."""
        before = self.data
        self._origins = FixOrigins(self.file, self.shown)
        for _ in range(_MAX_PASSES):
            chosen = self._chosen()
            if not chosen or not self._made(_without_overlap(chosen)):
                break
        applied = sorted(self._applied, key=lambda fix: (fix.span, fix.rule))
        withdrawn = sorted(self._withdrawn.values(), key=lambda fix: (fix.span, fix.rule))
        failed = frozenset((f.rule, f.span) for f in self.file.findings if (f.rule, f.edits) in self._tried)
        return FileFix(self.file.path, before, self.data, tuple(applied), tuple(withdrawn), self._further, failed)

    def _chosen(self) -> list[Finding]:
        origins = self._origins.of(self.file)
        return [
            f
            for f in self.choose(self.file)
            if (f.rule, f.edits) not in self._tried and self._origins.is_wanted(origins.get((f.rule, f.span)))
        ]

    def _made(self, findings: list[Finding]) -> bool:
        """Make all fixes at once, or, where they do not hold together, the first of those that hold alone."""
        if len(findings) > 1 and self._kept(findings) is None:
            return True
        for finding in findings:
            fault = self._kept([finding])
            if fault is None:
                return True
            self._tried.add((finding.rule, finding.edits))
            origin = self._origins.of(self.file).get((finding.rule, finding.span))
            if origin is not None:
                self._withdrawn[origin.rule, origin.span] = WithdrawnFix(origin.rule, origin.span, fault)
        return False

    def _kept(self, findings: Sequence[Finding]) -> str | None:
        """Apply the edits and keep them; return why not, if they do not hold."""
        try:
            data = self._text().edited(edit for finding in findings for edit in finding.edits)
        except ValueError as error:
            return f"its edits do not fit the file: {error}"
        read = decode(data, self.file.path)
        after = read if isinstance(read, Skipped) else self.checked.checker.check(read, True)
        if after is None or isinstance(after, Skipped):
            return "the file would be no prompt file any more"
        after = self._compared(after)
        fault = fault_of(self.file, after, findings) or render_fault(self.file.prompts, after.prompts, findings)
        if fault is None:
            note = moved_words(self.file.prompts, after.prompts) if any(map(is_move, findings)) else ""
            self._record(findings, note)
            self.data, self.file = data, after
        return fault

    def _text(self) -> EditableText:
        return EditableText(self.data, encoding_of(self.data, self.file.path))

    def _record(self, findings: Sequence[Finding], note: str) -> None:
        """Take note of fixes that hold, each at the place that its finding had in the file as it was read."""
        origins = self._origins.of(self.file)
        for finding in findings:
            origin = origins.get((finding.rule, finding.span))
            if origin is None:
                self._further += 1
                continue
            self._withdrawn.pop((origin.rule, origin.span), None)
            text = note if is_move(finding) else ""
            self._applied.append(AppliedFix(origin.rule, origin.name, origin.span, origin.fix_safety, origin.message, text))
        self._origins.set_done(origins[f.rule, f.span] for f in findings if (f.rule, f.span) in origins)

    def _compared(self, after: FileFindings) -> FileFindings:
        """Return the file with what comes of comparing it with the other files."""
        others = [after if file.path == after.path else _bare(file) for file in self.checked.files]
        return next(file for file in with_folder_rules(others, self.checked.checker) if file.path == after.path)


def _bare(file: FileFindings) -> FileFindings:
    return FileFindings(file.path, (), file.suppressions, file.prompts)


def _without_overlap(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings whose edits can be made together; of two that touch, the first, and the other in the next pass."""
    chosen: list[Finding] = []
    taken: list[Edit] = []
    for finding in findings:
        if not do_overlap(finding.edits, taken):
            chosen.append(finding)
            taken.extend(finding.edits)
    return chosen

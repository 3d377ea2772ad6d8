"""Try rules of people's own: the examples in their files, and the marked prompts beside them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from radixlint.api.check_options import CheckOptions, load_all
from radixlint.api.checking import check_paths
from radixlint.api.fixing import fix_paths
from radixlint.api.rule_examples import example_findings, example_place
from radixlint.catalog import load_own_rules, load_rules, refuse_taken, rule_files, select_rules
from radixlint.config import Settings
from radixlint.errors import ConfigError, RadixlintError
from radixlint.files.edited_bytes import EditableText
from radixlint.files.file_reading import ReadFile, read_file
from radixlint.files.rule_marks import RuleMark, read_marks
from radixlint.files.source_files import SKIPPED_FOLDERS, shown_path
from radixlint.result.finding import Finding
from radixlint.result.rule import Rule, RuleExample
from radixlint.result.tested_rules import RuleFault, TestedRules

_TWIN = "fixed"


def try_rules(pack: Path, start: Path) -> TestedRules:
    """Return what the rules of a folder (or one rule file) do on their examples and on the marked files in the folder.

    Raises:
        RuleError: a rule file is malformed.
        RadixlintError: there is nothing, or a marked file is no prompt or cannot be read.
        ConfigError: a mark names a rule that there is not.
    """
    if not pack.exists():
        raise RadixlintError("no such file or directory", where=shown_path(pack, start), hint="give a folder of rules")
    rules = load_own_rules([pack], start)
    refuse_taken(rules, load_rules())
    load_all(rules)
    run = _Run(pack, start, rules, (*load_rules(), *rules))
    faults = [fault for rule in rules for fault in run.examples(rule)]
    marked = tuple(run.marked_files()) if pack.is_dir() else ()
    for path, marks in marked:
        faults += run.marks(path, marks)
    tried = {code for _, marks in marked for mark in marks for code in run.codes(mark, "")}
    examples = [example for rule in rules for example in (*rule.passing, *rule.failing)]
    untested = tuple(rule.id for rule in rules if rule.id not in tried and not rule.failing)
    return TestedRules(tuple(faults), len(rules), len(examples), len(marked), untested)


@dataclass(frozen=True, slots=True)
class _Run:
    pack: Path
    start: Path
    own: tuple[Rule, ...]
    every: tuple[Rule, ...]

    def examples(self, rule: Rule) -> Iterator[RuleFault]:
        """Yield what a rule gets wrong in its own examples."""
        for group, examples in (("pass", rule.passing), ("fail", rule.failing)):
            for example in examples:
                place = f"{rule.place}: example {group}/{example.name}"
                found = [finding for finding in example_findings(example, self.every) if finding.rule == rule.id]
                places = [example_place(finding) for finding in found]
                yield from (RuleFault(place, rule.id, f"missed {at}") for at in example.expected if at not in places)
                yield from (RuleFault(place, rule.id, f"incorrect {at}") for at in places if at not in example.expected)
                if example.fixed is not None and _fixed(example, found) != example.fixed:
                    yield RuleFault(place, rule.id, "the fix does not make the text under `fixed`")

    def marked_files(self) -> Iterator[tuple[Path, tuple[RuleMark, ...]]]:
        """Yield the files with marks below the folder, by path; rule files and fixed twins are none."""
        passed = set(rule_files(self.pack, self.start))
        for folder, names, files in os.walk(self.pack):
            names[:] = sorted(name for name in names if not name.startswith(".") and name not in SKIPPED_FOLDERS)
            for path in (Path(folder) / name for name in sorted(files)):
                if path in passed or path.name.startswith(".") or f".{_TWIN}" in path.suffixes:
                    continue
                marks = self._marks_in(path)
                if marks:
                    yield path, marks

    def _marks_in(self, path: Path) -> tuple[RuleMark, ...]:
        if not path.is_file():
            return ()
        read = read_file(path, shown_path(path, self.start))
        return read_marks(read.source.text) if isinstance(read, ReadFile) else ()

    def marks(self, path: Path, marks: Sequence[RuleMark]) -> Iterator[RuleFault]:
        """Yield where the findings of a file are others than its marks say."""
        shown = shown_path(path, self.start)
        wanted = {(code, mark.line): mark for mark in marks for code in self.codes(mark, shown)}
        codes = tuple(sorted({code for code, _ in wanted}))
        report = check_paths(self._options(path, codes))
        if report.files == 0:
            reason = report.skipped[0].reason if report.skipped else "no prompt is seen in it"
            raise RadixlintError(f"cannot try rules on it: {reason}", where=shown)
        found = {(f.rule, line): f for f in report.findings for line in (f.span.line,) if f.rule in codes}
        for (code, line), mark in sorted(wanted.items(), key=lambda item: (item[0][1], item[0][0])):
            if not mark.is_todo and mark.is_finding != ((code, line) in found):
                yield RuleFault(f"{shown}:{line}", code, "missed" if mark.is_finding else "incorrect, marked ok")
        for code, line in sorted(set(found) - set(wanted), key=lambda key: (key[1], key[0])):
            yield RuleFault(f"{shown}:{line}", code, "incorrect, not marked")
        yield from self._twin(path, shown, codes)

    def codes(self, mark: RuleMark, shown: str) -> Iterable[str]:
        """Return the codes that a mark names.

        Raises:
            ConfigError: it names none.
        """
        try:
            return [rule.id for rule in select_rules(self.every, (mark.code,), ())]
        except ConfigError as error:
            raise ConfigError(error.message, where=f"{shown}:{mark.written_at}", hint=error.hint) from None

    def _twin(self, path: Path, shown: str, codes: tuple[str, ...]) -> Iterator[RuleFault]:
        """Yield a fault if the fixes of a file do not make its twin ``name.fixed.suffix``."""
        twin = path.with_name(f"{path.stem}.{_TWIN}{path.suffix}")
        if not twin.is_file():
            return
        fixes = fix_paths(self._options(path, codes), with_unsafe=True, is_dry=True).files
        after = fixes[0].after if fixes else path.read_bytes()
        wanted = twin.read_bytes()
        if after != wanted:
            lines = zip([*after.split(b"\n"), b""], [*wanted.split(b"\n"), b""], strict=False)
            line = next((number for number, (one, other) in enumerate(lines, start=1) if one != other), 1)
            yield RuleFault(f"{shown_path(twin, self.start)}:{line}", ", ".join(codes), "the fixes make another text")

    def _options(self, path: Path, codes: tuple[str, ...]) -> CheckOptions:
        settings = Settings(respect_gitignore=False)
        return CheckOptions((str(path),), settings, self.start, select=codes, own_rules=(str(self.pack),))


def _fixed(example: RuleExample, findings: Sequence[Finding]) -> str:
    edits = [edit for finding in findings for edit in finding.edits]
    try:
        return EditableText(example.text.encode()).edited(edits).decode()
    except ValueError:
        return ""

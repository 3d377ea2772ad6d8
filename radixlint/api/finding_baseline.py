"""A baseline: the findings of one day in a file, so that only new ones are told; keys hold words, not line numbers."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec.structs import replace

from radixlint.errors import ConfigError
from radixlint.lint import PARSE_RULE
from radixlint.result.finding import CheckReport, Finding
from radixlint.result.finding_key import finding_key
from radixlint.safe_text import json_text

SCHEMA_VERSION: Final = 1

_KIND: Final = "radixlint-baseline"
_MAX_BYTES: Final = 64 << 20
_AGAIN: Final = "--write-baseline writes it anew"


class BaselineEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Findings with one key: ``count`` of them; ``path`` is relative to the folder of the baseline."""

    rule: str
    name: str
    path: str
    key: str
    count: Annotated[int, msgspec.Meta(ge=1)]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of one file; ``shown`` is its name, ``folder`` where it is; paths of findings are relative to ``start``."""

    entries: tuple[BaselineEntry, ...]
    shown: str
    folder: Path
    start: Path

    def without_known(self, report: CheckReport) -> CheckReport:
        """Return the report with the findings that the baseline holds set aside, and a note if entries match nothing any more.

        Of several findings with one key the first are known. A file that does not parse is always told.
        """
        left: Counter[str] = Counter()
        for entry in self.entries:
            left[entry.key] += entry.count
        kept: list[Finding] = []
        known: list[Finding] = []
        for finding in report.findings:
            key = _key(finding, self.folder, self.start)
            is_known = finding.rule != PARSE_RULE and left[key] > 0
            left[key] -= is_known
            (known if is_known else kept).append(finding)
        judged = {entry.key for entry in self._judged(report)}
        notes = (*report.notes, *self._stale_note(sum(left[key] for key in judged)))
        return replace(report, findings=tuple(kept), known=(*report.known, *known), notes=notes)

    def _judged(self, report: CheckReport) -> Iterator[BaselineEntry]:
        """Yield the entries whose findings would be there: their rule ran, on their file, or the file is no more."""
        checked = {_relative(path, self.folder, self.start) for path in report.paths}
        ran = {rule.id for rule in report.rules}
        for entry in self.entries:
            if entry.rule in ran and (entry.path in checked or not (self.folder / entry.path).exists()):
                yield entry

    def _stale_note(self, stale: int) -> tuple[str, ...]:
        if not stale:
            return ()
        words = "1 finding of it is" if stale == 1 else f"{stale:,} findings of it are"
        return (f"{self.shown}: {words} no longer there; {_AGAIN}",)


def baseline_text(report: CheckReport, target: Path, start: Path) -> str:
    """Return the file that holds the findings of ``report``, to be written to ``target``: same bytes for the same findings."""
    counts = Counter(_entry(finding, target.parent, start) for finding in report.findings if finding.rule != PARSE_RULE)
    rows = [
        {"rule": rule, "name": name, "path": path, "key": key, "count": count}
        for (path, rule, name, key), count in sorted(counts.items())
    ]
    return json_text({"kind": _KIND, "schema_version": SCHEMA_VERSION, "findings": rows})


def read_baseline(shown: str, start: Path) -> Baseline:
    """Read the file that ``baseline_text`` wrote.

    Raises:
        ConfigError: it cannot be read, or is no baseline.
    """
    path = start / shown
    try:
        if not path.is_file():
            raise ConfigError("there is no such file", where=shown, hint="--write-baseline FILE makes one")
        if path.stat().st_size > _MAX_BYTES:
            raise ConfigError("too large for a baseline", where=shown, hint=_AGAIN)
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=shown) from error
    except json.JSONDecodeError as error:
        raise ConfigError(f"no JSON: {error.msg}", where=f"{shown}:{error.lineno}:{error.colno}", hint=_AGAIN) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise ConfigError("no JSON", where=shown, hint=_AGAIN) from error
    return Baseline(_entries(document, shown), shown, path.parent, start)


def _entries(document: Any, shown: str) -> tuple[BaselineEntry, ...]:
    if not isinstance(document, dict) or document.get("kind") != _KIND:
        raise ConfigError("no baseline of `radixlint check`", where=shown, hint="--write-baseline FILE makes one")
    if document.get("schema_version") != SCHEMA_VERSION:
        raise ConfigError("a baseline of another version of radixlint", where=shown, hint=_AGAIN)
    try:
        return msgspec.convert(document.get("findings"), tuple[BaselineEntry, ...])
    except msgspec.ValidationError as error:
        raise ConfigError(f"`findings`: {error}", where=shown, hint=_AGAIN) from error


def _entry(finding: Finding, folder: Path, start: Path) -> tuple[str, str, str, str]:
    return _relative(finding.span.path, folder, start), finding.rule, finding.name, _key(finding, folder, start)


def _key(finding: Finding, folder: Path, start: Path) -> str:
    return finding_key(finding, _relative(finding.span.path, folder, start))


def _relative(path: str, folder: Path, start: Path) -> str:
    """Return the path as the baseline has it, bytes that are not UTF-8 as visible escapes."""
    relative = os.path.relpath(start / path, folder).replace(os.sep, "/")
    return relative.encode("utf-8", "backslashreplace").decode("utf-8")

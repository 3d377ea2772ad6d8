"""What makes a finding the same one in another run: its rule, its file and the words of its line, not where the line stands."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Final

from radixlint.result.finding import Finding

_KEY_CHARS: Final = 32


def finding_key(finding: Finding, path: str | None = None) -> str:
    """Return 32 hexadecimal digits for a finding; blanks do not count.

    Args:
        finding: what was found.
        path: the name of its file, where it is not the one of the finding.
    """
    at = finding.span.line - finding.frame_line
    line = finding.frame[at] if 0 <= at < len(finding.frame) else ""
    words = "\0".join((finding.rule, finding.span.path if path is None else path, " ".join(line.split())))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_CHARS]


def numbered_keys(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return a key for each finding, all different: equal ones are numbered in the order given."""
    seen: Counter[str] = Counter()
    keys = []
    for finding in findings:
        key = finding_key(finding)
        seen[key] += 1
        keys.append(f"{key}:{seen[key]}")
    return tuple(keys)

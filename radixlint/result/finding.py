"""What ``check`` found: findings, and the prompt strip that shows where a prefix ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radixlint.prompt import Confidence, Lifetime, Span


class Severity(StrEnum):
    """How bad a finding is; ``info`` never changes the exit code."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains a finding, with one sentence."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class StripPart:
    """One stretch of a prompt strip: neighbouring segments of one lifetime; ``tokens`` is None for a value."""

    label: str
    lifetime: Lifetime
    tokens: int | None


@dataclass(frozen=True, slots=True)
class PromptStrip:
    """A prompt on one line, in wire order.

    ``break_index`` is the part at which the prefix ends for other requests, None if it never does;
    ``lost_tokens`` of ``total_tokens`` literal tokens stand behind it.
    """

    path: str
    name: str
    parts: tuple[StripPart, ...]
    break_index: int | None
    lost_tokens: int
    total_tokens: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    ``lost_tokens`` counts literal tokens of longer life behind the break, 0 where a rule has none; ``frame`` are the
    source lines to show, the first of which has number ``frame_line``; ``mark`` the few words beside the place in them;
    ``strip``, with the break of this finding, is None where no prompt was read.
    """

    rule: str
    name: str
    span: Span
    severity: Severity
    confidence: Confidence
    lifetime: Lifetime | None
    lost_tokens: int
    message: str
    help: str
    fix_safety: str = "manual"
    related: tuple[Related, ...] = ()
    frame: tuple[str, ...] = ()
    frame_line: int = 1
    mark: str = ""
    strip: PromptStrip | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not checked, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All that one ``check`` run has to say; findings by path, line, column, rule; ``notes`` are full sentences."""

    findings: tuple[Finding, ...]
    files: int
    prompts: int
    suppressed: int
    skipped: tuple[Skipped, ...]
    tokenizer: str
    notes: tuple[str, ...] = ()

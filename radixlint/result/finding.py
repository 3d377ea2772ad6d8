"""What ``check`` found: findings, and the prompt strip that shows where a prefix ends."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from radixlint.prompt import Confidence, Lifetime, Span

if TYPE_CHECKING:
    from radixlint.result.rule import Rule


class Severity(StrEnum):
    """How bad a finding is; ``info`` never changes the exit code."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Related(msgspec.Struct, frozen=True, gc=False):
    """A second place that explains a finding, with one sentence; a value comes through it on its way if it ``is_step``."""

    span: Span
    message: str
    is_step: bool = False


class Edit(msgspec.Struct, frozen=True, gc=False):
    """Replace the text of ``span`` in the file by ``text``, with LF as line end; an empty span inserts.

    What is written has the line ends of the file at its place, or ``line_end`` where that is the point of the edit; such an
    edit of a whole file takes its byte-order mark away too.
    """

    span: Span
    text: str
    line_end: str | None = None


class Measured(msgspec.Struct, frozen=True, gc=False):
    """What a log says about a finding's prompt: of ``requests`` made from it, the share that broke here, and tokens lost.

    ``broken_rate`` is in 0..1 of ``requests``; ``lost_tokens`` is the sum over the log, by replay (evidence: simulated).
    """

    requests: int
    broken_rate: float
    lost_tokens: int


class StripPart(msgspec.Struct, frozen=True, gc=False):
    """One stretch of a prompt strip: neighbouring segments of one lifetime; ``tokens`` is None for a value."""

    label: str
    lifetime: Lifetime
    tokens: int | None


class PromptStrip(msgspec.Struct, frozen=True, gc=False):
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


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One fault at one place.

    ``lost_tokens`` counts literal tokens of longer life behind the break, 0 where a rule has none; ``frame`` are the
    source lines to show, the first of which has number ``frame_line``; ``mark`` the few words beside the place in them;
    ``strip``, with the break of this finding, is None where no prompt was read. ``scope`` says for how long what is shown
    stays the same: a lifetime's word, or ``process`` where an order differs between processes. ``edits`` repair it, none if
    only a person can; ``measured`` is what a log says.
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
    scope: str = ""
    edits: tuple[Edit, ...] = ()
    measured: Measured | None = None


class Skipped(msgspec.Struct, frozen=True, gc=False):
    """A file that was not checked, and why.

    ``is_fault`` says that the user named it and so was to hear of its findings; a reason that ``is_counted`` is told once, with
    the number of its files.
    """

    path: str
    reason: str
    is_fault: bool = False
    is_counted: bool = False


class CheckReport(msgspec.Struct, frozen=True, gc=False):
    """All that one ``check`` run has to say; findings by path, line, column, rule; ``notes`` are full sentences.

    ``silenced`` are the ``suppressed`` findings, ``known`` those that a baseline holds; ``unchanged`` counts what stands on
    lines that did not change. ``paths`` are the ``files`` checked, ``rules`` those that ran. ``takes_unsafe`` says that the
    user asked for fixes that change what the model reads, too.
    """

    findings: tuple[Finding, ...]
    files: int
    prompts: int
    suppressed: int
    skipped: tuple[Skipped, ...]
    tokenizer: str
    notes: tuple[str, ...] = ()
    silenced: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    unchanged: int = 0
    paths: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    takes_unsafe: bool = False

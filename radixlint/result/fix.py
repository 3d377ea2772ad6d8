"""What ``check --fix`` did: the fixes of each file, its text before and after, and the fixes that were taken back."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.prompt import Span


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """One finding that was repaired, at its place in the file as it was read; ``note`` is what was checked, or empty."""

    rule: str
    name: str
    span: Span
    safety: str
    message: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class WithdrawnFix:
    """One fix that was not kept, at its place in the file as it was read, and the reason as a sentence's end."""

    rule: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class FileFix:
    """One file with its bytes before and after, equal if every fix was taken back; fixes by place.

    ``further`` counts the fixes of what only showed once others were repaired, and so has no place in the file as it was read.
    ``unrepaired`` are the rules and places, in ``after``, of findings whose fix was tried and taken back.
    """

    path: str
    before: bytes
    after: bytes
    applied: tuple[AppliedFix, ...]
    withdrawn: tuple[WithdrawnFix, ...] = ()
    further: int = 0
    unrepaired: frozenset[tuple[str, Span]] = frozenset()

"""A lint rule as data: what its YAML file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from radixlint.prompt import Confidence
from radixlint.result.finding import Severity

CLOSING_TOKENS: Final = 64
"""Fixed text behind the newest question counts only from here on: a short closing instruction belongs there."""


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A tested example: ``kind`` is the file suffix without dot (``j2``), ``expected`` the places as ``line:column``.

    ``expected`` is empty for an example that must stay silent.
    """

    name: str
    kind: str
    text: str
    expected: tuple[str, ...] = ()
    fixed: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; ``params`` go to the detector as they are, ``message`` is a format string over the detector's fields.

    ``limit`` says from what size on the rule reports, its numbers filled in; empty if there is no such size.
    """

    id: str
    name: str
    severity: Severity
    confidence: Confidence
    detector: str
    params: Mapping[str, object]
    summary: str
    message: str
    why: str
    fix: str
    fix_safety: str
    applies_to: tuple[str, ...]
    references: tuple[str, ...]
    passing: tuple[RuleExample, ...]
    failing: tuple[RuleExample, ...]
    limit: str = ""

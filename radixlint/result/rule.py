"""A lint rule as data: what its YAML file says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from radixlint.prompt import Confidence
from radixlint.result.finding import Severity

CLOSING_TOKENS: Final = 64
"""Fixed text behind the newest question counts only from here on: a short closing instruction belongs there."""

_NO_PARAMS: Final[Mapping[str, object]] = MappingProxyType({})


class RuleExample(Struct, frozen=True):
    """A tested example: ``kind`` is the file suffix without dot (``j2``), ``expected`` the places as ``line:column``.

    ``expected`` is empty for an example that must stay silent; where a rule looks at several files, ``files`` are the
    others by name, and a place in one of them is ``name:line:column``. ``config`` is TOML of the settings it is checked with.
    """

    name: str
    kind: str
    text: str
    expected: tuple[str, ...] = ()
    fixed: str | None = None
    files: tuple[tuple[str, str], ...] = ()
    config: str = ""


class Rule(Struct, frozen=True):
    """One rule; ``params`` go to the detector as they are, ``message`` is a format string over the detector's fields.

    ``limit`` says from what size on the rule reports, its numbers filled in; empty if there is no such size. ``when_not``
    says where to leave the rule out. ``scope`` is the finding's where the value's lifetime does not say it. ``fixer``
    names the plug-in that makes edits, with its params, ``code_fixer`` the one for programs; empty if only a person can
    repair it. ``place`` is the file and line of a rule of people's own.
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
    when_not: str = ""
    scope: str = ""
    fixer: str = ""
    fixer_params: Mapping[str, object] = field(default_factory=lambda: _NO_PARAMS)
    code_fixer: str = ""
    code_fixer_params: Mapping[str, object] = field(default_factory=lambda: _NO_PARAMS)
    place: str = ""

    @property
    def is_fixable(self) -> bool:
        """Whether a fixer makes edits, in templates, programs or both."""
        return bool(self.fixer or self.code_fixer)

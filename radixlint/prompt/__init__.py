"""A prompt as a value; nothing here reads files, classifies or judges."""

from __future__ import annotations

from radixlint.prompt.program_signs import Chance, Event, Evidence, Habit, Taint
from radixlint.prompt.prompt_terms import (
    COUNTED,
    EACH,
    Confidence,
    Control,
    ControlKind,
    Cut,
    Expression,
    Lifetime,
    Origin,
    Role,
    Span,
)
from radixlint.prompt.prompt_unit import ChatTemplate, Prompt, Segment, SourceText, lines_of
from radixlint.prompt.request_facts import CacheLimits, CacheMark, Parameter, RequestFacts

__all__ = [
    "COUNTED",
    "EACH",
    "CacheLimits",
    "CacheMark",
    "Chance",
    "ChatTemplate",
    "Confidence",
    "Control",
    "ControlKind",
    "Cut",
    "Event",
    "Evidence",
    "Expression",
    "Habit",
    "Lifetime",
    "Origin",
    "Parameter",
    "Prompt",
    "RequestFacts",
    "Role",
    "Segment",
    "SourceText",
    "Span",
    "Taint",
    "lines_of",
]

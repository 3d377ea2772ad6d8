"""What ``diff`` found between two requests, or two revisions of a template."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from radixlint.result.cause import Cause
from radixlint.result.evidence import Evidence
from radixlint.result.finding import Finding

_PARAMETER: Final = Cause.PARAMETER.value


class Reach(StrEnum):
    """How much of the cache a parameter that differs keeps two requests from sharing."""

    ALL = "all"
    """It is part of what separates caches: nothing is shared."""
    MESSAGES = "messages"
    """Tools and system text are still shared, messages are not."""
    TEMPLATE = "template"
    """Nothing, but where the chat template writes it into the prompt."""
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ParameterChange:
    """A parameter that differs between two requests; ``what`` says whether it belongs to the cache key, a phrase."""

    name: str
    reach: Reach
    what: str


@dataclass(frozen=True, slots=True)
class RequestComparison:
    """Two requests, the first divergence in wire order.

    ``common_tokens`` of ``prompt_tokens`` of the later request stand at the start of both; ``earlier_tokens`` is the length of
    the earlier one. ``cause`` is None where one goes on where the other ends or both are alike, ``new-content``
    where nothing is lost. ``lost_tokens`` stand behind the divergence in both and are computed again, an estimate.
    ``parameters`` are those that differ, model and namespace among them. Where nothing of the text is lost and one of them keeps
    the two from sharing, ``cause`` is ``parameter``. ``is_reversed`` says that the first of the two was sent later.
    """

    common_tokens: int
    prompt_tokens: int
    earlier_tokens: int
    cause: str | None
    where: str
    what: str
    detail: str
    confidence: str
    lost_tokens: int
    is_realigned: bool
    shared: str
    before: str
    after: str
    parameters: tuple[ParameterChange, ...]
    is_reversed: bool
    layout: str
    tokenizer: str
    tokenizer_evidence: Evidence
    notes: tuple[str, ...]
    records: int
    read: int
    alterations: tuple[str, ...] = ()

    @property
    def is_worse(self) -> bool:
        """Whether the prefix of the later request breaks in front of what it shares with the earlier one."""
        return self.lost_tokens > 0 or self.cause == _PARAMETER


@dataclass(frozen=True, slots=True)
class TextChange:
    """Static text that was taken out, put in or replaced; lines from 1, None where there is nothing on that side."""

    role: str
    line_before: int | None
    line_after: int | None
    before: str
    after: str
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class PromptChange:
    """One prompt of a template: ``head_..._tokens`` of static text stand in front of its first value that changes."""

    name: str
    head_before_tokens: int
    head_after_tokens: int
    static_before_tokens: int
    static_after_tokens: int
    changes: tuple[TextChange, ...]


@dataclass(frozen=True, slots=True)
class TemplateComparison:
    """Two revisions of a template: changed static text, stable heads, findings that are new or gone."""

    prompts: tuple[PromptChange, ...]
    new: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    kept: int
    is_worse: bool
    tokenizer: str
    notes: tuple[str, ...]

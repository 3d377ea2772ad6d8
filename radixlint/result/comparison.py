"""What ``diff`` found between two logs, two requests or two revisions of a template."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radixlint.result.evidence import Evidence
from radixlint.result.finding import Finding
from radixlint.result.hit_rates import HitRates


class Blame(StrEnum):
    """What most of a change is due to."""

    PROMPT = "prompt"
    """Less (or more) could be shared: the prompts themselves changed."""
    ENGINE = "engine or provider"
    """As much could be shared, and less (or more) was served from the cache."""
    MIX = "traffic mix"
    """Other requests: more (or fewer) of the kinds that share little, or more (or less) text that was never sent before."""
    NOTHING = "nothing changed"
    UNKNOWN = "too little is known"


class Turn(StrEnum):
    """How a break or a cleared cause stands in the later part against the earlier one."""

    BEGAN = "began"
    GREW = "grew"
    STAYED = "stayed"
    SHRANK = "shrank"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class ColdRequests:
    """Requests of one part that a cache cannot know yet, and that count in no comparison.

    ``first_requests`` are the first ones, or the first of each application; ``resumed_requests`` go on with a session whose
    start lies before the part.
    """

    first_requests: int
    resumed_requests: int


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """One of the two parts, replayed with a cache of its own that is empty at first.

    ``hit_rate`` is over the ``counted_requests``: those that are not cold and tell what is compared; ``whole_hit_rate`` over all
    ``requests``. ``prompt_tokens`` and ``uncached_tokens`` are sums over the counted ones. ``first_s`` and ``last_s`` are
    seconds since the epoch; ``days`` is the length of the part, None where the log has no times.
    """

    requests: int
    counted_requests: int
    cold: ColdRequests
    prompt_tokens: int
    uncached_tokens: int
    hit_rate: HitRates
    whole_hit_rate: HitRates
    first_s: float | None
    last_s: float | None
    days: float | None


@dataclass(frozen=True, slots=True)
class Effects:
    """A change of uncached tokens, taken apart: the parts add up exactly to the whole.

    Positive is more to compute. ``volume_tokens`` is what more (or less) traffic at the old rate makes, ``mix_tokens`` other
    shares of the kinds of requests. Within each kind, ``content_tokens`` is text that the part had not sent before,
    ``prompt_tokens`` what breaks lose, ``engine_tokens`` what was shareable and not served. The ``_rate`` fields are the last
    four as a change of the uncached share.
    """

    change_tokens: int
    volume_tokens: int
    mix_tokens: int
    content_tokens: int
    prompt_tokens: int
    engine_tokens: int
    mix_rate: float
    content_rate: float
    prompt_rate: float
    engine_rate: float

    @property
    def lost_tokens(self) -> int:
        """Tokens computed more than before, but for what other volume makes."""
        return self.change_tokens - self.volume_tokens

    @property
    def lost_rate(self) -> float:
        """How far the hit rate fell."""
        return self.mix_rate + self.content_rate + self.prompt_rate + self.engine_rate


@dataclass(frozen=True, slots=True)
class MixGroup:
    """One kind of request: its share of the prompt tokens and its uncached share, before and after; None for not seen."""

    model: str | None
    tenant: str | None
    template: str | None
    depth: str | None
    share_before_rate: float
    share_after_rate: float
    uncached_before_rate: float | None
    uncached_after_rate: float | None
    mix_rate: float


@dataclass(frozen=True, slots=True)
class BreakChange:
    """A break in both parts or one: lost tokens as a share of the counted prompt tokens, and what it costs more.

    ``change_tokens`` are tokens a day, or over the later part where there are no times. Texts follow the privacy rule.
    """

    turn: Turn
    cause: str
    where: str
    what: str
    confidence: str
    requests_before: int
    requests_after: int
    lost_before_rate: float
    lost_after_rate: float
    change_tokens: int
    first_seen_s: float | None
    shared: str
    before: str
    after: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClearedChange:
    """Intact prompts that were reported uncached, by cause, in both parts."""

    turn: Turn
    cause: str
    what: str
    confidence: str
    requests_before: int
    requests_after: int
    tokens_before: int
    tokens_after: int
    change_tokens: int


@dataclass(frozen=True, slots=True)
class LogComparison:
    """Two logs, or one before and after a time.

    ``served`` says whose count of cached tokens is compared: measured (reported) or simulated (the engine's rules).
    ``same_mix_rate`` is the hit rate with the old shares and the new rate of each kind of request. ``margin_rate`` is how
    far rates of such parts differ by chance; a change within it and within ``tolerance_rate`` is none. ``is_daily`` says
    that the tokens of ``effects`` and of changes are tokens a day; else they are over the later part. ``when_s`` is when the
    change began, as closely as the log shows; ``what`` began to change, a phrase. ``is_worse`` is what ``--fail`` asks.
    """

    before: ComparedPart
    after: ComparedPart
    served: Evidence
    blame: Blame
    is_worse: bool
    when_s: float | None
    what: str
    effects: Effects
    is_daily: bool
    same_mix_rate: float | None
    margin_rate: float
    tolerance_rate: float
    grouped_by: tuple[str, ...]
    groups: tuple[MixGroup, ...]
    breaks: tuple[BreakChange, ...]
    cleared: tuple[ClearedChange, ...]
    notes: tuple[str, ...]
    records: int
    read: int
    alterations: tuple[str, ...] = ()

    @property
    def rate_before(self) -> float | None:
        """The hit rate that is compared, before."""
        return self._rate(self.before)

    @property
    def rate_after(self) -> float | None:
        """The same, after."""
        return self._rate(self.after)

    def _rate(self, part: ComparedPart) -> float | None:
        return part.hit_rate.reported if self.served is Evidence.MEASURED else part.hit_rate.engine


@dataclass(frozen=True, slots=True)
class RequestComparison:
    """Two requests, the first divergence in wire order.

    ``common_tokens`` of ``prompt_tokens`` of the later request stand at the start of both; ``earlier_tokens`` is the length of
    the earlier one. ``cause`` is None where one goes on where the other ends or both are alike, ``new-content``
    where nothing is lost. ``lost_tokens`` stand behind the divergence in both and are computed again, an estimate.
    ``parameters`` are names of those that differ.
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
    parameters: tuple[str, ...]
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
        return self.lost_tokens > 0


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


Comparison = LogComparison | RequestComparison | TemplateComparison

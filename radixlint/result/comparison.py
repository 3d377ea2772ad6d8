"""What ``diff`` found between two parts of traffic."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radixlint.result.evidence import Evidence
from radixlint.result.hit_rates import HitRates
from radixlint.result.pair_comparison import RequestComparison, TemplateComparison


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
    ONCE = "once"
    """New, but in one request only: listed, and no verdict rests on it."""
    STAYED = "stayed"
    SHRANK = "shrank"
    ENDED = "ended"


class Unit(StrEnum):
    """What the tokens of a change are counted by."""

    DAY = "tokens a day"
    THOUSAND = "tokens per 1,000 requests"
    """Too short to be a day's worth, or without times."""
    REQUEST = "tokens per request"
    """Too few requests to be the worth of a thousand."""


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
        """Tokens computed more than before, at equal traffic."""
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

    ``change_tokens`` are at equal traffic, in the unit of the comparison. ``first_seen_s`` is when the first request with it was
    sent, in whichever part. ``since_s`` and ``since_request`` are those of the first request from which on it began or
    grew; None for others, and where the log has no times. Texts follow the privacy rule.
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
    since_s: float | None
    since_request: str | None
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
    far rates of such parts differ by chance; a change within it and within ``tolerance_rate`` is none. ``unit`` is that of the
    tokens of ``effects`` and of changes. ``when_s`` is when the change began, as closely as the log shows, and
    ``when_request`` with which request; ``what`` began to change and what there is to ``do`` are phrases. ``is_sure`` is False
    where the parts are too small for more than a hint, ``is_reversed`` True where the first part was sent later. ``is_worse``
    is what ``--fail`` asks; ``is_better`` that what changed most did so for the better.
    """

    before: ComparedPart
    after: ComparedPart
    served: Evidence
    blame: Blame
    is_worse: bool
    is_sure: bool
    is_reversed: bool
    when_s: float | None
    when_request: str | None
    what: str
    do: str
    effects: Effects
    unit: Unit
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
    is_better: bool = False

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


Comparison = LogComparison | RequestComparison | TemplateComparison

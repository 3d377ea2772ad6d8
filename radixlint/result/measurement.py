"""What ``analyze`` measured in a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from radixlint.result.breaks import Break, Cleared, OneTimeChange
from radixlint.result.cause import Cause
from radixlint.result.curve import Curve
from radixlint.result.estimate import Estimate, PrefixMemory
from radixlint.result.evidence import Evidence
from radixlint.result.groups import ColdStart, Group, Reuse, Turns
from radixlint.result.hit_rates import HitRates
from radixlint.result.money import Money
from radixlint.result.remedy import Remedy

AGREEMENT_LIMIT: Final = 0.05
"""How far our prompt tokens may be from the reported ones, as a share, before layout or tokenizer is doubted."""


class Show(StrEnum):
    """How much text a report may hold."""

    SHARED = "shared"
    """Text that occurs in at least five conversations; the shape of the rest."""
    TEXT = "text"
    """All text, secrets masked."""
    HASH = "hash"
    """No text: a hash and a length in its place."""


@dataclass(frozen=True, slots=True)
class EngineUsed:
    """The cache rules the engine figure rests on; sizes in tokens, None and 0 for no limit (see ``CachePolicy``).

    ``ttl_s`` is the time to live since the last use; ``replicas`` separate caches share the requests by ``routing``;
    ``in_flight`` is the batch size of the lower bound, 0 for one request at a time.
    """

    name: str
    block_tokens: int
    kv_tokens: int | None
    evidence: Evidence
    source: str
    match: str = "block"
    store: str = "tree"
    eviction: str = "lru"
    min_tokens: int = 0
    ttl_s: float | None = None
    chunk_tokens: int | None = None
    replicas: int = 1
    routing: str | None = None
    in_flight: int = 0


@dataclass(frozen=True, slots=True)
class EngineLog:
    """What the engine's own statistics lines say: measured, but not request by request (see ``EngineStats``)."""

    engine: str
    lines: int
    new_tokens: int | None
    cached_tokens: int | None
    computed_tokens: int | None
    hit_rate: float | None
    window_hit_rate: float | None
    window_requests: int | None
    peak_kv_usage_rate: float | None
    kv_tokens: int | None
    block_tokens: int | None


@dataclass(frozen=True, slots=True)
class WaterfallEntry:
    """Tokens with one cause; entries sum to the prompt tokens, the first is ``hit``."""

    cause: str
    tokens: int


@dataclass(frozen=True, slots=True)
class UsageAgreement:
    """Our prompt tokens / reported prompt tokens over requests with usage: count, median, 95th percentile.

    ``format`` and ``model`` are the log format and the model of these requests, None for all together or where none is named.
    """

    requests: int
    median_ratio: float
    p95_ratio: float
    format: str | None = None
    model: str | None = None

    @property
    def is_off(self) -> bool:
        """Whether layout or tokenizer must differ from the server's: median or 95th percentile over 5 % off."""
        return max(abs(self.median_ratio - 1), abs(self.p95_ratio - 1)) > AGREEMENT_LIMIT


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """How much of the tree is drawn: ``depth`` levels below the root, at most ``width`` children of each node."""

    depth: int = 3
    width: int = 5


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of the drawn prefix tree: ``requests`` pass through ``tokens`` tokens that start at ``depth_tokens``."""

    label: str
    depth_tokens: int
    tokens: int
    requests: int
    children: tuple[TreeNode, ...]
    hidden_children: int
    hidden_requests: int


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One line of ``--per-request``, in file order; ``id`` is a hash where no text may be shown.

    Matched tokens are None for a request whose prompt is not in the log; ``prompt_tokens`` is then what was reported.
    """

    index: int
    id: str | None
    prompt_tokens: int | None
    shareable_tokens: int | None
    engine_tokens: int | None
    reported_tokens: int | None
    cause: str


class MeasuredTokens(NamedTuple):
    """Tokens of one request whose prompt is known."""

    prompt_tokens: int
    shareable_tokens: int
    engine_tokens: int


@dataclass(frozen=True, slots=True)
class AnalyzeReport:
    """All that one ``analyze`` run has to say; token fields are sums over the requests read.

    ``alterations`` are those of the ``notes`` that tell what was skipped, dropped or altered in reading. ``output_requests``
    tell their output length. Where no record holds its prompt, matched tokens are None and ``prompt_tokens`` are the
    reported ones; where some do, ``measured_requests`` of them, the rates are theirs. ``agreement`` is over all models,
    ``agreements`` are by log format and model where there are several. ``namespaces`` are the different ones of the log,
    ``namespaces_per_model`` the most that the requests of one model have: 1 where the log does not tell tenants apart.
    ``is_partial`` says that the options on records left requests out.
    ``provider_hint`` says whose rules to replay where nobody named an engine and a hosted provider serves the model.
    ``unlisted_breaks`` were found and are smaller than those in ``breaks``. ``applications`` tells by a number, for each request
    whose prompt is known and by time, whose tools and instructions it is like; empty where that was not worked out.
    ``one_time`` are changes that are no break. ``has_repeats`` tells that prompts known by token ids alone were searched for
    what was sent before.
    ``together`` is what the best remedies of several breaks bring, one after another. ``curve`` is None unless asked for,
    ``money`` empty unless a price is known. ``estimate`` and ``shared_prefix_memory`` are
    None unless a model was named.
    """

    input_format: str
    records: int
    read: int
    skipped: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    requests: int
    measured_requests: int
    prompt_tokens: int
    shareable_tokens: int | None
    engine_tokens: int | None
    reported_tokens: int | None
    hit_rate: HitRates
    request_hit_rate: HitRates
    last_half: HitRates
    distinct_tokens: int
    engine: EngineUsed
    layout: str
    tokenizer: str
    tokenizer_evidence: Evidence
    agreement: UsageAgreement | None
    waterfall: tuple[WaterfallEntry, ...]
    unexplained_tokens: int | None
    engine_blocks: int
    blocks: int
    output_tokens: int | None = None
    output_requests: int = 0
    namespaces: int = 1
    namespaces_per_model: int = 1
    longest_shared_tokens: int = 0
    breaks: tuple[Break, ...] = ()
    unlisted_breaks: int = 0
    applications: Sequence[int] = ()
    cleared: tuple[Cleared, ...] = ()
    one_time: tuple[OneTimeChange, ...] = ()
    together: Remedy | None = None
    tree: TreeNode | None = None
    rows: Sequence[RequestRow] = ()
    alterations: tuple[str, ...] = ()
    agreements: tuple[UsageAgreement, ...] = ()
    groups: tuple[Group, ...] = ()
    turns: Turns | None = None
    reuse: Reuse | None = None
    cold_start: ColdStart | None = None
    engine_log: tuple[EngineLog, ...] = ()
    is_partial: bool = False
    provider_hint: str | None = None
    curve: Curve | None = None
    money: tuple[Money, ...] = ()
    estimate: Estimate | None = None
    shared_prefix_memory: PrefixMemory | None = None
    has_repeats: bool = False

    @property
    def is_explained(self) -> bool:
        """Whether breaks were looked for: then what is lost without a break is new content."""
        return any(entry.cause == Cause.NEW_CONTENT for entry in self.waterfall) or bool(self.breaks)

    @property
    def tells_breaks(self) -> bool:
        """Whether breaks would have been found: texts or token ids were looked at, not the blocks of a trace."""
        return bool(self.applications) or self.has_repeats

    @property
    def measured_rows(self) -> list[MeasuredTokens]:
        """The tokens of the requests whose prompts are known, in file order."""
        return [
            MeasuredTokens(row.prompt_tokens, row.shareable_tokens, row.engine_tokens)
            for row in self.rows
            if row.prompt_tokens is not None and row.shareable_tokens is not None and row.engine_tokens is not None
        ]

    @property
    def output_tokens_mean(self) -> float | None:
        """Mean output tokens over the requests that tell theirs, None if none does."""
        return None if self.output_tokens is None or not self.output_requests else self.output_tokens / self.output_requests

    @property
    def reporting_requests(self) -> int:
        """How many requests report their cached tokens."""
        return sum(row.reported_tokens is not None for row in self.rows)

"""What ``analyze`` measured in a log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from radixlint.result.estimate import Estimate, PrefixMemory
from radixlint.result.evidence import Evidence

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
class HitRates:
    """Matched tokens / prompt tokens, 0..1; None where unknown or where there is no token to divide by."""

    shareable: float | None
    engine: float | None
    reported: float | None


@dataclass(frozen=True, slots=True)
class EngineUsed:
    """The cache rules the engine figure rests on."""

    name: str
    block_tokens: int
    kv_tokens: int | None
    evidence: Evidence
    source: str


@dataclass(frozen=True, slots=True)
class WaterfallEntry:
    """Tokens with one cause; entries sum to the prompt tokens, the first is ``hit``."""

    cause: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Break:
    """A place where requests stop matching.

    ``lost_tokens`` are prompt tokens computed behind it over all ``requests``; ``repeated_tokens`` of them stood in the
    request they parted from as well, so another order could have shared them. ``before`` and ``after`` are the two
    texts around the place, under the privacy rule; ``values`` counts the different continuations seen.
    """

    cause: str
    where: str
    token_index: int
    requests: int
    lost_tokens: int
    repeated_tokens: int
    values: int
    shared: str
    before: str
    after: str
    examples: tuple[str, ...] = ()
    fix: str | None = None
    hit_rate_after: float | None = None


@dataclass(frozen=True, slots=True)
class UsageAgreement:
    """Our prompt tokens / reported prompt tokens over requests with usage: count, median, 95th percentile."""

    requests: int
    median_ratio: float
    p95_ratio: float

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
    """One line of ``--per-request``, in file order; ``id`` is a hash where no text may be shown."""

    index: int
    id: str | None
    prompt_tokens: int
    shareable_tokens: int
    engine_tokens: int
    reported_tokens: int | None
    cause: str


@dataclass(frozen=True, slots=True)
class AnalyzeReport:
    """All that one ``analyze`` run has to say; token fields are sums over the requests read.

    ``alterations`` are those of the ``notes`` that tell what was skipped, dropped or altered in reading. ``output_requests``
    tell their output length. ``namespaces`` are the different ones of the log, ``namespaces_per_model`` the most that the
    requests of one model have: 1 where the log does not tell tenants apart. ``estimate`` and ``shared_prefix_memory`` are
    None unless a model was named.
    """

    input_format: str
    records: int
    read: int
    skipped: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    requests: int
    prompt_tokens: int
    output_tokens: int | None
    shareable_tokens: int
    engine_tokens: int
    reported_tokens: int | None
    hit_rate: HitRates
    request_hit_rate: HitRates
    last_half: HitRates
    distinct_tokens: int
    longest_shared_tokens: int
    engine: EngineUsed
    layout: str
    tokenizer: str
    tokenizer_evidence: Evidence
    agreement: UsageAgreement | None
    waterfall: tuple[WaterfallEntry, ...]
    unexplained_tokens: int | None
    breaks: tuple[Break, ...]
    engine_blocks: int
    blocks: int
    tree: TreeNode | None
    rows: tuple[RequestRow, ...]
    alterations: tuple[str, ...] = ()
    output_requests: int = 0
    namespaces: int = 1
    namespaces_per_model: int = 1
    estimate: Estimate | None = None
    shared_prefix_memory: PrefixMemory | None = None

    @property
    def output_tokens_mean(self) -> float | None:
        """Mean output tokens over the requests that tell theirs, None if none does."""
        return None if self.output_tokens is None or not self.output_requests else self.output_tokens / self.output_requests

    @property
    def reporting_requests(self) -> int:
        """How many requests report their cached tokens."""
        return sum(row.reported_tokens is not None for row in self.rows)

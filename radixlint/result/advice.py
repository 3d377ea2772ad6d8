"""The go/no-go report as values: five parts and what to read next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radixlint.result.estimate import Estimate, PrefixMemory
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import UsageAgreement
from radixlint.result.order_audit import OrderAudit
from radixlint.result.workload import Workload


class Verdict(StrEnum):
    """The one word of the report; only ``GO`` ends with exit code 0."""

    GO = "GO"
    NO_GO = "NO-GO"
    RUN_BOTH = "RUN BOTH"
    NOT_ENOUGH_DATA = "NOT ENOUGH DATA"


class Reason(StrEnum):
    """Why the verdict is what it is; each goes with one verdict."""

    NO_CONTROL = "no-control-of-the-template"
    SINGLE_SHOT = "single-shot"
    NO_LOG = "no-log"
    TOO_FEW_REQUESTS = "too-few-requests"
    NO_TOKENS = "no-prompt-tokens"
    OTHER_TOKENS = "layout-or-tokenizer-differs"
    COUNTER_SHOWS_NONE = "counter-shows-none"
    TENANTS_NOT_TOLD_APART = "tenants-not-told-apart"
    PARTIAL_LOG = "partial-log"
    ABOVE_GO = "above-go"
    BELOW_NO_GO = "below-no-go"
    ORDER_HIDES_SHARING = "order-hides-sharing"
    BETWEEN = "between"
    COUNTER_DISAGREES = "counter-disagrees"


class Caution(StrEnum):
    """What the reader must know before acting on a verdict."""

    TENANT_BUDGETS = "tenant-budgets"
    ORDER = "order"
    UNREAD_RECORDS = "unread-records"
    COUNTER_BELOW_LOG = "counter-below-log"
    NOT_SINGLE_SHOT = "not-single-shot"


class DifferenceKind(StrEnum):
    """In what the engines can differ for one workload."""

    UNIT = "unit-of-reuse"
    ROOM = "order-and-eviction"
    ROUTING = "routing"


class TrafficKind(StrEnum):
    """How much of the prompts is repeated from earlier requests."""

    PREFIX_HEAVY = "prefix-heavy"
    MIXED = "mixed"
    PREFIX_LIGHT = "prefix-light"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Hit rates, 0..1: above ``go_rate`` the verdict is go, below ``no_go_rate`` no-go, between them run both.

    Under ``least_requests`` requests there is no verdict.
    """

    go_rate: float = 0.40
    no_go_rate: float = 0.30
    least_requests: int = 100


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What the log shows of the traffic.

    ``shared_prefix_tokens`` is the longest prefix that at least half of the requests have in common, 0 if there is none;
    ``median_match_tokens`` what the median request shares with any earlier one, from its first token on, history included.
    ``repetition_rate`` is requests that share ``repetition_tokens`` or more with an earlier one / all requests;
    that length is the shared prefix, or one vLLM block where there is none. Prompt figures are ``evidence``; the output
    length is ``output_evidence``, None if unknown. ``notes`` say what the log lacks.
    """

    kind: TrafficKind
    requests: int
    prompt_tokens_mean: float
    tokenizer: str
    tokenizer_evidence: Evidence
    output_tokens_mean: float | None
    output_evidence: Evidence | None
    shared_prefix_tokens: int
    median_match_tokens: int
    repetition_rate: float
    repetition_tokens: int
    evidence: Evidence
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportedUse:
    """What the server counted in a log without prompts, which cannot be replayed: all measured, None where it is not counted.

    ``cached_tokens`` and ``hit_rate`` are over the ``reporting_requests`` of ``requests``; of a log of statistics lines alone
    (no requests) they are over all lines. ``window_hit_rate`` is what the engine last printed, over its newest requests. The
    means are a request. ``notes`` say what the log lacks.
    """

    requests: int
    reporting_requests: int
    cached_tokens: int | None
    hit_rate: float | None
    window_hit_rate: float | None
    prompt_tokens_mean: float | None
    output_tokens_mean: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RateLine:
    """One hit rate, matched / prompt tokens, 0..1; None where unknown."""

    label: str
    whole_log: float | None
    last_half: float | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class PriorBand:
    """A band for a kind of workload, assumed; shown beside the measured rates, never used."""

    label: str
    low_rate: float
    high_rate: float


@dataclass(frozen=True, slots=True)
class ExpectedRates:
    """Hit rates of this log: lower bounds when the log is partial, upper bounds when it does not tell tenants apart."""

    lines: tuple[RateLine, ...]
    is_lower_bound: bool
    is_upper_bound: bool


@dataclass(frozen=True, slots=True)
class Differences:
    """What differs between SGLang and vLLM for this log and this hardware; both cache prefixes by default (static).

    ``page_gain_rate`` is how much higher SGLang's hit rate is from its smaller unit of reuse alone; ``need_bytes`` what all
    distinct tokens of the log take, both of class ``evidence``. ``room_bytes`` is the KV memory of one of ``replicas``
    replicas, assumed. Both sizes are None without model and GPU. ``large`` are the differences big enough for a verdict to
    rest on, none if the engines are as good as equal here.
    """

    page_gain_rate: float
    sglang_page_tokens: int
    vllm_block_tokens: int
    need_bytes: int | None
    room_bytes: float | None
    replicas: int
    evidence: Evidence
    large: tuple[DifferenceKind, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict, what it rests on, and what the reader must know before acting on it.

    ``engine`` is the engine the verdict points to, None without one. ``decision_rate`` was compared with the thresholds,
    and so was ``reported_rate``, the server's own counter over ``reporting_requests`` requests, None if it is not in the
    log. ``agreement`` is how our prompt tokens compare with the server's. ``mended_rate`` is ``decision_rate`` with the
    worst break mended (``mended_evidence``: simulated, or its repeated tokens added), None without a break. ``unread_records`` of
    ``records`` could not be read. ``differences`` is None without a log.
    """

    verdict: Verdict
    reason: Reason
    engine: str | None
    decision_rate: float | None
    decision_evidence: Evidence | None
    mended_rate: float | None
    mended_evidence: Evidence | None
    reported_rate: float | None
    reporting_requests: int
    agreement: UsageAgreement | None
    requests: int
    records: int
    unread_records: int
    is_partial: bool
    differences: Differences | None
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True)
class RolloutStep:
    """One step of the plan: when, what, and the exact commands."""

    hours: str
    title: str
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rollout:
    """The 48-hour plan and what the new engine must reach; without a shadow run nothing ships and the targets are None.

    ``target_rate`` is the hit rate for the order as sent, of class ``target_evidence``; ``mended_rate`` the same with the
    worst break mended (``mended_evidence``), None without a break; ``throughput_gain_rate`` how
    much more throughput a change of engine must bring (assumed).
    """

    steps: tuple[RolloutStep, ...]
    target_rate: float | None = None
    target_evidence: Evidence | None = None
    mended_rate: float | None = None
    mended_evidence: Evidence | None = None
    throughput_gain_rate: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What to read next, by the biggest gap."""

    gap: str
    text: str
    link: str


@dataclass(frozen=True, slots=True)
class Advice:
    """All the report says; ``fingerprint``, ``rates`` and ``estimate`` are None without a log.

    ``reported`` takes the place of the ``fingerprint`` for a log without prompts; it is None for any other.
    """

    workload: Workload
    thresholds: Thresholds
    fingerprint: Fingerprint | None
    audit: OrderAudit
    rates: ExpectedRates | None
    prior: PriorBand
    decision: Decision
    estimate: Estimate | None
    memory: PrefixMemory | None
    rollout: Rollout
    reading: Reading
    reported: ReportedUse | None = None

"""What ``simulate`` and ``demo`` found: one run a policy and cache size."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.estimate import PrefixMemory
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import RequestRow


@dataclass(frozen=True, slots=True)
class SimulationRun:
    """One policy on one cache size; token fields are sums over all requests, those that do not fit included.

    ``kv_tokens`` is the room in the cache in tokens. A request that does not fit even alone (``unfit_requests``) is
    refused by the engine: never served, nothing cached. ``hit_rate`` is cached / prompt tokens, None without prompt tokens.
    ``unsorted_picks`` of the ``served_requests`` were picked in order of arrival though the policy sorts, because the
    queue was longer than what it sorts.
    """

    policy: str
    kv_tokens: int
    served_requests: int
    unfit_requests: int
    unfit_tokens: int
    prompt_tokens: int
    cached_tokens: int
    hit_rate: float | None
    evicted_tokens: int
    unsorted_picks: int


@dataclass(frozen=True, slots=True)
class ServedRow(RequestRow):
    """One line of ``--per-request`` of a simulation, in file order.

    ``served`` counts served requests from 0, None for one that does not fit. ``shareable_tokens`` is what an unlimited
    cache would have held in this order of serving.
    """

    served: int | None


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """All that one ``simulate`` run has to say.

    ``source`` names the log files or the workload; ``input_format`` is ``workload`` for the latter, with its ``seed``.
    ``longest_tokens`` is the longest prompt with its output, ``distinct_tokens`` what an unlimited cache holds in the
    end. ``chunk_tokens`` is the longest piece of a prompt prefilled at once, None for the whole. ``runs`` go by cache size,
    then by policy; ``rows`` are there for a single run only.
    """

    source: str
    input_format: str
    seed: int | None
    records: int
    read: int
    skipped: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    requests: int
    prompt_tokens: int
    longest_tokens: int
    distinct_tokens: int
    engine: str
    page_tokens: int
    eviction: str
    tokenizer: str
    tokenizer_evidence: Evidence
    runs: tuple[SimulationRun, ...]
    rows: tuple[ServedRow, ...] = ()
    alterations: tuple[str, ...] = ()
    chunk_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class DemoColumn:
    """One load under one policy; ``hit_rates`` and ``evicted_tokens`` go by the sizes of the report."""

    workload: str
    policy: str
    hit_rates: tuple[float, ...]
    evicted_tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DemoReport:
    """The story of order, cache size and policy on an invented load.

    ``parts`` are the parts of a prompt with their tokens; ``sizes`` the cache sizes in tokens, rising, ``size_bytes``
    the same for the model of ``memory``, ``unfit_requests`` how many requests do not fit. ``memory`` is what the
    shared first part costs. ``findings`` are sentences chosen by the figures.
    """

    seed: int
    requests: int
    prompt_tokens: int
    documents: int
    parts: tuple[tuple[str, int], ...]
    page_tokens: int
    sizes: tuple[int, ...]
    size_bytes: tuple[int, ...]
    unfit_requests: tuple[int, ...]
    columns: tuple[DemoColumn, ...]
    memory: PrefixMemory
    findings: tuple[str, ...]

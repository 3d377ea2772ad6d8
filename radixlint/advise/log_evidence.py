"""What a verdict may rest on: one log, replayed under the rules of both engines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.workload import EngineToday, Workload

BAD_RECORD_RATE: Final = 0.05
"""Over this share of unreadable records a log counts as partial."""

AGREEMENT_LIMIT: Final = 0.05
"""How far our prompt tokens may be from the server's, as a share, before the replay counts as assumed."""


@dataclass(frozen=True, slots=True)
class LogEvidence:
    """The same requests under vLLM's and SGLang's default rules, both with room for everything.

    ``output_tokens_mean`` is the mean over the requests that tell their output length, None if none does.
    """

    vllm: AnalyzeReport
    sglang: AnalyzeReport
    output_tokens_mean: float | None

    def today(self, workload: Workload) -> AnalyzeReport:
        """Return the report under the rules of the engine in use; vLLM's where that is unknown."""
        return self.sglang if workload.engine_today is EngineToday.SGLANG else self.vllm

    @property
    def page_gain_rate(self) -> float:
        """How much higher SGLang's hit rate is than vLLM's, from the unit of reuse alone."""
        return (self.sglang.hit_rate.engine or 0.0) - (self.vllm.hit_rate.engine or 0.0)

    @property
    def is_partial(self) -> bool:
        """Whether so many records could not be read that every rate is a lower bound."""
        return self.vllm.records - self.vllm.read > BAD_RECORD_RATE * self.vllm.records

    @property
    def evidence(self) -> Evidence:
        """How sure the replayed figures are: simulated, or assumed where layout or tokenizer differ from the server's."""
        agreement = self.vllm.agreement
        if agreement is None:
            return Evidence.SIMULATED
        apart = max(abs(agreement.median_ratio - 1), abs(agreement.p95_ratio - 1))
        return Evidence.ASSUMED if apart > AGREEMENT_LIMIT else Evidence.SIMULATED

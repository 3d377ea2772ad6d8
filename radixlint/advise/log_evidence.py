"""What a verdict may rest on: one log, replayed under the rules of both engines."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.workload import EngineToday, Workload
from radixlint.traffic import has_too_many_bad_records


@dataclass(frozen=True, slots=True)
class LogEvidence:
    """The same requests under vLLM's and SGLang's default rules, both with room for everything."""

    vllm: AnalyzeReport
    sglang: AnalyzeReport

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
        return has_too_many_bad_records(self.vllm.records, self.vllm.read)

    @property
    def evidence(self) -> Evidence:
        """How sure the replayed figures are: simulated, or assumed where layout or tokenizer differ from the server's."""
        agreement = self.vllm.agreement
        return Evidence.ASSUMED if agreement is not None and agreement.is_off else Evidence.SIMULATED

    def has_untold_tenants(self, workload: Workload) -> bool:
        """Whether tenants must be kept apart but the log has one namespace for all, so that every rate is an upper bound."""
        return workload.separate_kv_pools and workload.tenants > 1 and self.vllm.namespaces_per_model <= 1

"""How a team describes its traffic: what no log and no template can say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """A part of a prompt, as named in ``template_shape``."""

    SYSTEM = "system"
    TOOLS = "tools"
    EXAMPLES = "examples"
    DOCUMENTS = "documents"
    RETRIEVAL = "retrieval"
    HISTORY = "history"
    USER = "user"


class RetrievalPattern(StrEnum):
    """When retrieved text changes."""

    NONE = "none"
    FIXED = "fixed"
    PER_CONVERSATION = "per-conversation"
    PER_TURN = "per-turn"


class WorkloadKind(StrEnum):
    """The kind of application, as far as a customary hit rate is known for it."""

    CHAT = "chat"
    RAG = "rag"
    VOICE = "voice"
    VISION = "vision"


class EngineToday(StrEnum):
    """What serves the traffic now."""

    VLLM = "vllm"
    SGLANG = "sglang"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Hardware:
    """What the model runs on; None where the description does not say. ``replicas`` share the traffic."""

    gpu: str | None = None
    model: str | None = None
    gpus_per_replica: int = 1
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class Workload:
    """One workload as described; nothing here is measured.

    ``template_shape`` is the order of the prompt's parts as sent, ``conversation_turns`` the mean number of turns,
    ``controls_template`` whether the team can change the order, ``separate_kv_pools`` whether tenants must not share
    memory, ``single_shot`` whether no two requests share a preamble, ``output_tokens`` the mean reply length if known.
    ``kind`` chooses the customary hit rate shown beside the measured one; None lets the retrieval pattern choose.
    """

    name: str
    template_shape: tuple[Part, ...]
    retrieval_pattern: RetrievalPattern
    conversation_turns: float
    tenants: int
    controls_template: bool
    separate_kv_pools: bool = False
    single_shot: bool = False
    engine_today: EngineToday | None = None
    output_tokens: float | None = None
    hardware: Hardware = Hardware()
    kind: WorkloadKind | None = None

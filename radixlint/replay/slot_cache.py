"""llama.cpp's cache: each slot keeps the tokens of its last request, and nothing else."""

from __future__ import annotations

from typing import Final

from radixlint.errors import ConfigError
from radixlint.radix.node import shared_bytes
from radixlint.replay.hit_size import capacity_ids, hit_size, reach_ids
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.request_rules import rules_for
from radixlint.traffic import TOKEN_BYTES, CachePolicy, TokenRequest

SIMILARITY: Final = 0.10
"""A slot is chosen for its content if it holds more than this share of the prompt as a prefix."""


class _Slot:
    """What a slot holds since its last request, ``used`` counting requests."""

    __slots__ = ("namespace", "sequence", "used")

    def __init__(self) -> None:
        self.namespace = ""
        self.sequence = b""
        self.used = 0


class SlotCache:
    """A ``PrefixCache`` with the rules of ``store`` slots.

    The slot with the longest common prefix is taken if that is more than a tenth of the prompt, else the one unused for
    longest. ``policy.kv_tokens`` are shared out evenly; a request longer than its slot is refused. The server's further
    prompt cache in host memory is not modelled.

    Raises:
        ConfigError: there is no slot.

    Source: llama.cpp server, ``get_available_slot`` (``--slot-prompt-similarity`` 0.10, a strict comparison).
    """

    def __init__(self, policy: CachePolicy, id_tokens: int = 1) -> None:
        if policy.slots < 1:
            raise ConfigError(f"a server needs at least one slot, not {policy.slots}")
        room = capacity_ids(policy, id_tokens)
        self._policy = policy
        self._slot_bytes = None if room is None else room // policy.slots * TOKEN_BYTES
        self._slots = [_Slot() for _ in range(policy.slots)]
        self._served = 0

    def match(self, request: TokenRequest) -> Hit:
        if not self._has_room(request):
            return MISS
        return self._hit(request, self._choose(request)[1])

    def serve(self, request: TokenRequest) -> Hit:
        if not self._has_room(request):
            return MISS
        slot, shared = self._choose(request)
        self._served += 1
        slot.namespace, slot.sequence, slot.used = request.namespace, request.tokens + request.output, self._served
        return self._hit(request, shared)

    def _choose(self, request: TokenRequest) -> tuple[_Slot, int]:
        """Return the slot for ``request`` and the bytes it shares with it."""
        size = len(request.tokens)
        shared = [
            shared_bytes(slot.sequence, request.tokens, 0, size) if slot.namespace == request.namespace else 0
            for slot in self._slots
        ]
        best = max(range(len(shared)), key=lambda i: shared[i])
        if shared[best] <= SIMILARITY * size:
            best = min(range(len(shared)), key=lambda i: self._slots[i].used)
        return self._slots[best], shared[best]

    def _has_room(self, request: TokenRequest) -> bool:
        return self._slot_bytes is None or len(request.tokens) + len(request.output) <= self._slot_bytes

    def _hit(self, request: TokenRequest, shared: int) -> Hit:
        found = min(shared // TOKEN_BYTES, reach_ids(request, self._policy))
        return hit_size(request.prompt_tokens, found, request.id_tokens, rules_for(request.limits, self._policy))

"""A cache of whole prefix units: where a provider cuts them, and that only a whole one is a hit (match ``unit``)."""

from __future__ import annotations

from radixlint.radix import RadixTree
from radixlint.replay.entry_cache import refuse_size
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.prefix_entries import PrefixEntries, PrefixKey, prefix_keys
from radixlint.replay.request_rules import rules_for
from radixlint.traffic import TOKEN_BYTES, CachePolicy, TokenRequest


class UnitCache:
    """Units written at the end of the input, at the end of the output, at common prefixes and at fixed intervals.

    A unit is a prefix from the first token on; a prompt hits the longest live one that it starts with, whole, with
    ``computed_tail_tokens`` left to compute. Ends of units are rounded down to ``block_tokens``. The input ends behind the
    last content block (behind the prompt where the request was not laid out). What a prompt has in common with an earlier
    prompt or output becomes a unit only then: A+B, then A+C misses, then A+D hits A. Intervals are ``unit_tokens``, none
    for 0. A use starts a unit's time to live anew. The limits of a request's own count for what it writes.

    Raises:
        DataError: the policy has a size; hosted caches have none that could be set.

    Source: DeepSeek API guide "Context Caching" of the V4 models; see ``providers/deepseek.yaml``.
    """

    def __init__(self, policy: CachePolicy) -> None:
        refuse_size(policy)
        self._policy = policy
        self._entries = PrefixEntries()
        self._trees: dict[int, RadixTree] = {}
        self._served = 0

    def match(self, request: TokenRequest) -> Hit:
        """Return what ``request`` would hit now."""
        key = self._find(request)
        return MISS if key is None else self._hit(request, key)

    def serve(self, request: TokenRequest) -> Hit:
        """Return what ``request`` hits, and keep the units it writes."""
        key = self._find(request)
        if key is not None:
            self._entries.use(key, request.time_s)
        self._write(request)
        return MISS if key is None else self._hit(request, key)

    def _hit(self, request: TokenRequest, key: PrefixKey) -> Hit:
        return Hit(key[1], -(-key[1] // max(self._policy.block_tokens, request.id_tokens)))

    def _find(self, request: TokenRequest) -> PrefixKey | None:
        ids = (request.prompt_tokens - self._policy.computed_tail_tokens) // request.id_tokens
        common = self._tree(request).match(request.tokens, request.namespace, limit_tokens=ids) * request.id_tokens
        ends = self._entries.lengths(request.namespace, common)
        return self._entries.longest(prefix_keys(request, request.tokens, ends), request.time_s)

    def _write(self, request: TokenRequest) -> None:
        sequence = request.tokens + request.output
        inserted = self._tree(request).insert(sequence, now=self._served, namespace=request.namespace)
        self._served += 1
        total_tokens = request.prompt_tokens + len(request.output) // TOKEN_BYTES * request.id_tokens
        input_tokens = request.block_ends[-1] if request.block_ends else request.prompt_tokens
        common_tokens = min(total_tokens, inserted.matched_tokens * request.id_tokens)
        ends = {input_tokens, total_tokens, common_tokens}
        if self._policy.unit_tokens:
            ends.update(range(self._policy.unit_tokens, total_tokens, self._policy.unit_tokens))
        rules = rules_for(request.limits, self._policy)
        least = max(1, rules.min_tokens)
        rounded = {self._rounded(end, request.id_tokens) for end in ends}
        for key in prefix_keys(request, sequence, (end for end in rounded if end >= least)):
            self._entries.store(key, request.time_s, rules.ttl_s)

    def _rounded(self, end_tokens: int, id_tokens: int) -> int:
        grain = self._grain_ids(id_tokens) * id_tokens
        return end_tokens - end_tokens % grain

    def _grain_ids(self, id_tokens: int) -> int:
        return max(1, self._policy.block_tokens // id_tokens)

    def _tree(self, request: TokenRequest) -> RadixTree:
        """Return what finds common prefixes, in pages of one grain: one tree for each size of id."""
        tree = self._trees.get(request.id_tokens)
        if tree is None:
            tree = self._trees[request.id_tokens] = RadixTree(self._grain_ids(request.id_tokens))
        return tree

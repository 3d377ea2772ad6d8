"""A cache of prefixes that end at breakpoints: what a hosted API reads, writes and forgets (match ``breakpoint``)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from radixlint.errors import DataError
from radixlint.replay.prefix_cache import Hit
from radixlint.replay.prefix_entries import PrefixEntries, PrefixKey, prefix_keys
from radixlint.replay.request_rules import rules_for
from radixlint.traffic import CachePolicy, TokenMark, TokenRequest


class _Answer(Struct, frozen=True):
    """What a request reads and writes: the entry that was hit, and the keys of the kept prefixes with their times to live."""

    hit: Hit
    read: PrefixKey | None
    writes: tuple[tuple[PrefixKey, float | None], ...]


class EntryCache:
    """Entries written at breakpoints, found again from breakpoints.

    A request's marks are its explicit ones and the policy's implicit one, which stands behind the last content block (the
    newest message ends there). A hit is the longest live entry that is an exact prefix of the prompt and that one of the
    marks can see: of the ends of content blocks up to a mark, the last ``look_back_blocks`` (the mark's own end is the
    first of them), or all. Then the prefixes up to the latest ``max_marks`` marks are kept if they are ``min_tokens``
    long. A use starts an entry's time to live anew; requests without a time never expire anything. Without any mark
    nothing is read or written. The limits of a request's own count for what it writes. A mark asks for its time to live
    itself, else its request or the policy says it; a write is for the longer one if it lives at least ``long_ttl_s``.

    A request without block ends was not laid out: the implicit mark stands at its end, and every entry counts as seen, so
    that its hit is an upper figure.

    Raises:
        DataError: the policy has a size; hosted caches have none that could be set.

    Source: Anthropic "Prompt caching", OpenAI prompt caching guide for GPT-5.6 and later; see ``providers/*.yaml``.
    """

    def __init__(self, policy: CachePolicy) -> None:
        refuse_size(policy)
        self._policy = policy
        self._entries = PrefixEntries()

    def match(self, request: TokenRequest) -> Hit:
        """Return what ``request`` would read and write now."""
        return self._answer(request).hit

    def serve(self, request: TokenRequest) -> Hit:
        """Return what ``request`` reads and writes, and keep the entries it writes."""
        answer = self._answer(request)
        if answer.read is not None:
            self._entries.use(answer.read, request.time_s)
        for key, ttl_s in answer.writes:
            self._entries.store(key, request.time_s, ttl_s)
        return answer.hit

    def _answer(self, request: TokenRequest) -> _Answer:
        rules = rules_for(request.limits, self._policy)
        marks = _marks(request, rules)
        seen = self._seen_ends(request, marks)
        long_enough = [mark for mark in marks if mark.end_tokens >= rules.min_tokens]
        kept = long_enough[max(0, len(long_enough) - self._policy.max_marks) :]
        keys = {key[1]: key for key in prefix_keys(request, request.tokens, [*seen, *(mark.end_tokens for mark in kept)])}
        limit_tokens = request.prompt_tokens - self._policy.computed_tail_tokens
        read = self._entries.longest([keys[end] for end in seen if end <= limit_tokens], request.time_s)
        writes = tuple((keys[mark.end_tokens], _ttl_s(mark, rules)) for mark in kept)
        long = [
            key[1] for key, ttl_s in writes if ttl_s is not None and rules.long_ttl_s is not None and ttl_s >= rules.long_ttl_s
        ]
        return _Answer(self._hit(request, read[1] if read else 0, kept, max(long, default=0)), read, writes)

    def _hit(self, request: TokenRequest, read_tokens: int, kept: Sequence[TokenMark], long_tokens: int) -> Hit:
        """Count what is written beyond what was read: up to the last long-lived mark at its price, the rest at the other."""
        last_tokens = kept[-1].end_tokens if kept else 0
        return Hit(
            tokens=read_tokens,
            blocks=-(-read_tokens // max(self._policy.block_tokens, request.id_tokens)),
            written_tokens=max(0, last_tokens - read_tokens),
            written_long_tokens=max(0, long_tokens - read_tokens),
        )

    def _seen_ends(self, request: TokenRequest, marks: Sequence[TokenMark]) -> list[int]:
        """Return the places where an entry can be found, ascending."""
        if not marks:
            return []
        last_tokens = marks[-1].end_tokens
        own = {mark.end_tokens for mark in marks}
        if not request.block_ends:
            return sorted({*self._entries.lengths(request.namespace, last_tokens), *own})
        ends = sorted({*request.block_ends, *own})
        if self._policy.look_back_blocks is None:
            return ends[: bisect_right(ends, last_tokens)]
        seen: set[int] = set()
        for mark in marks:
            at = bisect_left(ends, mark.end_tokens) + 1
            seen.update(ends[max(0, at - self._policy.look_back_blocks) : at])
        return sorted(seen)


def _marks(request: TokenRequest, rules: CachePolicy) -> list[TokenMark]:
    """Return one mark a place, ascending; an explicit one stands in for the implicit one at the same place."""
    by_end: dict[int, TokenMark] = {}
    if rules.implicit_mark != "none":
        end_tokens = request.block_ends[-1] if request.block_ends else request.prompt_tokens
        by_end[end_tokens] = TokenMark(end_tokens)
    for mark in request.marks:
        by_end[mark.end_tokens] = mark
    return [by_end[end] for end in sorted(by_end) if 0 < end <= request.prompt_tokens]


def _ttl_s(mark: TokenMark, rules: CachePolicy) -> float | None:
    return rules.ttl_s if mark.ttl_s is None or rules.ttl_s is None or rules.has_one_ttl else mark.ttl_s


def refuse_size(policy: CachePolicy) -> None:
    """Refuse a policy of a hosted cache that is given a size.

    Raises:
        DataError: ``policy.kv_tokens`` is set.
    """
    if policy.kv_tokens is not None:
        raise DataError("the size of a hosted cache is not known and cannot be set", where=policy.name, hint="leave it out")

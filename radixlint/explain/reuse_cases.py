"""What a log tells of each request that should have been read from the cache: who had its prefix, when, where, sent how."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from radixlint.explain.prefix_holders import PrefixHolders
from radixlint.traffic import CachePolicy, Match, Request

_STEP_TOKENS: Final = 128
_CLEAR_SHARE: Final = 0.05
_MOST_HOLDERS: Final = 64
_MOST_CONTROLS: Final = 1_000
# An answer takes at least this long, and what was computed is there about this long after its end.
_FASTEST_TOKENS_PER_S: Final = 1_000
_SETTLING_S: Final = 1.0


class Case(Struct, frozen=True, gc=False):
    """A request that should have been read from the cache, and what was reported of it, in the server's own tokens.

    ``expected_tokens`` is the engine figure, scaled to the reported prompt length: two tokenizers count differently.
    """

    position: int
    expected_tokens: int
    cached_tokens: int
    is_short: bool

    @property
    def missing_tokens(self) -> int:
        """Tokens that should have been reported as cached and were not."""
        return max(0, self.expected_tokens - self.cached_tokens)


class Circumstances(Struct, frozen=True):
    """How a request stands to the earlier ones that had its prefix (the holders); None where the log does not tell.

    ``changed`` are the names of parameters in which it differs from its partner and from all holders. ``is_elsewhere``: it
    was served by another host than each of them. ``is_parallel``: no holder that is still kept can have ended when it
    began. ``gap_s`` is the time since the last that had, ``ttl_s`` how long that one is kept; ``gap_tokens`` the prompts
    sent in between. ``has_mark``: both sides have a mark, or need none.
    """

    changed: tuple[str, ...] = ()
    is_elsewhere: bool | None = None
    is_parallel: bool | None = None
    gap_s: float | None = None
    ttl_s: float | None = None
    gap_tokens: int | None = None
    has_mark: bool = True


def reported_ratio(request: Request, match: Match) -> float:
    """Return how many tokens the server counts for one of ours; 1.0 if it does not tell."""
    prompt_tokens = None if request.usage is None else request.usage.prompt_tokens
    return prompt_tokens / match.prompt_tokens if prompt_tokens and match.prompt_tokens else 1.0


def clear_tokens(expected_tokens: int, policy: CachePolicy) -> int:
    """Return how far a reported count may be from the expected one without meaning anything."""
    return max(policy.block_tokens, _STEP_TOKENS, int(expected_tokens * _CLEAR_SHARE))


def reuse_cases(requests: Sequence[Request], matches: Sequence[Match | None], policy: CachePolicy) -> list[Case]:
    """Return the requests with enough to be read from the cache that report how much was, short of it or not."""
    cases = []
    for position, (request, match) in enumerate(zip(requests, matches, strict=True)):
        cached = None if request.usage is None else request.usage.cached_tokens
        if match is None or cached is None or cached < 0:
            continue
        expected = int(match.engine_tokens * reported_ratio(request, match))
        slack = clear_tokens(expected, policy)
        if expected > slack:
            cases.append(Case(position, expected, cached, expected - cached > slack))
    return cases


def with_controls(cases: list[Case]) -> list[Case]:
    """Return those that are short and, to hold them against, some of those that are not, spread over the log."""
    hits = [case for case in cases if not case.is_short]
    return [case for case in cases if case.is_short] + hits[:: -(-len(hits) // _MOST_CONTROLS) or 1]


class CaseReader:
    """Tells the circumstances of cases of one log."""

    def __init__(
        self,
        requests: Sequence[Request],
        matches: Sequence[Match | None],
        partners: Sequence[int | None],
        policy: CachePolicy,
        cases: list[Case],
    ) -> None:
        self._requests = requests
        self._partners = partners
        self._policy = policy
        self._holders = PrefixHolders(matches, partners, (case.position for case in cases))
        self._sent_tokens = [0]
        for match in matches:
            self._sent_tokens.append(self._sent_tokens[-1] + (0 if match is None else match.prompt_tokens))

    def read(self, case: Case) -> Circumstances:
        """Return the circumstances of ``case``."""
        position = case.position
        request = self._requests[position]
        held = list(islice(self._holders.before(position), _MOST_HOLDERS))
        holders = [self._requests[one] for one in held]
        hosts = [one.host for one in holders]
        is_elsewhere = None if not held or request.host is None or None in hosts else request.host not in hosts
        near = [one for one in held if not is_elsewhere and (is_elsewhere is None or self._requests[one].host == request.host)]
        ended = [one for one in near if _has_ended(self._requests[one], request)]
        last = self._requests[ended[0]] if ended else None
        gap_s = None if last is None or last.time_s is None or request.time_s is None else request.time_s - last.time_s
        ttl_s = None if last is None else self._ttl_s(last)
        is_expired = gap_s is not None and ttl_s is not None and gap_s > ttl_s
        is_timed = bool(near) and request.time_s is not None and self._requests[near[0]].time_s is not None
        return Circumstances(
            changed=self._changed(position, holders),
            is_elsewhere=is_elsewhere,
            is_parallel=len(near) > len(ended) and (not ended or is_expired) if is_timed else None,
            gap_s=None if gap_s is None else max(0.0, gap_s),
            ttl_s=ttl_s,
            gap_tokens=self._sent_tokens[position] - self._sent_tokens[ended[0] + 1] if ended else None,
            has_mark=_has_mark(request, self._policy) and (not holders or any(_has_mark(one, self._policy) for one in holders)),
        )

    def _changed(self, position: int, holders: list[Request]) -> tuple[str, ...]:
        partner = self._partners[position]
        if partner is None:
            return ()
        request, other = self._requests[position], self._requests[partner]
        own, their = sent_with(request), sent_with(other)
        if own == their or any(sent_with(one) == own for one in holders):
            return ()
        return tuple(sorted(name for name in own.keys() | their.keys() if own.get(name) != their.get(name)))

    def _ttl_s(self, holder: Request) -> float | None:
        if self._policy.ttl_s is None or self._policy.has_one_ttl:
            return self._policy.ttl_s
        asked = [mark.ttl_s for mark in holder.marks if mark.ttl_s is not None]
        if holder.cache_ask is not None:
            asked += [one for one in (holder.cache_ask.ttl_s, holder.cache_ask.retention_s) if one is not None]
        return max(asked, default=self._policy.ttl_s)


def sent_with(request: Request) -> dict[str, str]:
    """Return all that a cache may look at besides the prompt: the parameters, the model and the namespace."""
    parameters = dict(request.settings.parameters) if request.settings is not None else {}
    return parameters | {"model": request.model or "", "namespace": request.namespace}


def _has_mark(request: Request, policy: CachePolicy) -> bool:
    """Whether the cache has a place to read to or write at: a mark of the request's own or an implied one."""
    if policy.match != "breakpoint" or request.marks:
        return True
    return policy.implicit_mark != "none" and not (request.cache_ask is not None and request.cache_ask.is_explicit)


def _has_ended(holder: Request, request: Request) -> bool:
    """Whether ``holder`` can have ended when ``request`` began; yes where the log has no times."""
    if holder.time_s is None or request.time_s is None:
        return True
    output_tokens = 0 if holder.usage is None else holder.usage.output_tokens or 0
    return holder.time_s + output_tokens / _FASTEST_TOKENS_PER_S + _SETTLING_S <= request.time_s

"""One side of a comparison: its requests replayed with a cache of their own, explained, and the cold ones told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.compare_options import CompareOptions
from radixlint.api.explained_breaks import Explained, LogExplainer
from radixlint.api.log_tokens import LogTokens, TokenOptions, tokenize
from radixlint.api.measured_policy import policy_for, provider_paths
from radixlint.api.measured_waterfall import Waterfall
from radixlint.api.replay_worth import ReplayWorth
from radixlint.api.request_limits import limits_of
from radixlint.explain import Names
from radixlint.privacy import INSTRUCTIONS, Crowd, crowd_of
from radixlint.providers import layout_of
from radixlint.replay import Replayed, replay
from radixlint.result.cause import Cause
from radixlint.result.comparison import ColdRequests
from radixlint.traffic import CachePolicy, LogRead, Match, Request

_DAY_S = 86_400
# All that a part can have: what is new must be found however small it is.
_MOST_BREAKS = 200

Name = Callable[[str | None], str | None]


@dataclass(frozen=True, slots=True)
class MeasuredPart:
    """The requests of one part with what became of them.

    ``tokens`` are those of the requests whose prompts are known; ``replayed``, ``names`` and the positions in ``explained`` go
    with these, ``matches`` with all ``requests``. ``unmarked`` is what each of the former lost for want of a cache mark, empty
    if none did.
    """

    requests: Sequence[Request]
    tokens: LogTokens
    replayed: Replayed
    policy: CachePolicy
    explained: Explained
    matches: Sequence[Match | None]
    crowd: Crowd
    names: Names
    unmarked: Sequence[int] = ()

    @property
    def times_s(self) -> list[float]:
        """The times of the requests that have one."""
        return [request.time_s for request in self.requests if request.time_s is not None]

    @property
    def days(self) -> float | None:
        """How long the part is, the mean gap behind its last request included; None without times."""
        times_s = self.times_s
        if len(times_s) < 2 or len(times_s) < len(self.requests) or max(times_s) == min(times_s):
            return None
        return (max(times_s) - min(times_s)) * len(times_s) / (len(times_s) - 1) / _DAY_S

    def lost_tokens(self) -> Iterator[int]:
        """Yield what each of the requests lost to a break."""
        explanation = self.explained.explanation
        return self._spread(explanation.lost_tokens if explanation else ())

    def unmarked_tokens(self) -> Iterator[int]:
        """Yield what each of the requests lost for want of a cache mark."""
        return self._spread(self.unmarked)

    def _spread(self, tokens: Sequence[int]) -> Iterator[int]:
        known = iter(tokens)
        yield from (0 if match is None else next(known, 0) for match in self.matches)


def measured_tokens(requests: Sequence[Request], policy: CachePolicy, options: CompareOptions) -> LogTokens:
    """Return ``requests`` as ids, as ``analyze`` makes them.

    Raises:
        ConfigError, TokenizerError: an option is wrong.
    """
    asked = TokenOptions(
        tokenizer=options.tokenizer,
        layout=options.layout or layout_of(policy.name, provider_paths(options.policy)),
        chat_template=options.chat_template,
        with_blocks=policy.match != "block",
    )
    tokens = tokenize(requests, asked)
    limits = limits_of(tokens.measured, policy, provider_paths(options.policy))
    return structs.replace(tokens, requests=tokens.requests.with_limits(limits)) if limits else tokens


def measured_part(read: LogRead, options: CompareOptions, name: Name, first_number: int) -> MeasuredPart:
    """Measure and explain the requests of ``read``, the first of which is the ``first_number``-th of its log.

    Raises:
        ConfigError, DataError, TokenizerError: an option is wrong.
    """
    policy = policy_for(options.policy, read, None)
    tokens = measured_tokens(read.requests, policy, options)
    replayed = replay(tokens.requests, policy)
    explained, crowd = Explained(), crowd_of(tokens.measured)
    names = Names(name, [first_number + position for position in tokens.positions])
    unmarked: Sequence[int] = ()
    if tokens.measured:
        asked = AnalyzeOptions(tokenizer=options.tokenizer, top=_MOST_BREAKS, mend=0, show=options.show)
        explained = LogExplainer(tokens, replayed, policy, asked, crowd, ReplayWorth(policy), names).explained()
        if any(one.cause == Cause.MARKER for one in explained.breaks):
            unmarked = tuple(Waterfall(tokens.requests, policy, replayed).lost_by(Cause.MARKER.value))
    matches = replayed.matches.spread(tokens.positions, len(read.requests))
    return MeasuredPart(read.requests, tokens, replayed, policy, explained, matches, crowd, names, unmarked)


def cold_positions(
    part: MeasuredPart, applications: Sequence[object], cold_requests: int | None
) -> tuple[frozenset[int], ColdRequests]:
    """Return the positions of the requests that no cache can know yet, and how many there are of each kind.

    These are the first request of each of ``applications`` (the first ``cold_requests``, if that is given), and of each
    session whose first request comes with answers of earlier ones.
    """
    firsts: set[int] = set(range(min(cold_requests or 0, len(part.requests))))
    seen: set[object] = set()
    sessions: set[str] = set()
    resumed: set[int] = set()
    for position, (request, application) in enumerate(zip(part.requests, applications, strict=True)):
        if cold_requests is None and application not in seen:
            seen.add(application)
            firsts.add(position)
        if request.session is not None and request.session not in sessions:
            sessions.add(request.session)
            if any(message.role == "assistant" for message in request.messages):
                resumed.add(position)
    return frozenset(firsts | resumed), ColdRequests(len(firsts), len(resumed - firsts))


def head_keys(part: MeasuredPart, position: int) -> dict[int, int]:
    """Return the pieces of tools and instructions of a measured request, else of its first message: tokens by key."""
    explanation = part.explained.explanation
    if explanation is None:
        return {}
    book = explanation.book
    numbers = book.numbers(position)
    head = [number for number in numbers if book.role(number) in INSTRUCTIONS or book.role(number) == "tools"] or numbers[:1]
    found: dict[int, int] = {}
    for number in head:
        found.update(zip(book.keys(number), book.piece_tokens(number), strict=True))
    return found

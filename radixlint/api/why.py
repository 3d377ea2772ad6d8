"""One request of a log: with whom it should have shared its prefix, where it broke, and what it lost by which cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO, Final

from msgspec import Struct

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.explained_breaks import LogExplainer
from radixlint.api.log_tokens import LogTokens, tokenize
from radixlint.api.measured_figures import tokenizer_evidence
from radixlint.api.measured_notes import provider_hint
from radixlint.api.measured_policy import engine_used, policy_for
from radixlint.api.measured_rows import NameHash, shown_name
from radixlint.api.measured_waterfall import Waterfall
from radixlint.api.measuring import limited_tokens, opened, readable, token_options
from radixlint.api.named_request import find_request, refuse_left_out
from radixlint.api.replay_worth import ReplayWorth
from radixlint.errors import ConfigError
from radixlint.explain import Names
from radixlint.logs import Progress
from radixlint.plural import counted
from radixlint.privacy import crowd_of
from radixlint.replay import replay
from radixlint.result.breaks import Break, Cleared, OneTimeChange
from radixlint.result.cause import Cause
from radixlint.result.measurement import Show, WaterfallEntry
from radixlint.result.why_report import Partner, WhyReport
from radixlint.traffic import TOKEN_BYTES, LogRead, Match, Request, TokenRequest

_RULES: Final = {
    "below-minimum": "it is shorter than what the cache keeps",
    "marker": "no cache mark stands where an earlier request wrote an entry",
    "parallel-start": "the earlier request was still in flight",
    "ttl": "it came later than the time to live",
    "routing": "another replica had it",
    "capacity": "it had been given up for lack of room",
}
_CLEARED: Final = {
    **_RULES,
    "parameter": "a parameter changed that the cache depends on",
    "engine": "the server seems to reuse nothing",
    "metering": "the server's counts contradict themselves",
    "unknown": "the server reports less than it could have read, and the log does not show why",
}


def why(
    paths: Sequence[str],
    request: str,
    options: AnalyzeOptions | None = None,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> WhyReport:
    """Explain one request of the logs ``paths``, named by its id, or by its number in the order of sending.

    The number is counted from 0, as ``request 4``, or as 4 where no id is so.

    Raises:
        LogError, DataError, TokenizerError: as ``analyze`` does.
        ConfigError: so does it; or there is no such request, or its prompt is not in the log.
    """
    options = options or AnalyzeOptions()
    with opened(paths, options, stdin=stdin, progress=progress) as read:
        if read.is_sampled:
            refuse_left_out(read.requests, request, paths, options.log)
        return explain_one(read, request, options)


def explain_one(read: LogRead, name: str, options: AnalyzeOptions) -> WhyReport:
    """Explain the request ``name`` of ``read``; see ``why``."""
    read = readable(read, options.tokenizer)
    explainer, position = _explainer(read, name, options)
    tokens, policy, replayed, names = explainer.tokens, explainer.policy, explainer.replayed, explainer.names
    found = _explained(explainer, position) if explainer.has_texts else _by_ids(explainer, position)
    waterfall = Waterfall(tokens.requests, policy, replayed, found.causes, found.lost_tokens)
    request, match, parts = tokens.measured[position], replayed.matches[position], waterfall.parts(position)
    partner = _partner(tokens, found, found.partner, position, names)
    hit_from = _partner(tokens, found, replayed.partners[position], position, names) if match.shareable_tokens else None
    if hit_from is not None and partner is not None and hit_from.shared_tokens <= partner.shared_tokens:
        hit_from = None
    broken, cleared = found.broken, found.cleared
    if broken is not None and partner is not None:
        broken = replace(broken, token_index=partner.shared_tokens)
    conclusion, is_prompt = _conclusion(match, parts, broken, cleared, found.once)
    return WhyReport(
        name=names.of(request, position),
        prompt_tokens=match.prompt_tokens,
        shareable_tokens=match.shareable_tokens,
        engine_tokens=match.engine_tokens,
        reported_tokens=None if request.usage is None else request.usage.cached_tokens,
        parts=parts,
        partner=partner,
        broken=broken,
        cleared=cleared,
        conclusion=conclusion,
        is_prompt=is_prompt,
        engine=engine_used(policy),
        layout=tokens.layout_name,
        tokenizer=tokens.tokenizer,
        tokenizer_evidence=tokenizer_evidence(tokens.evidence, tokens.measured, replayed.matches),
        hit_from=hit_from,
        once=found.once,
        notes=(*read.notes, *tokens.notes, *filter(None, (provider_hint(read, policy),))),
    )


def _explainer(read: LogRead, name: str, options: AnalyzeOptions) -> tuple[LogExplainer, int]:
    """Return what explains the requests of ``read``, and the position of the one that is asked for."""
    policy = policy_for(options.policy, read, options.worth.model if options.worth else None)
    prompts = [request for request in read.requests if request.has_prompt]
    find_request(read.requests, name)
    crowd = crowd_of(prompts)
    tokens = limited_tokens(tokenize(read.requests, token_options(options, [policy])), policy, options.policy)
    if len(tokens.measured) < len(prompts):
        crowd = crowd_of(tokens.measured)
    position = _measured_position(tokens, find_request(read.requests, name), name)
    replayed = replay(tokens.requests, policy)
    shown = NameHash(tokens.requests) if options.show is Show.HASH else shown_name
    names = Names(shown, tokens.positions)
    return LogExplainer(tokens, replayed, policy, options, crowd, ReplayWorth(policy), names), position


class _Found(Struct, frozen=True):
    """What is known of one request: whom it is compared with, -1 for nobody, and what each request lost by which cause."""

    partner: int
    chains: Sequence[int]
    causes: Sequence[Cause]
    lost_tokens: Sequence[int]
    broken: Break | None
    cleared: Cleared | None = None
    once: OneTimeChange | None = None


def _explained(explainer: LogExplainer, position: int) -> _Found:
    explanation, broken, cleared = explainer.at(position)
    causes, lost_tokens = explanation.computed_again()
    once = explainer.once_at(explanation, position)
    return _Found(explanation.partners[position], explanation.chains, causes, lost_tokens, broken, cleared, once)


def _by_ids(explainer: LogExplainer, position: int) -> _Found:
    partner, broken = explainer.at_ids(position)
    count = len(explainer.tokens.measured)
    lost_tokens = [0] * count
    lost_tokens[position] = 0 if broken is None else broken.lost_tokens
    nearest = explainer.replayed.partners[position]
    if partner < 0 and nearest is not None:
        partner = nearest
    return _Found(partner, explainer.crowd.chains, [Cause.UNKNOWN] * count, lost_tokens, broken)


def _partner(tokens: LogTokens, found: _Found, earlier: int | None, position: int, names: Names) -> Partner | None:
    if earlier is None or earlier < 0:
        return None
    own, other = tokens.measured[position], tokens.measured[earlier]
    gap_s = None if own.time_s is None or other.time_s is None else own.time_s - other.time_s
    shared_tokens = common_tokens(tokens.requests[position], tokens.requests[earlier])
    is_same = found.chains[earlier] == found.chains[position]
    return Partner(names.of(other, earlier), shared_tokens, is_same, gap_s)


def common_tokens(one: TokenRequest, other: TokenRequest) -> int:
    """Return how many leading tokens two requests share."""
    own, theirs = one.tokens, other.tokens
    low, high = 0, min(len(own), len(theirs)) // TOKEN_BYTES
    while low < high:
        middle = (low + high + 1) // 2
        end = middle * TOKEN_BYTES
        low, high = (middle, high) if own[:end] == theirs[:end] else (low, middle - 1)
    return low * one.id_tokens


def _measured_position(tokens: LogTokens, request: Request, name: str) -> int:
    position = next((at for at, one in enumerate(tokens.measured) if one is request), None)
    if position is None:
        raise ConfigError(
            f"the prompt of {name!r} is not in the log", where="--request", hint="log the messages, not usage alone"
        )
    return position


def _conclusion(
    match: Match,
    parts: Sequence[WaterfallEntry],
    broken: Break | None,
    cleared: Cleared | None,
    once: OneTimeChange | None,
) -> tuple[str, bool | None]:
    """Return what follows, and whether the prompt is to blame."""
    ruled = max((part for part in parts if part.cause in _RULES), key=_tokens, default=None)
    intact = "Not the prompt: the prefix is intact as far as the log shows"
    if broken is not None and (ruled is None or broken.lost_tokens >= ruled.tokens):
        also = "" if ruled is None else f" And {_RULES[ruled.cause]}: {counted(ruled.tokens, 'token')}."
        return f"The prompt breaks at {broken.where}: {broken.what or 'what changed is not known'}.{also}", True
    if cleared is not None:
        return f"{intact}; {_CLEARED.get(cleared.cause, _CLEARED['unknown'])} ({cleared.confidence.value} confidence).", False
    if ruled is not None:
        return f"{intact}; {_RULES[ruled.cause]}: {counted(ruled.tokens, 'token')}.", False
    if once is not None:
        tokens = f"{counted(once.lost_tokens, 'token')} stand in both requests and are computed again"
        return f"Changed once or seldom, as by a deploy: {once.what} at {once.where} since {once.first_request}; {tokens}.", None
    if not match.shareable_tokens:
        return "No earlier request begins like this one: all of it is new.", None
    return "It goes on from an earlier request: what that had as a prefix is shared, the rest is new in its place.", False


def _tokens(part: WaterfallEntry) -> int:
    return part.tokens

"""From logs to a measurement: read, lay out, tokenize, replay, explain."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.collector_pause import without_visits_to
from radixlint.api.explained_breaks import Explained, LogExplainer
from radixlint.api.hosted_counts import note_on_hosted_counts
from radixlint.api.log_opening import read_options
from radixlint.api.log_tokens import LogTokens, TokenOptions, tokenize
from radixlint.api.measured_curve import curve_of
from radixlint.api.measured_figures import Matches
from radixlint.api.measured_groups import cold_start, groups, turns
from radixlint.api.measured_money import Bill
from radixlint.api.measured_notes import notes_on_policy, provider_hint
from radixlint.api.measured_policy import check_policy, policy_for, provider_paths
from radixlint.api.measured_report import core_report
from radixlint.api.measured_rows import NameHash, request_rows, shown_name
from radixlint.api.measured_waterfall import Waterfall
from radixlint.api.measured_worth import add_worth, look_up
from radixlint.api.read_back import read_back
from radixlint.api.replay_worth import worth_of
from radixlint.api.request_limits import limits_of, note_on_limits
from radixlint.errors import ConfigError
from radixlint.explain import Names, longest_shared_tokens, own_conversation_tokens
from radixlint.layout import TOOLS_FIRST, open_layout
from radixlint.logs import Progress, read_logs
from radixlint.privacy import Crowd, chains_of, crowd_of
from radixlint.providers import layout_of
from radixlint.replay import Replayed, is_plain, replay
from radixlint.result.cause import Cause
from radixlint.result.curve import Curve
from radixlint.result.groups import Reuse
from radixlint.result.measurement import AnalyzeReport, Show
from radixlint.rewrites import with_turns
from radixlint.tokenizers import open_tokenizer
from radixlint.traffic import CachePolicy, LogRead, Request

_Losses = tuple[Sequence[Cause] | None, Sequence[int]]


def analyze(
    paths: Sequence[str],
    options: AnalyzeOptions | None = None,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> AnalyzeReport:
    """Read the logs ``paths`` (``-`` is ``stdin``) and measure them; see ``measure``, and ``read_logs`` for ``progress``.

    Raises:
        LogError: a log cannot be opened, or holds no readable record.
        ConfigError: an option is wrong, or options exclude each other.
        DataError: the engine, model or GPU is unknown, or a provider file is wrong.
        TokenizerError: the tokenizer is unknown.
    """
    options = options or AnalyzeOptions()
    replica = look_up(options.worth) if options.worth else None
    with opened(paths, options, stdin=stdin, progress=progress) as read:
        report = measure(read, options)
    return add_worth(report, paths, replica) if replica else report


def opened(
    paths: Sequence[str], options: AnalyzeOptions, *, stdin: BinaryIO | None = None, progress: Progress | None = None
) -> AbstractContextManager[LogRead]:
    """Return what reads the logs for ``measure``; what is wrong with the options is told before a large log is read.

    Raises:
        LogError, ConfigError, DataError: as ``analyze`` does.
    """
    check_policy(options.policy, options.worth.model if options.worth else None, with_curve=options.curve is not None)
    if options.layout is not None and options.chat_template is not None:
        raise ConfigError("a layout and a chat template exclude each other", where="--layout", hint="leave one out")
    open_layout(options.layout or TOOLS_FIRST, template=options.chat_template)
    asked = read_options(options.log)
    return without_visits_to(lambda: read_logs(paths, asked, stdin=stdin, progress=progress))


def measure(read: LogRead, options: AnalyzeOptions | None = None) -> AnalyzeReport:
    """Replay the requests of ``read`` and report what was shared, and where it ended.

    Raises:
        ConfigError, DataError, TokenizerError: as ``analyze`` does.
    """
    return measure_each(read, (options or AnalyzeOptions(),))[0]


def measure_each(read: LogRead, variants: Sequence[AnalyzeOptions]) -> tuple[AnalyzeReport, ...]:
    """Return ``measure`` for options that differ in the policy only, with all other work done once.

    Raises:
        ConfigError, DataError, TokenizerError: as ``analyze`` does.
    """
    options = variants[0]
    assert all(replace(variant, policy=options.policy) == options for variant in variants)
    read = readable(read, options.tokenizer)
    model = options.worth.model if options.worth else None
    policies = [policy_for(variant.policy, read, model) for variant in variants]
    prompts = [request for request in read.requests if request.has_prompt]
    # Before there are tokens, for it takes much memory that is free again behind it.
    told_apart = _told_apart(prompts, options)
    tokens = tokenize(read.requests, token_options(options, policies))
    if len(tokens.measured) < len(prompts):  # some cannot be laid out
        told_apart = _told_apart(tokens.measured, options)
    limited = [limited_tokens(tokens, policy, variant.policy) for variant, policy in zip(variants, policies, strict=True)]
    replays = [replay(limited[0].requests, policies[0])]
    replays += [_replayed(one, replays[0], policy) for one, policy in zip(limited[1:], policies[1:], strict=True)]
    crowd, chains = told_apart
    name_hash = NameHash(tokens.requests) if options.show is Show.HASH else None
    reuse = _reuse(tokens, replays[0], chains) if tokens.requests else None
    explained, losses, applications = _explained(tokens, replays[0], policies[0], options, crowd, name_hash)
    shared = _Shared(read, tokens, options, explained, reuse, name_hash, losses, applications)
    each = zip(limited, replays, policies, strict=True)
    return tuple(_report(replace(shared, tokens=one), replayed, policy) for one, replayed, policy in each)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What all variants have in common."""

    read: LogRead
    tokens: LogTokens
    options: AnalyzeOptions
    explained: Explained
    reuse: Reuse | None
    name_hash: NameHash | None
    losses: _Losses
    applications: Sequence[int]


def _explained(
    tokens: LogTokens,
    replayed: Replayed,
    policy: CachePolicy,
    options: AnalyzeOptions,
    crowd: Crowd | None,
    name_hash: NameHash | None,
) -> tuple[Explained, _Losses, Sequence[int]]:
    """Return what is explained, what each request lost by which cause, and which application sent it."""
    if not tokens.requests or crowd is None:
        return Explained(), (None, ()), ()
    names = Names(name_hash or shown_name, tokens.positions)
    explained = LogExplainer(tokens, replayed, policy, options, crowd, worth_of(policy, options), names).explained()
    found = explained.explanation
    if found is None:
        # What stands behind a change of ids was sent before, whatever it was.
        causes = [Cause.UNKNOWN] * len(tokens.measured) if explained.repeated_tokens else None
        return explained, (causes, explained.repeated_tokens), ()
    # The pieces, which take memory, are not needed any more.
    return replace(explained, explanation=None), found.computed_again(), found.clusters


def readable(read: LogRead, tokenizer: str | None) -> LogRead:
    """Return ``read`` with the turns that can be told apart in prompts of one text, or of ids that ``tokenizer`` reads.

    Raises:
        TokenizerError: the tokenizer is unknown.
    """
    requests = with_turns(read.requests if tokenizer is None else read_back(read.requests, open_tokenizer(tokenizer)))
    return read if requests is read.requests else structs.replace(read, requests=tuple(requests))


def token_options(options: AnalyzeOptions, policies: Sequence[CachePolicy]) -> TokenOptions:
    """Return how a log is tokenized for a replay under ``policies``."""
    return TokenOptions(
        tokenizer=options.tokenizer,
        layout=options.layout or layout_of(policies[0].name, provider_paths(options.policy)),
        chat_template=options.chat_template,
        store_outputs=options.store_outputs,
        with_blocks=any(policy.match != "block" for policy in policies),
        jobs=options.jobs,
    )


def limited_tokens(tokens: LogTokens, policy: CachePolicy, options: PolicyOptions) -> LogTokens:
    """Return ``tokens`` with the limits that requests have of their own under ``policy``."""
    limits = limits_of(tokens.measured, policy, provider_paths(options))
    return structs.replace(tokens, requests=tokens.requests.with_limits(limits)) if limits else tokens


def _replayed(tokens: LogTokens, first: Replayed, policy: CachePolicy) -> Replayed:
    has_own = bool(tokens.requests.limits)
    return first.under(policy) if is_plain(policy) and not has_own else replay(tokens.requests, policy)


def _report(shared: _Shared, replayed: Replayed, policy: CachePolicy) -> AnalyzeReport:
    read, requests = shared.read, shared.read.requests
    matches = _aligned(shared.tokens, replayed, len(requests))
    waterfall = Waterfall(shared.tokens.requests, policy, replayed, *shared.losses)
    report = core_report(read, shared.tokens, replayed, policy, matches, waterfall)
    options = shared.options
    bill = _bill(shared, replayed, policy, matches)
    hint = provider_hint(read, policy)
    return replace(
        report,
        notes=(
            *report.notes,
            *note_on_limits(shared.tokens.requests.limits, policy),
            *notes_on_policy(read, policy, report.waterfall),
            *(() if hint else note_on_hosted_counts(requests, matches, policy)),
            *shared.explained.notes,
        ),
        longest_shared_tokens=longest_shared_tokens(replayed),
        provider_hint=hint,
        breaks=shared.explained.breaks,
        unlisted_breaks=shared.explained.unlisted_breaks,
        applications=shared.applications,
        cleared=shared.explained.cleared,
        has_repeats=bool(shared.explained.repeated_tokens) and any(one.token_ids is not None for one in requests),
        one_time=shared.explained.one_time,
        together=shared.explained.together,
        tree=shared.explained.tree,
        rows=request_rows(requests, matches, waterfall.cause, shared.name_hash),
        groups=groups(requests, matches, options.by, shown=shared.name_hash or shown_name, cost=bill.cost),
        money=bill.by_model(),
        curve=_curve(shared, policy),
        turns=turns(requests, matches),
        reuse=shared.reuse,
        cold_start=cold_start(requests, matches),
    )


def _aligned(tokens: LogTokens, replayed: Replayed, requests: int) -> Matches:
    """Return a match for each request of the log, None where its prompt is not known."""
    return replayed.matches.spread(tokens.positions, requests)


def _bill(shared: _Shared, replayed: Replayed, policy: CachePolicy, matches: Matches) -> Bill:
    written = replayed.written.spread(shared.tokens.positions[: len(replayed.written)], len(matches))
    options = shared.options
    return Bill(
        shared.read.requests,
        matches,
        written,
        policy,
        files=provider_paths(options.policy),
        prices_file=None if options.prices is None else Path(options.prices),
    )


def _curve(shared: _Shared, policy: CachePolicy) -> Curve | None:
    options = shared.options
    if options.curve is None:
        return None
    return curve_of(
        shared.tokens,
        policy,
        model=options.worth.model if options.worth else None,
        has_optimum=options.curve.with_optimum,
        store_outputs=policy.store != "lru-blocks",
    )


def _told_apart(requests: Sequence[Request], options: AnalyzeOptions) -> tuple[Crowd | None, tuple[int, ...]]:
    """Return who is behind each of ``requests`` (None where nothing is explained), and who continues whom."""
    if not options.top and options.tree is None:
        return None, chains_of(requests)
    crowd = crowd_of(requests)
    return crowd, crowd.chains


def _reuse(tokens: LogTokens, replayed: Replayed, chains: Sequence[int]) -> Reuse | None:
    """Return who shares with whom, None where nothing in the log tells conversations apart."""
    if not any(request.session is not None or request.messages for request in tokens.measured):
        return None
    shareable = sum(m.shareable_tokens for m in replayed.matches)
    own = own_conversation_tokens(replayed, chains)
    return Reuse(own, shareable - own, len(set(chains)))

"""From logs to a measurement: read, lay out, tokenize, replay, explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from msgspec import structs

from radixlint.api import measured_figures as figures
from radixlint.api.log_tokens import IDS_GIVEN, LogTokens, TokenCounter, tokenize
from radixlint.api.measured_worth import WorthOptions, add_worth, look_up
from radixlint.errors import ConfigError
from radixlint.explain import LaidOutTexts, branch_points, longest_shared_tokens, prefix_tree
from radixlint.layout import TOOLS_FIRST
from radixlint.logs import ReadOptions, read_logs
from radixlint.privacy import Disclosure, crowd_note, crowd_of
from radixlint.providers import load_policy
from radixlint.replay import Replayed, replay
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport, Break, EngineUsed, HitRates, Show, TreeLimits, TreeNode, UsageAgreement
from radixlint.traffic import CachePolicy, LogRead, Match, Request

DEFAULT_ENGINE: Final = "vllm"


@dataclass(frozen=True, slots=True)
class AnalyzeOptions:
    """How to measure; None for what the log or a default decides.

    ``top`` is how many branch points to explain (0 for none), ``tree`` the size of the drawn tree (None for no tree),
    ``show`` how much text the result may hold, ``worth`` for which server to work out what reuse is worth (None for none).
    """

    engine: str | None = None
    block_tokens: int | None = None
    tokenizer: str | None = None
    layout: str = TOOLS_FIRST
    format: str | None = None
    top: int = 5
    tree: TreeLimits | None = None
    show: Show = Show.SHARED
    worth: WorthOptions | None = None


def analyze(paths: Sequence[str], options: AnalyzeOptions | None = None, *, stdin: BinaryIO | None = None) -> AnalyzeReport:
    """Read the logs ``paths`` (``-`` is ``stdin``) and measure them; see ``measure``.

    Raises:
        LogError: a log cannot be opened, or holds no readable record.
        ConfigError: the log format or the layout is unknown.
        DataError: the engine, model or GPU is unknown.
        TokenizerError: the tokenizer is unknown.
    """
    options = options or AnalyzeOptions()
    _policy(options)  # a wrong flag is told before a large log is read
    replica = look_up(options.worth) if options.worth else None
    report = measure(read_logs(paths, ReadOptions(format=options.format), stdin=stdin), options)
    return add_worth(report, paths, replica) if replica else report


def measure(read: LogRead, options: AnalyzeOptions | None = None) -> AnalyzeReport:
    """Replay the requests of ``read`` through an unlimited cache and report what was shared, and where it ended.

    Raises:
        ConfigError: the layout is unknown.
        DataError: the engine is unknown.
        TokenizerError: the tokenizer is unknown.
    """
    return measure_each(read, (options or AnalyzeOptions(),))[0]


def measure_each(read: LogRead, variants: Sequence[AnalyzeOptions]) -> tuple[AnalyzeReport, ...]:
    """Return ``measure`` for options that differ in engine and block size only, with all other work done once.

    With room for everything, engines and block sizes differ in how a match is rounded, never in where it ends: tokens and
    explanation are the same.

    Raises:
        ConfigError, DataError, TokenizerError: as ``measure`` does.
    """
    options = variants[0]
    assert all(replace(v, engine=options.engine, block_tokens=options.block_tokens) == options for v in variants)
    policies = [_policy(variant) for variant in variants]
    tokens = tokenize(read.requests, options.tokenizer)
    replayed = replay(tokens.requests, policies[0])
    breaks, tree, notes = _explanation(read.requests, tokens, replayed, options)
    longest_tokens = longest_shared_tokens(tokens.requests)
    reports = (_figures(read, tokens, replayed.under(policy), policy) for policy in policies)
    return tuple(
        replace(
            report,
            breaks=breaks,
            tree=tree,
            notes=(*report.notes, *notes),
            longest_shared_tokens=longest_tokens,
            layout=_layout_name(options, tokens),
            alterations=read.alterations,
            rows=figures.with_hashed_ids(report.rows, tokens.requests) if options.show is Show.HASH else report.rows,
        )
        for report in reports
    )


def _policy(options: AnalyzeOptions) -> CachePolicy:
    if options.layout != TOOLS_FIRST:
        raise ConfigError(f"unknown layout {options.layout!r}", where="--layout", hint=f"known: {TOOLS_FIRST}")
    policy = load_policy(options.engine or DEFAULT_ENGINE, options.block_tokens)
    return policy if options.engine else structs.replace(policy, is_assumed=True)


def _layout_name(options: AnalyzeOptions, tokens: LogTokens) -> str:
    return IDS_GIVEN if tokens.tokenizer == IDS_GIVEN else options.layout


def _figures(read: LogRead, tokens: LogTokens, replayed: Replayed, policy: CachePolicy) -> AnalyzeReport:
    requests, matches = read.requests, replayed.matches
    whole, by_request, last_half = _rates(requests, matches)
    reported, unexplained, _ = figures.reported_tokens(requests, matches)
    agreement = figures.usage_agreement(requests, matches)
    output_tokens, output_requests = figures.output_tokens(requests)
    namespaces, namespaces_per_model = figures.namespaces(requests)
    return AnalyzeReport(
        input_format=read.format,
        records=read.records,
        read=len(requests),
        skipped=tuple(sorted(read.skipped.items())),
        notes=(*read.notes, *_notes(requests, matches, agreement)),
        requests=len(requests),
        prompt_tokens=sum(m.prompt_tokens for m in matches),
        output_tokens=output_tokens,
        shareable_tokens=sum(m.shareable_tokens for m in matches),
        engine_tokens=sum(m.engine_tokens for m in matches),
        reported_tokens=reported,
        hit_rate=whole,
        request_hit_rate=by_request,
        last_half=last_half,
        distinct_tokens=replayed.distinct_tokens,
        longest_shared_tokens=0,
        engine=_engine_used(policy),
        layout=TOOLS_FIRST,
        tokenizer=tokens.tokenizer,
        tokenizer_evidence=Evidence.ASSUMED if agreement is not None and agreement.is_off else tokens.evidence,
        agreement=agreement,
        waterfall=figures.waterfall(matches),
        unexplained_tokens=unexplained,
        breaks=(),
        engine_blocks=sum(m.engine_tokens // policy.block_tokens for m in matches),
        blocks=sum(-(-m.prompt_tokens // policy.block_tokens) for m in matches),
        tree=None,
        rows=figures.request_rows(requests, matches),
        output_requests=output_requests,
        namespaces=namespaces,
        namespaces_per_model=namespaces_per_model,
    )


def _rates(requests: Sequence[Request], matches: Sequence[Match]) -> tuple[HitRates, HitRates, HitRates]:
    """Return the rates by token, by request, and by token over the later half; unknown for less than two requests."""
    if len(matches) < 2:
        return (figures.UNKNOWN_RATES,) * 3
    half = len(matches) // 2
    return (
        figures.hit_rates(requests, matches),
        figures.request_hit_rates(requests, matches),
        figures.hit_rates(requests[half:], matches[half:]),
    )


def _engine_used(policy: CachePolicy) -> EngineUsed:
    evidence = Evidence.ASSUMED if policy.is_assumed else Evidence.SIMULATED
    return EngineUsed(policy.name, policy.block_tokens, policy.kv_tokens, evidence, policy.source)


def _explanation(
    requests: Sequence[Request], tokens: LogTokens, replayed: Replayed, options: AnalyzeOptions
) -> tuple[tuple[Break, ...], TreeNode | None, tuple[str, ...]]:
    if not options.top and options.tree is None:
        return (), None, ()
    crowd = crowd_of(requests)
    texts = LaidOutTexts(requests)
    disclosure = Disclosure(options.show, crowd, texts.text, TokenCounter(options.tokenizer, requests))
    breaks: tuple[Break, ...] = ()
    hidden = crowd_note(requests, crowd) if options.show is Show.SHARED else None
    notes: tuple[str, ...] = () if hidden is None else (hidden,)
    if options.top:
        points = branch_points(tokens.requests, replayed, crowd.chains, texts, disclosure, options.top)
        breaks, notes = points.breaks, (*notes, *points.notes)
    tree = None if options.tree is None else prefix_tree(tokens.requests, texts, disclosure, options.tree)
    return breaks, tree, notes


def _notes(requests: Sequence[Request], matches: Sequence[Match], agreement: UsageAgreement | None) -> list[str]:
    notes: list[str] = []
    total = len(requests)
    if agreement is not None and agreement.is_off:
        notes.append(
            "Our prompt tokens are over 5 % off the reported ones: the server's chat template (layout) or tokenizer differs "
            "from ours, so token figures are assumed."
        )
    reporting = figures.reported_tokens(requests, matches)[2]
    if 0 < reporting < total:
        notes.append(f"Cached tokens are reported by {reporting:,} of {total:,} requests; the reported rate covers these only.")
    with_output = figures.output_tokens(requests)[1]
    if 0 < with_output < total:
        notes.append(f"Output tokens are known for {with_output:,} of {total:,} requests.")
    return notes

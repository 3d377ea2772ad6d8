"""Check a log against limits and earlier reports; what cannot be told is never a pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, Final

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.gate_baseline import Baseline, read_baseline
from radixlint.api.gate_checks import GateChecks, Unable, not_checked, too_few
from radixlint.api.gate_comparison import Comparison, unreadable
from radixlint.api.gate_options import GateOptions, refuse_what_cannot_fail
from radixlint.api.gate_scope import gated_rate
from radixlint.api.measuring import measure, opened
from radixlint.errors import DataError, LogError
from radixlint.logs import Progress
from radixlint.plural import counted
from radixlint.result.gate import GateCheck, GatedLog, GateReport
from radixlint.result.measurement import AnalyzeReport
from radixlint.traffic import has_too_many_bad_records

_ALL: Final = 1_000_000


def check_log(
    paths: Sequence[str],
    options: GateOptions,
    analysis: AnalyzeOptions | None = None,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> GateReport:
    """Measure the logs ``paths`` as ``analyze`` does and check them; a log that cannot be read could not be checked.

    Raises:
        ConfigError: no check is asked for, or an option is wrong.
        DataError: the engine or model is unknown, or a provider file is wrong.
        TokenizerError: the tokenizer is unknown.
    """
    refuse_what_cannot_fail(options)
    analysis = replace(analysis or AnalyzeOptions(), top=_ALL, mend=0)
    try:
        with opened(paths, analysis, stdin=stdin, progress=progress) as read:
            report = measure(read, analysis)
            rate = gated_rate(read.requests, report, options.rate, options.scope)
    except LogError as error:
        checks = tuple(_unread(options, Unable(str(error))))
        return GateReport(checks, options.scope, None, None, options.baselines)
    log = _gated_log(report)
    made = GateChecks(options, log, rate, _unfit(report, options))
    checks = tuple(_made(made, options))
    return GateReport((*checks, *_written(made, checks, options)), options.scope, rate, log, options.baselines, tuple(paths))


def _made(checks: GateChecks, options: GateOptions) -> Iterator[GateCheck]:
    """Yield the checks asked for, in a fixed order."""
    if options.min_hit_rate is not None:
        yield checks.hit_rate(options.min_hit_rate)
    if options.max_uncached_tokens is not None:
        yield checks.uncached_tokens(options.max_uncached_tokens)
    if options.max_breaks is not None:
        yield checks.breaks(options.max_breaks)
    if options.baselines:
        baselines = _baselines(options.baselines)
        yield from unreadable(baselines) if isinstance(baselines, Unable) else Comparison(checks, baselines).checks()


def _written(checks: GateChecks, made: Sequence[GateCheck], options: GateOptions) -> tuple[GateCheck, ...]:
    return (checks.writable(made),) if options.will_write else ()


def _unread(options: GateOptions, unable: Unable) -> Iterator[GateCheck]:
    """Yield the same checks where there is no log."""
    if options.min_hit_rate is not None:
        yield not_checked("hit-rate", "rate", options.min_hit_rate, unable)
    if options.max_uncached_tokens is not None:
        yield not_checked("uncached-tokens", "tokens", options.max_uncached_tokens, unable)
    if options.max_breaks is not None:
        yield not_checked("breaks", "breaks", options.max_breaks, unable)
    if options.baselines:
        yield from unreadable(unable)
    if options.will_write:
        yield not_checked("write-baseline", "rate", None, unable)


def _baselines(names: Sequence[str]) -> list[tuple[str, Baseline]] | Unable:
    try:
        return [(name, read_baseline(name)) for name in names]
    except DataError as error:
        return Unable(f"{error.where} {error.message}", error.hint or "")


def _unfit(report: AnalyzeReport, options: GateOptions) -> Unable | None:
    """Return why nothing at all can be said of a log, None if something can."""
    if has_too_many_bad_records(report.records, report.read) and not options.is_lenient:
        bad = report.records - report.read
        return Unable(f"{bad:,} of {counted(report.records, 'record')} could not be read, over 5%", "--lenient accepts this")
    if not report.requests:
        return Unable("the log holds no requests, only the engine's own statistics")
    return too_few(report.requests, "in the log", options)


def _gated_log(report: AnalyzeReport) -> GatedLog:
    return GatedLog(
        input_format=report.input_format,
        records=report.records,
        read=report.read,
        skipped=report.skipped,
        requests=report.requests,
        measured_requests=report.measured_requests,
        prompt_tokens=report.prompt_tokens,
        engine=report.engine,
        layout=report.layout,
        tokenizer=report.tokenizer,
        waterfall=report.waterfall,
        # Blocks of a trace stand for all that is in front of them, so none is ever sent again at another place.
        breaks=tuple(place for place in report.breaks if place.lost_tokens) if report.tells_breaks else None,
        cleared=report.cleared,
        notes=report.notes if report.provider_hint is None else (*report.notes, report.provider_hint),
        alterations=report.alterations,
    )

"""``radixlint check-log``: hold a log against limits; options and exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, say
from radixlint.cli.help_sections import SectionedCommand, section
from radixlint.cli.known_word import KnownWord
from radixlint.cli.log_reading import is_shown, reading_progress, tell_reading
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render, write_whole
from radixlint.cli.shared_flags import (
    Share,
    cache_flags,
    engine_flag,
    gib_model_flag,
    lenient_flag,
    log_flags,
    policy_flags,
    quiet_flag,
    shown_text,
    split_flags,
    store_flag,
    text_flags,
    token_flags,
)
from radixlint.plural import counted
from radixlint.result.gate import PROMPT_CAUSES

if TYPE_CHECKING:
    from radixlint.api.analyze_options import AnalyzeOptions
    from radixlint.api.gate_options import GateOptions
    from radixlint.result.gate import GateReport

_RATES: Final = ("shareable", "engine", "reported")

_limit = section("What must hold")
_rate = section("Which rate")


@click.command(
    cls=SectionedCommand,
    examples=(
        "radixlint check-log requests.jsonl --min-hit-rate 80% --max-breaks 0",
        "radixlint check-log replay.jsonl --rate engine --warm --min-hit-rate 0.8",
        "radixlint check-log new.jsonl --baseline base.json --json --output gate.json",
    ),
    exit_codes=(
        ("0", "all checks passed"),
        ("1", "a check failed"),
        ("2", "none failed, but one could not be made, or wrong usage"),
        ("3", "a fault of radixlint"),
    ),
)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@_limit("--min-hit-rate", type=Share(), metavar="RATE", help="Least hit rate, as 0.8 or 80%.")
@_limit("--max-uncached-tokens", type=click.IntRange(min=0), metavar="N", help="Most prompt tokens computed, over the log.")
@_limit("--max-breaks", type=click.IntRange(min=0), metavar="N", help="Most places where prompts break their prefix.")
@_limit("--min-lost-tokens", type=click.IntRange(min=1), metavar="N", help="Count breaks from N lost tokens on.  [default: 1]")
@_limit("--min-lost-rate", type=Share(), metavar="RATE", help="Count breaks from this share of tokens on.")
@_limit(
    "--cause", "causes", multiple=True, type=KnownWord(PROMPT_CAUSES), metavar="CAUSE", help="Count this cause alone; repeat it."
)
@_limit("--baseline", "baselines", multiple=True, metavar="FILE", help="Compare with this earlier report; repeat it.")
@_limit("--tolerance", type=Share(), metavar="RATE", help="How far below it is allowed.  [default: 0.01]")
@_rate("--rate", type=KnownWord(_RATES), metavar="KIND", help="shareable, engine, or reported (default if all tell it).")
@_rate("--first-of-turn", is_flag=True, help="Leave out requests that go on from a tool's result.")
@_rate("--warm", is_flag=True, help="Leave out the first request of each application.")
@_rate("--skip-first", default=0, type=click.IntRange(min=0), metavar="N", help="Leave out the first N requests of each session.")
@_rate("--min-requests", default=2, show_default=True, type=click.IntRange(min=2), metavar="N", help="Fewer cannot be checked.")
@engine_flag
@cache_flags("block_tokens", has_many_sizes=False)
@policy_flags
@gib_model_flag
@token_flags
@store_flag
@log_flags
@text_flags
@section()("--write-baseline", metavar="FILE", help="Write what later logs are compared with.")
@lenient_flag
@format_option("gate")
@output_option()
@quiet_flag("No report if all passed; on stderr errors alone.")
def check_log(
    logs: tuple[str, ...], output_format: str, output: str | None, write_baseline: str | None, is_quiet: bool, **flags: Any
) -> int:
    """Check the request logs LOG... against limits, for CI: the hit rate, the breaks, an earlier state.

    LOG is what `radixlint analyze` reads. Breaks are places where a prompt differs from an earlier one it should have shared
    its prefix with; docs/gate.md explains the checks and shows a CI step.

    A log that cannot tell (fewer than two requests, nothing reported or no prompts where a check needs them, another engine or
    tokenizer than the baseline's) does not pass.
    """
    import sys

    from radixlint.api.gating import check_log as gate
    from radixlint.result.gate import CheckStatus

    refuse_overwriting([output, write_baseline], (*logs, *flags["baselines"]))
    options = _gate_options(flags, will_write=write_baseline is not None, is_lenient=flags.pop("lenient"))
    with reading_progress(logs, is_quiet=is_quiet) as progress:
        report = gate(logs, options, _analysis(flags), stdin=getattr(sys.stdin, "buffer", None), progress=progress)
    text = render("gate", output_format, report, output)
    if write_baseline is not None:
        _write_baseline(report, write_baseline)
    if output is not None or not is_quiet or report.status is not CheckStatus.PASSED:
        deliver(text, output)
    return _told(report, output_format, output, is_quiet=is_quiet)


def _gate_options(flags: dict[str, Any], *, will_write: bool, is_lenient: bool) -> GateOptions:
    """Take the values of the checks out of ``flags``."""
    from radixlint.api.gate_options import BreakFilter, GateOptions
    from radixlint.result.gate import RateKind, Scope

    taken = {name: flags.pop(name) for name in ("min_hit_rate", "max_uncached_tokens", "max_breaks", "baselines", "min_requests")}
    tolerance, rate = flags.pop("tolerance"), flags.pop("rate")
    scope = Scope(flags.pop("skip_first"), flags.pop("warm"), flags.pop("first_of_turn"))
    least_tokens, least_rate, causes = (flags.pop(name) for name in ("min_lost_tokens", "min_lost_rate", "causes"))
    has_breaks = taken["max_breaks"] is not None or bool(taken["baselines"])
    if not has_breaks and (least_tokens is not None or least_rate is not None or causes):
        raise click.UsageError("--min-lost-tokens, --min-lost-rate and --cause go with --max-breaks or --baseline")
    if tolerance is not None and not taken["baselines"]:
        raise click.UsageError("--tolerance goes with --baseline")
    has_rate = taken["min_hit_rate"] is not None or taken["max_uncached_tokens"] is not None or taken["baselines"] or will_write
    if not has_rate and (rate is not None or scope != Scope()):
        raise click.UsageError(
            "--rate, --first-of-turn, --warm and --skip-first go with --min-hit-rate, --max-uncached-tokens or a baseline"
        )
    return GateOptions(
        **taken,
        tolerance=0.01 if tolerance is None else tolerance,
        rate=None if rate is None else RateKind(rate),
        scope=scope,
        counted_breaks=BreakFilter(least_tokens or 1, least_rate or 0.0, causes),
        will_write=will_write,
        is_lenient=is_lenient,
    )


def _analysis(flags: dict[str, Any]) -> AnalyzeOptions:
    from radixlint.api.analyze_options import AnalyzeOptions
    from radixlint.api.measured_worth import WorthOptions

    model = flags.pop("model")
    show = shown_text(show_text=flags.pop("show_text"), hash_only=flags.pop("hash_only"))
    log, policy = split_flags(flags)
    worth = None if model is None else WorthOptions(model, None, None)
    return AnalyzeOptions(policy=policy, log=log, show=show, worth=worth, **flags)


def _write_baseline(report: GateReport, target: str) -> None:
    from pathlib import Path

    from radixlint.result.gate import CheckStatus

    if report.status is CheckStatus.PASSED:
        write_whole(Path(target), render("baseline", "json", report, target))
    else:
        say(f"note: {target} was not written: not all checks passed")


def _told(report: GateReport, output_format: str, output: str | None, *, is_quiet: bool) -> int:
    """Say on stderr what became of the run, so that stdout can carry the report alone; return the exit code.

    Why something could not be checked is said once: not here if the report on stdout says it in words.
    """
    from radixlint.result.gate import CheckStatus

    log = report.log
    if log is not None:
        # What over 5 % bad records mean is told by the checks themselves.
        alterations = () if is_shown(output_format, output) else log.alterations
        tell_reading(log.records, log.read, alterations, is_lenient=True, is_quiet=is_quiet)
    if report.status is CheckStatus.COULD_NOT_CHECK:
        open_checks = [check for check in report.checks if check.status is CheckStatus.COULD_NOT_CHECK]
        is_told = output_format == "text" and output in (None, "-")
        reasons = "" if is_told else ": " + "; ".join(dict.fromkeys(check.what for check in open_checks))
        say(f"error: {len(open_checks)} of {counted(len(report.checks), 'check')} not made{reasons}")
        return EXIT_USAGE
    return EXIT_FINDINGS if report.status is CheckStatus.FAILED else EXIT_CLEAN

"""``radixlint simulate``: requests under scheduling policies and cache sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from radixlint.cli.help_sections import SectionedCommand, section
from radixlint.cli.log_reading import reading_progress, tell_reading
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render, write_whole
from radixlint.cli.shared_flags import cache_flags, gib_model_flag, lenient_flag, log_flags, per_request_flag, token_flags

if TYPE_CHECKING:
    from radixlint.result.simulation import SimulationReport


_LOG_ONLY: Final = (
    *("tokenizer", "layout", "chat_template", "lenient"),
    *("format", "maps", "since", "until", "sessions", "models", "sample_rate", "max_record_mib"),
)


_load = section("What is served")
_cache = section("Whose cache")


@click.command(cls=SectionedCommand)
@click.argument("logs", nargs=-1, metavar="[LOG]...")
@_load("--workload", metavar="NAME", help="Serve an invented load, rag or rag-scrambled, instead of a log.")
@_load("--seed", type=int, metavar="N", help="What the workload draws; with --workload only.  [default: 1]")
@_load("--policy", "policies", multiple=True, metavar="P", help="fcfs, lpm, dfs-weight (vllm: fcfs); repeat it. Default: all.")
@_cache(
    "--engine",
    default="sglang",
    show_default=True,
    metavar="NAME",
    help="Engine to simulate: sglang, which has all the policies, or vllm, which serves in order of arrival.",
)
@cache_flags("page_tokens", has_many_sizes=True)
@gib_model_flag
@token_flags
@log_flags
@lenient_flag
@per_request_flag
@format_option("simulate")
@output_option()
def simulate(
    logs: tuple[str, ...],
    workload: str | None,
    seed: int | None,
    lenient: bool,
    per_request: str | None,
    output_format: str,
    output: str | None,
    **flags: Any,
) -> int:
    """Replay requests under scheduling policies and cache sizes.

    The requests of LOG or of a workload all wait from the start; the policy picks the next, which runs alone to its end,
    through the engine's cache, which evicts under pressure. LOG is what `radixlint analyze` reads: files, folders, quoted
    patterns, or - for stdin; plain, gzip or zstd. Requests without a prompt are left out.

    The engine is SGLang unless told otherwise, whatever wrote the log: the policies are those of its scheduler, and
    vLLM's has none that looks into the cache. --per-request needs one policy and one size.
    """
    from pathlib import Path

    from radixlint.reports import TextStyle
    from radixlint.reports import per_request as per_request_report

    _check_input(logs, workload, seed, flags["model"], flags["kv_gib"])
    refuse_overwriting([output, per_request], logs)
    report = _report(logs, workload, seed=1 if seed is None else seed, with_rows=per_request is not None, **flags)
    text = render("simulate", output_format, report, output)
    if per_request is not None:
        write_whole(Path(per_request), per_request_report.render(report.rows, TextStyle()))
    deliver(text, output)
    return tell_reading(report.records, report.read, report.alterations, is_lenient=lenient)


def _check_input(
    logs: tuple[str, ...], workload: str | None, seed: int | None, model: str | None, kv_gib: tuple[float, ...]
) -> None:
    if bool(logs) == (workload is not None):
        raise click.UsageError("give either LOG or --workload NAME (rag, rag-scrambled)")
    if seed is not None and workload is None:
        raise click.UsageError("--seed goes with --workload only: a log is replayed as it is")
    if model is not None and not kv_gib:
        raise click.UsageError("--model goes with --kv-gib only")
    context = click.get_current_context()
    for option in context.command.params if workload is not None else ():
        if option.name in _LOG_ONLY and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[0]} goes with LOG only: a workload draws its token ids")


def _report(logs: tuple[str, ...], workload: str | None, **flags: Any) -> SimulationReport:
    import sys
    from dataclasses import fields

    from radixlint.api.analyze_options import LogOptions
    from radixlint.api.simulate_options import SimulateOptions
    from radixlint.api.simulating import simulate_logs, simulate_workload

    log = LogOptions(**{field.name: flags.pop(field.name) for field in fields(LogOptions)})
    options = SimulateOptions(log=log, **{name: value for name, value in flags.items() if value is not None})
    if workload is not None:
        return simulate_workload(workload, options)
    with reading_progress(logs) as progress:
        return simulate_logs(logs, options, stdin=getattr(sys.stdin, "buffer", None), progress=progress)

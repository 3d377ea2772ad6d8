"""``radixlint simulate``: requests under scheduling policies and cache sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from radixlint.cli.analyze_flags import log_flags
from radixlint.cli.log_reading import reading_progress, tell_reading
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render, write_whole

if TYPE_CHECKING:
    from radixlint.result.simulation import SimulationReport


_LOG_ONLY: Final = (
    *("tokenizer", "layout", "chat_template", "lenient"),
    *("format", "maps", "since", "sample_rate", "max_record_mib"),
)


@click.command()
@click.argument("logs", nargs=-1, metavar="[LOG]...")
@click.option("--workload", metavar="NAME", help="Serve an invented load instead of a log: rag, rag-scrambled.")
@click.option("--seed", type=int, metavar="N", help="What the workload draws; with --workload only.  [default: 1]")
@click.option(
    "--policy", "policies", multiple=True, metavar="P", help="fcfs, lpm, dfs-weight (vllm: fcfs); repeat it. Default: all."
)
@click.option(
    "--kv-tokens",
    multiple=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Cache size in tokens; repeat it. Default: from half the longest request to ample.",
)
@click.option(
    "--kv-gib",
    multiple=True,
    type=float,
    metavar="X",
    help="The same in GiB; with --model; repeat it.",
)
@click.option("--model", metavar="NAME", help="Model that a size in GiB is for, for example llama-3.1-8b.")
@click.option(
    "--block-size",
    "page_tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tokens a page or block; default: the engine's.",
)
@click.option(
    "--engine",
    default="sglang",
    show_default=True,
    metavar="NAME",
    help="Engine to simulate: sglang, which has all the policies, or vllm, which serves in order of arrival.",
)
@click.option(
    "--eviction",
    default="lru",
    show_default=True,
    metavar="E",
    help="What goes first: lru, lfu, slru, priority (vllm: lru).",
)
@click.option(
    "--chunk",
    "chunk_tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Prefill long prompts in pieces of N tokens; default: whole.",
)
@click.option(
    "--tokenizer",
    metavar="NAME",
    help="Vocabulary, for example o200k_base, or a tokenizer.json or rank file; default: by the model's name.",
)
@click.option("--layout", metavar="NAME", help="Order and framing of the prompt's parts; default: tools-first.")
@click.option("--chat-template", metavar="FILE", help="A chat template (.jinja) or tokenizer_config.json in place of a layout.")
@log_flags
@click.option("--lenient", is_flag=True, help="Exit 0 even if over 5 % of the records cannot be read.")
@click.option("--per-request", metavar="FILE", help="Write one JSON line a request to FILE; one policy and size only.")
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
    vLLM's has none that looks into the cache.
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
    options = SimulateOptions(log=log, **flags)
    if workload is not None:
        return simulate_workload(workload, options)
    with reading_progress(logs) as progress:
        return simulate_logs(logs, options, stdin=getattr(sys.stdin, "buffer", None), progress=progress)

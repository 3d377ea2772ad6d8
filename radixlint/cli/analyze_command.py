"""``radixlint analyze``: measure prefix sharing in request logs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.help_sections import SectionedCommand, section
from radixlint.cli.known_word import KnownWord
from radixlint.cli.log_reading import NO_REPORT, is_shown, reading_progress, tell_reading
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render, write_whole
from radixlint.cli.shared_flags import (
    cache_flags,
    engine_flag,
    lenient_flag,
    log_flags,
    per_request_flag,
    policy_flags,
    quiet_flag,
    shown_text,
    split_flags,
    store_flag,
    text_flags,
    token_flags,
)

if TYPE_CHECKING:
    from radixlint.api.analyze_options import AnalyzeOptions

_GROUPS: Final = ("model", "tenant", "session", "template", "tag", "host")

_report = section("What is shown")
_worth = section("What it is worth")


@click.command(
    cls=SectionedCommand,
    examples=(
        "radixlint analyze requests.jsonl",
        "radixlint analyze logs/ --engine sglang --kv-tokens 200000 --by tenant",
        "kubectl logs vllm-0 | radixlint analyze - --since 2026-03-02T09:00Z --json",
    ),
    exit_codes=(("0", "the report was written"), *NO_REPORT),
)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@engine_flag
@cache_flags("block_tokens", has_many_sizes=False)
@policy_flags
@token_flags
@store_flag
@log_flags
@_report("--by", multiple=True, type=KnownWord(_GROUPS), metavar="PART", help=f"Group by {', '.join(_GROUPS)}.")
@_report("--curve", is_flag=True, help="Show the rate for every size and time to live.")
@_report("--optimum", is_flag=True, help="With --curve: what no cache of a size can exceed.")
@_worth("--prices", metavar="FILE", help="Prices: a file of ours or litellm's model_prices.")
@_report("--top", default=5, show_default=True, type=click.IntRange(min=0), metavar="N", help="Breaks to list.")
@_report("--no-explain", is_flag=True, help="Look for no breaks: faster, without causes.")
@_worth("--model", metavar="NAME", help="Say what reuse is worth on it, as llama-3.1-8b.")
@_worth("--gpu", metavar="NAME", help="GPU that serves it, as h100; with --model.")
@_worth(
    "--output-tokens",
    type=click.FloatRange(1, 1_000_000_000),
    metavar="N",
    help="Mean output; default: the log's. With --model.",
)
@_report("--tree", is_flag=True, help="Draw the top of the prefix tree.")
@_report("--tree-depth", default=3, show_default=True, type=click.IntRange(1, 50), metavar="N", help="Levels to draw.")
@_report("--tree-width", default=5, show_default=True, type=click.IntRange(1, 1000), metavar="N", help="Children a node shows.")
@text_flags
@lenient_flag
@section()("--jobs", "-j", default=1, show_default=True, type=click.IntRange(1, 256), metavar="N", help="Processes that encode.")
@per_request_flag
@format_option("analyze")
@output_option()
@quiet_flag()
def analyze(
    logs: tuple[str, ...], output_format: str, output: str | None, per_request: str | None, is_quiet: bool, **flags: Any
) -> int:
    """Measure how many prompt tokens of the request logs LOG... could be, and were, served from a prefix cache.

    LOG is a file, a folder, a quoted pattern, or - for stdin; plain, gzip or zstd. The format is told from each record
    (`radixlint formats` lists them). In its plainest form a line is one request, as sent or wrapped in request, body, input,
    params or request_body:

    \b
      messages, tools, model        a chat request, with usage if it is logged
      token_ids, output_ids         or the prompt and the output as token ids
      namespace, cache_salt, lora   what is never shared
      timestamp, session, user, id  when, in which conversation, for whom

    \b
    {"timestamp": "2026-03-02T09:00:00Z",
     "request": {"model": "gpt-4o",
                 "messages": [{"role": "user", "content": "Hi"}]},
     "response": {"usage": {"prompt_tokens": 9}}}

    (The example is one line in a log.) Text that fewer than five conversations share is shown as its shape only.
    """  # noqa: D301 - click wants the escape itself
    import sys
    from pathlib import Path

    from radixlint.api.measuring import analyze as measure_logs
    from radixlint.reports import TextStyle
    from radixlint.reports import per_request as per_request_report

    refuse_overwriting([output, per_request], logs)
    lenient = flags.pop("lenient")
    with reading_progress(logs, is_quiet=is_quiet) as progress:
        report = measure_logs(logs, _options(**flags), stdin=getattr(sys.stdin, "buffer", None), progress=progress)
    text = render("analyze", output_format, report, output)
    if per_request is not None:
        write_whole(Path(per_request), per_request_report.render(report.rows, TextStyle()))
    deliver(text, output)
    shown = is_shown(output_format, output)
    return tell_reading(report.records, report.read, () if shown else report.alterations, is_lenient=lenient, is_quiet=is_quiet)


def _options(
    *,
    by: tuple[str, ...],
    curve: bool,
    optimum: bool,
    tree: bool,
    tree_depth: int,
    tree_width: int,
    show_text: bool,
    hash_only: bool,
    no_explain: bool,
    top: int,
    model: str | None,
    gpu: str | None,
    output_tokens: float | None,
    **flags: Any,
) -> AnalyzeOptions:
    from radixlint.api.analyze_options import AnalyzeOptions, CurveOptions
    from radixlint.api.measured_worth import WorthOptions
    from radixlint.result.groups import GroupBy
    from radixlint.result.measurement import TreeLimits

    if model is None and (gpu is not None or output_tokens is not None):
        raise click.UsageError(f"{'--output-tokens' if gpu is None else '--gpu'} goes with --model NAME")
    if output_tokens is not None and math.isnan(output_tokens):
        raise click.UsageError("--output-tokens: nan is no length")
    if optimum and not curve:
        raise click.UsageError("--optimum goes with --curve")
    log, policy = split_flags(flags)
    return AnalyzeOptions(
        policy=policy,
        log=log,
        by=tuple(GroupBy(one) for one in by),
        top=0 if no_explain else top,
        curve=CurveOptions(optimum) if curve else None,
        tree=TreeLimits(tree_depth, tree_width) if tree else None,
        show=shown_text(show_text=show_text, hash_only=hash_only),
        worth=None if model is None else WorthOptions(model, gpu, output_tokens),
        **flags,
    )

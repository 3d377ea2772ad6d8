"""``radixlint advise``: the go/no-go report from templates, log and workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, say
from radixlint.cli.log_reading import tell_reading
from radixlint.cli.output import deliver, format_option, refuse_overwriting, render
from radixlint.cli.shared_flags import lenient_flag

if TYPE_CHECKING:
    from radixlint.api.advising import Advised, AdviseOptions

DEFAULT_OUTPUT: Final = "outputs/skill-radix-scheduler-advisor.md"
_RATE: Final = click.FloatRange(0, 1)


@click.command()
@click.option("--templates", multiple=True, metavar="PATH", help="Prompt templates to check: a file or folder; may be repeated.")
@click.option("--log", "logs", multiple=True, metavar="LOG", help="Request log to measure, - for stdin; may be repeated.")
@click.option("--workload", required=True, metavar="FILE", help="Description of the workload in YAML.")
@click.option("--model", metavar="NAME", help="Served model; replaces the workload file's.")
@click.option("--gpu", metavar="NAME", help="GPU; replaces the workload file's.")
@click.option("--go-threshold", type=_RATE, default=0.40, show_default=True, help="Hit rate above which the verdict is go.")
@click.option("--no-go-threshold", type=_RATE, default=0.30, show_default=True, help="Hit rate below which it is no-go.")
@click.option(
    "--min-requests", type=click.IntRange(min=2), default=100, show_default=True, metavar="N", help="Fewer give no verdict."
)
@lenient_flag
@format_option("advice", default="markdown")
@click.option("--output", metavar="FILE", help=f"Write to FILE, - for stdout.  [default: {DEFAULT_OUTPUT}; stdout for json]")
def advise(workload: str, lenient: bool, output_format: str, output: str | None, **flags: Any) -> int:
    """Write the go/no-go report: fingerprint, ordering, hit rate, engine, 48-hour plan.

    Without a log, or with too short a one, the verdict is NOT ENOUGH DATA: no engine is recommended unmeasured.

    The workload file is YAML with the keys name, template_shape, retrieval_pattern, conversation_length, tenants and
    controls_template, and others that are optional: docs/workload.md explains all, and
    radixlint/samples/support_desk.workload.yaml is one to copy.

    Exit code: 0 GO; 1 NO-GO, RUN BOTH or NOT ENOUGH DATA; 2 wrong usage or unreadable input.
    """
    import sys

    from radixlint.api.advising import advise_paths
    from radixlint.result.advice import Verdict

    options = _options(workload, **flags)
    target = output or (DEFAULT_OUTPUT if output_format == "markdown" else "-")
    refuse_overwriting([target], (workload, *options.logs, *options.templates))
    advised = advise_paths(options, stdin=getattr(sys.stdin, "buffer", None))
    deliver(render("advice", output_format, advised.advice, target), target)
    code = _tell(advised, target, lenient)
    if code:
        return code
    return EXIT_CLEAN if advised.advice.decision.verdict is Verdict.GO else EXIT_FINDINGS


def _options(
    workload: str,
    *,
    templates: tuple[str, ...],
    logs: tuple[str, ...],
    model: str | None,
    gpu: str | None,
    go_threshold: float,
    no_go_threshold: float,
    min_requests: int,
) -> AdviseOptions:
    from pathlib import Path

    from radixlint.api.advising import AdviseOptions
    from radixlint.result.advice import Thresholds

    if no_go_threshold > go_threshold:
        raise click.UsageError("--no-go-threshold must not be above --go-threshold")
    thresholds = Thresholds(go_threshold, no_go_threshold, min_requests)
    return AdviseOptions(Path(workload), templates, logs, Path.cwd(), thresholds, model, gpu)


def _tell(advised: Advised, target: str, lenient: bool) -> int:
    """Say on stderr what became of the run, so that stdout can carry the report alone; return the code of the reading."""
    log = advised.log
    code = tell_reading(log.records, log.read, log.alterations, is_lenient=lenient) if log else EXIT_CLEAN
    place = "" if target == "-" else f", written to {target}"
    say(f"{advised.advice.decision.verdict}{place}")
    return code

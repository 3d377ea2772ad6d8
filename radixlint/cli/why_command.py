"""``radixlint why``: explain one request of a log."""

from __future__ import annotations

from typing import Any

import click

from radixlint.cli.help_sections import SectionedCommand, section
from radixlint.cli.log_reading import NO_REPORT, reading_progress
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render
from radixlint.cli.shared_flags import (
    cache_flags,
    engine_flag,
    gib_model_flag,
    log_flags,
    policy_flags,
    quiet_flag,
    shown_text,
    split_flags,
    store_flag,
    text_flags,
    token_flags,
)


@click.command(
    cls=SectionedCommand,
    examples=(
        "radixlint why requests.jsonl --request req-17",
        "radixlint why requests.jsonl --request 4 --show-text",
        "radixlint why logs/ --request req-17 --engine openai-legacy --json",
    ),
    exit_codes=(("0", "the report was written"), *NO_REPORT),
)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@section("What is explained")("--request", metavar="ID", help="Its id, or its number by time, from 0; needed.")
@engine_flag
@cache_flags("block_tokens", has_many_sizes=False)
@policy_flags
@gib_model_flag
@token_flags
@store_flag
@log_flags
@text_flags
@format_option("why")
@output_option()
@quiet_flag()
def why(
    logs: tuple[str, ...],
    request: str | None,
    output_format: str,
    output: str | None,
    show_text: bool,
    hash_only: bool,
    model: str | None,
    is_quiet: bool,
    **flags: Any,
) -> int:
    """Explain one request of the logs LOG...: which earlier one it should have shared its prefix with, where it broke, by what
    cause, and whether it was the prompt or the server.

    `radixlint analyze` names requests to ask about. A number is counted among the requests that the same options on records
    leave.
    """
    import sys

    from radixlint.api.analyze_options import AnalyzeOptions
    from radixlint.api.measured_worth import WorthOptions
    from radixlint.api.why import why as explain_request

    if request is None:
        raise click.UsageError(
            "--request ID says which request to explain: an id, or a number from 0; `radixlint analyze` names some"
        )
    refuse_overwriting([output], logs)
    log, policy = split_flags(flags)
    show = shown_text(show_text=show_text, hash_only=hash_only)
    worth = None if model is None else WorthOptions(model, None, None)
    options = AnalyzeOptions(policy=policy, log=log, show=show, worth=worth, **flags)
    with reading_progress(logs, is_quiet=is_quiet) as progress:
        report = explain_request(logs, request, options, stdin=getattr(sys.stdin, "buffer", None), progress=progress)
    deliver(render("why", output_format, report, output), output)
    return 0

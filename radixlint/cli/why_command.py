"""``radixlint why``: explain one request of a log."""

from __future__ import annotations

from typing import Any

import click

from radixlint.cli.help_sections import SectionedCommand, section
from radixlint.cli.log_reading import reading_progress
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render
from radixlint.cli.shared_flags import (
    cache_flags,
    engine_flag,
    log_flags,
    policy_flags,
    shown_text,
    split_flags,
    text_flags,
    token_flags,
)

_tokens = section("Prompt and tokens")
_report = section("What is shown")


@click.command(cls=SectionedCommand)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--request", required=True, metavar="ID", help="Its id, or its number in the order of sending, from 0.")
@engine_flag
@cache_flags("block_tokens", has_many_sizes=False)
@policy_flags
@token_flags
@_tokens("--store-outputs", is_flag=True, help="Let logged text replies enter the cache (ids of outputs always do).")
@log_flags
@text_flags
@format_option("why")
@output_option()
def why(
    logs: tuple[str, ...],
    request: str,
    output_format: str,
    output: str | None,
    show_text: bool,
    hash_only: bool,
    store_outputs: bool,
    **flags: Any,
) -> int:
    """Explain one request of the logs LOG...: which earlier one it should have shared its prefix with, where it broke, by what
    cause, and whether it was the prompt or the server.
    """
    import sys

    from radixlint.api.analyze_options import AnalyzeOptions
    from radixlint.api.why import why as explain_request

    refuse_overwriting([output], logs)
    log, policy = split_flags(flags)
    show = shown_text(show_text=show_text, hash_only=hash_only)
    options = AnalyzeOptions(policy=policy, log=log, show=show, store_outputs=store_outputs, **flags)
    with reading_progress(logs) as progress:
        report = explain_request(logs, request, options, stdin=getattr(sys.stdin, "buffer", None), progress=progress)
    deliver(render("why", output_format, report, output), output)
    return 0

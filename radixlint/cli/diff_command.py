"""``radixlint diff``: two logs, two requests, two templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, say
from radixlint.cli.help_sections import SectionedCommand, section
from radixlint.cli.log_reading import is_shown, reading_progress, tell_reading
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render
from radixlint.cli.shared_flags import (
    Share,
    cache_flags,
    engine_flag,
    lenient_flag,
    log_flags,
    policy_flags,
    quiet_flag,
    shown_text,
    split_flags,
    text_flags,
    token_flags,
)

if TYPE_CHECKING:
    from radixlint.api.compare_options import CompareOptions
    from radixlint.result.comparison import Comparison

_compared = section("What is compared")
_report = section("What is shown")
# One request has no earlier one to share with.
_LEAST_REQUESTS: Final = 2


@click.command(
    cls=SectionedCommand,
    examples=(
        "radixlint diff before.jsonl after.jsonl",
        "radixlint diff requests.jsonl --split-at 14:02 --fail",
        "radixlint diff requests.jsonl --request req-17 --request req-18",
        "radixlint diff chat.old.j2 chat.j2",
    ),
    exit_codes=(
        ("0", "the report was written"),
        ("1", "with --fail: the later one is worse"),
        ("2", "it cannot be compared, or wrong usage"),
        ("3", "a fault of radixlint"),
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="A [B]")
@_compared(
    "--split-at",
    metavar="TIME",
    help="Compare one log before and from this time on (UTC): 2026-03-02T14:30, or 14:30 in a log of one day.",
)
@_compared("--request", "requests", multiple=True, metavar="ID", help="Compare two requests of one log; give it twice.")
@_compared(
    "--cold",
    "cold_requests",
    type=click.IntRange(min=0),
    metavar="N",
    help="Leave out the first N requests of each part; default: the first of each application.",
)
@_compared(
    "--tolerance",
    "tolerance_rate",
    default="0.01",
    show_default=True,
    type=Share(),
    metavar="SHARE",
    help="How far the hit rate may fall.",
)
@engine_flag
@cache_flags("block_tokens", has_many_sizes=False, has_model=False)
@policy_flags
@token_flags
@log_flags
@text_flags
@lenient_flag
@click.option("--fail", is_flag=True, help="Exit 1 if the later one is worse, 2 if nothing can be compared.")
@format_option("diff")
@output_option()
@quiet_flag()
def diff(
    paths: tuple[str, ...], output_format: str, output: str | None, lenient: bool, fail: bool, is_quiet: bool, **flags: Any
) -> int:
    """Say what changed from A to B: since when, which part of the prompt, how many tokens a day, and whose fault it is.

    A and B are two logs (files, folders, quoted patterns; one may be - for stdin), two requests (files that hold one
    each), or two revisions of a template that `radixlint check` reads. One log is compared with itself by --split-at TIME,
    two of its requests by --request ID --request ID. The earlier one comes first.

    Logs: the change of uncached tokens is taken apart into prompt, engine or provider, and traffic mix; cold starts do not
    count. Requests: the first divergence in wire order; with files of your own, --show-text is likely what you want.
    Templates: changed static text, the stable head in tokens, findings that are new or gone.

    With --fail worse is: the hit rate fell by more than --tolerance (and more than chance), a new break began, or a template
    has a new finding or a shorter stable head.
    """
    import sys

    from radixlint.api.comparing import compare

    refuse_overwriting([output], paths)
    options = _options(**flags)
    with reading_progress(paths, is_quiet=is_quiet) as progress:
        found = compare(paths, options, stdin=getattr(sys.stdin, "buffer", None), progress=progress)
    deliver(render("diff", output_format, found, output), output)
    read = _tell(found, lenient, is_shown=is_shown(output_format, output), is_quiet=is_quiet)
    return read or (_exit_code(found, is_quiet=is_quiet) if fail else EXIT_CLEAN)


def _tell(found: Comparison, lenient: bool, *, is_shown: bool, is_quiet: bool) -> int:
    from radixlint.result.pair_comparison import TemplateComparison

    if isinstance(found, TemplateComparison):
        return EXIT_CLEAN
    told = () if is_shown else found.alterations
    return tell_reading(found.records, found.read, told, is_lenient=lenient, is_quiet=is_quiet)


def _exit_code(found: Comparison, *, is_quiet: bool) -> int:
    from radixlint.result.comparison import Blame, LogComparison

    if found.is_worse:
        return EXIT_FINDINGS
    if isinstance(found, LogComparison) and found.blame is Blame.UNKNOWN:
        if min(found.before.counted_requests, found.after.counted_requests) < _LEAST_REQUESTS:
            say("error: fewer than two requests of a part count, so nothing can be compared")
            return EXIT_USAGE
        if not is_quiet:
            say("warning: too little is known to tell whether the later part is worse")
    return EXIT_CLEAN


def _options(*, show_text: bool, hash_only: bool, **flags: Any) -> CompareOptions:
    from pathlib import Path

    from radixlint.api.compare_options import CompareOptions
    from radixlint.config import load_settings

    log, policy = split_flags(flags)
    return CompareOptions(
        policy=policy,
        log=log,
        show=shown_text(show_text=show_text, hash_only=hash_only),
        settings=load_settings(Path.cwd()),
        start=Path.cwd(),
        **flags,
    )

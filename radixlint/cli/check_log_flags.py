"""``check --log``: the options, and how the report is joined with the logs."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from radixlint.cli.boundary import EXIT_CLEAN
from radixlint.cli.help_sections import section, under
from radixlint.cli.log_reading import reading_progress, tell_reading
from radixlint.cli.shared_flags import engine_flag, lenient_flag, token_flags

if TYPE_CHECKING:
    from radixlint.api.analyze_options import AnalyzeOptions
    from radixlint.api.checking import CheckedFiles
    from radixlint.result.finding import CheckReport

_HEADING: Final = "Joined with a log"
_joined = section(_HEADING)

_LOG_OPTIONS: Final = (
    _joined("--log", "logs", multiple=True, metavar="FILE", help="Measure the findings in this request log; repeat it."),
    _joined("--log-format", metavar="FORMAT", help="Format of --log (see `radixlint formats`); default: told from each record."),
    under(_HEADING, engine_flag, token_flags, lenient_flag),
)


class JoinFlags(NamedTuple):
    """What the user asked of logs."""

    logs: tuple[str, ...]
    options: AnalyzeOptions | None
    is_lenient: bool

    def refuse_others(self, paths: Iterable[str], *, is_fixing: bool) -> None:
        """Make sure that the logs can be joined with what is checked.

        Raises:
            UsageError: prompts are fixed in the same run, or standard input is asked for twice.
        """
        if self.logs and is_fixing:
            raise click.UsageError("--log measures prompts as they were sent: run it before --fix or --diff")
        if "-" in self.logs and "-" in paths:
            raise click.UsageError("- cannot be a prompt and a log at once")

    def joined(self, report: CheckReport, checked: CheckedFiles) -> tuple[CheckReport, int]:
        """Return the report with what the logs say, and the exit code that reading them asks for (0 or 2)."""
        if self.options is None:
            return report, EXIT_CLEAN
        from radixlint.api.check_measured import join_logs

        stdin = getattr(sys.stdin, "buffer", None)
        with reading_progress(self.logs) as progress:
            found = join_logs(report, checked.prompts, self.logs, self.options, stdin=stdin, progress=progress)
        return found.report, tell_reading(found.records, found.read, found.alterations, is_lenient=self.is_lenient)


def join_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command; it takes them as one argument, ``join_flags``."""

    @functools.wraps(command)
    def joined(
        *arguments: Any,
        logs: tuple[str, ...],
        log_format: str | None,
        engine: str | None,
        tokenizer: str | None,
        layout: str | None,
        chat_template: str | None,
        lenient: bool,
        **others: Any,
    ) -> Any:
        given = {"--log-format": log_format, "--engine": engine, "--tokenizer": tokenizer, "--layout": layout}
        given |= {"--chat-template": chat_template, "--lenient": "" if lenient else None}
        options = None
        if logs:
            from radixlint.api.analyze_options import AnalyzeOptions, LogOptions, PolicyOptions

            options = AnalyzeOptions(
                policy=PolicyOptions(engine=engine),
                log=LogOptions(format=log_format),
                tokenizer=tokenizer,
                layout=layout,
                chat_template=chat_template,
            )
        elif alone := [name for name, value in given.items() if value is not None]:
            raise click.UsageError(f"{alone[0]} is about a log: it needs --log FILE")
        return command(*arguments, join_flags=JoinFlags(logs, options, lenient), **others)

    for option in reversed(_LOG_OPTIONS):
        joined = option(joined)
    return joined

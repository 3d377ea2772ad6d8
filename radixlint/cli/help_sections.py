"""A command whose help lists its options under headings, in the order of the questions they answer, and ends in examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import click

from radixlint.spelling import nearest

_OTHERS: Final = "Report and exit code"


class SectionedCommand(click.Command):
    """Options made by ``section`` stand under its heading, the others behind them; then examples and exit codes.

    Args:
        examples: command lines that can be run as they stand, given the files they name.
        exit_codes: each code with what it means.
        has_every_name: whether second long names of options are told, for commands whose lines may be long.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        exit_codes: Sequence[tuple[str, str]] = (),
        has_every_name: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.examples, self.exit_codes = tuple(examples), tuple(exit_codes)
        self.has_every_name = has_every_name

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the options; a mistyped one is answered with the nearest alone."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            best = nearest(error.option_name, [name for param in self.get_params(ctx) for name in param.opts])
            raise click.NoSuchOption(error.option_name, possibilities=None if best is None else [best], ctx=ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by heading, in the order in which headings first appear, then examples and exit codes."""
        headings: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                headings.setdefault(getattr(param, "heading", _OTHERS), []).append(record)
        for heading, records in sorted(headings.items(), key=lambda item: item[0] == _OTHERS):
            with formatter.section(heading):
                formatter.write_dl(records)
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"{'':{formatter.current_indent}}{example}\n" for example in self.examples))
        if self.exit_codes:
            with formatter.section("Exit codes"):
                formatter.write_dl(self.exit_codes)


class ListedOption(click.Option):
    """An option that has one line in the help: under ``heading``, by its first name, without the range of a number."""

    def __init__(self, *args: Any, heading: str = _OTHERS, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heading = heading

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return name and words; a second long name stands behind the words."""
        record = super().get_help_record(ctx)
        spare = [name for name in self.opts if name.startswith("--")][1:]
        if record is None or not spare:
            return record
        also = f"  (also {', '.join(spare)})" if getattr(ctx.command, "has_every_name", False) else ""
        return record[0].replace("".join(f", {name}" for name in spare), ""), record[1] + also

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Return the name that the help has."""
        return f"'{self.opts[0]}'"

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return what follows the words; a number out of range is told when it is given."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


def under(heading: str, *decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what adds the options of ``decorators``, made for several commands, under ``heading`` in this one."""

    def add(command: Any) -> Any:
        known = {id(param) for param in getattr(command, "__click_params__", ())}
        for decorator in reversed(decorators):
            command = decorator(command)
        for param in command.__click_params__:
            if id(param) not in known:
                param.heading = heading
        return command

    return add


def section(heading: str = _OTHERS) -> Callable[..., Callable[[Any], Any]]:
    """Return what makes options as ``click.option`` does, under ``heading``."""

    def option(*names: str, **settings: Any) -> Callable[[Any], Any]:
        return click.option(*names, cls=ListedOption, heading=heading, **settings)

    return option

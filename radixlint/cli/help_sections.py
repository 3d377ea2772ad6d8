"""A command whose help lists its options under headings, in the order of the questions they answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

_OTHERS: Final = "Report and exit code"


class SectionedCommand(click.Command):
    """Options made by ``section`` stand under its heading, the others behind them."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by heading, in the order in which headings first appear."""
        headings: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                headings.setdefault(getattr(param, "heading", _OTHERS), []).append(record)
        for heading, records in sorted(headings.items(), key=lambda item: item[0] == _OTHERS):
            with formatter.section(heading):
                formatter.write_dl(records)


class _Option(click.Option):
    """An option that knows its heading."""

    def __init__(self, *args: Any, heading: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heading = heading


def section(heading: str) -> Callable[..., Callable[[Any], Any]]:
    """Return what makes options as ``click.option`` does, under ``heading``."""

    def option(*names: str, **settings: Any) -> Callable[[Any], Any]:
        return click.option(*names, cls=_Option, heading=heading, **settings)

    return option

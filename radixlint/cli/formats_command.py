"""``radixlint formats``: the log formats that can be read."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, format_option, output_option, render


@click.command()
@click.option("--map", "maps", multiple=True, metavar="FILE", help="List the formats that FILE describes as well; repeatable.")
@format_option("formats")
@output_option()
def formats(maps: tuple[str, ...], output_format: str, output: str | None) -> None:
    """List the log formats that analyze, simulate and advise read.

    The format is told from each record, so one log may mix several.
    """
    from radixlint.api.format_book import every_format

    deliver(render("formats", output_format, every_format(maps), output), output)

"""``radixlint demo``: why order and cache size decide the hit rate."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, terminal_style


@click.command()
@click.option("--seed", default=1, show_default=True, type=int, metavar="N", help="What the load draws.")
@click.option(
    "--format", "--output-format", "output_format", default="text", show_default=True, type=click.Choice(["text", "json"])
)
@click.option("--output", metavar="FILE", help="Write to FILE instead of stdout.")
def demo(seed: int, output_format: str, output: str | None) -> None:
    """Show why order and cache size decide the hit rate.

    One invented load in two orders of its parts, three scheduling policies, four cache sizes; nothing is read or sent.
    """
    import importlib

    from radixlint.api.demo_story import tell_story

    renderer = importlib.import_module(f"radixlint.reports.demo_{output_format}")
    deliver(renderer.render(tell_story(seed), terminal_style()), output)

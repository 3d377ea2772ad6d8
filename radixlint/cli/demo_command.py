"""``radixlint demo``: why order and cache size decide the hit rate."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, format_option, output_option, render


@click.command()
@click.option("--seed", default=1, show_default=True, type=int, metavar="N", help="What the load draws.")
@format_option("demo")
@output_option()
def demo(seed: int, output_format: str, output: str | None) -> None:
    """Show why order and cache size decide the hit rate.

    One invented load in two orders of its parts, three scheduling policies, four cache sizes; nothing is read or sent.
    """
    from radixlint.api.demo_story import tell_story

    deliver(render("demo", output_format, tell_story(seed), output), output)

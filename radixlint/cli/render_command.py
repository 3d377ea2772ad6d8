"""``radixlint render``: show a prompt file laid flat."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from radixlint.cli.boundary import say
from radixlint.cli.output import deliver, format_option, output_option, refuse_overwriting, render


@click.command("render")
@click.argument("file", metavar="FILE")
@format_option("render")
@output_option()
@click.option("--config", metavar="FILE", help="Read this config file instead of searching for one.")
@click.option("--isolated", is_flag=True, help="Read no config file.")
@click.option(
    "--stdin-filename", metavar="NAME", default="stdin.j2", show_default=True, help="The name of -; decides its format."
)
def render_prompts(
    file: str, output_format: str, output: str | None, config: str | None, isolated: bool, stdin_filename: str
) -> None:
    """Show each prompt of FILE (- for standard input) in wire order: its text, its values as they are written, how long each
    part stays the same, the tokens up to there, and where the prefix ends for other requests.

    Nothing is executed. Includes are resolved; of conditions all branches are shown.
    """
    from radixlint.api.check_options import CheckOptions
    from radixlint.api.rendering import render_file
    from radixlint.config import load_settings

    refuse_overwriting([output], [file])
    if config is not None and isolated:
        raise click.UsageError("--config and --isolated exclude each other")
    settings = load_settings(Path.cwd(), None if config is None else Path(config), is_isolated=isolated)
    options = CheckOptions((file,), settings, Path.cwd(), stdin_name=stdin_filename, read_stdin=_read_stdin)
    report = render_file(options)
    deliver(render("render", output_format, report, output), output)
    for note in report.notes:
        say(f"note: {note}")


def _read_stdin(most_bytes: int) -> bytes:
    if sys.stdin.isatty():
        say("reading a prompt from the terminal; end it with Ctrl-D")
    return sys.stdin.buffer.read(most_bytes)

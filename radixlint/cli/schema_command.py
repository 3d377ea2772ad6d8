"""``radixlint schema``: the JSON Schema of the config file."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, output_option


@click.command()
@output_option()
def schema(output: str | None) -> None:
    """Print the JSON Schema of radixlint.toml, for editors."""
    from radixlint.config.config_schema import config_schema

    deliver(config_schema(), output)

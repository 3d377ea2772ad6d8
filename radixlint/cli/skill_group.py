"""The go/no-go report under the name of the skill it replaces."""

from __future__ import annotations

import click

from radixlint.cli.advise_command import advise


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def skill() -> None:
    """Decide between SGLang and vLLM from measured prefix sharing; the same as ``radixlint advise``."""


skill.add_command(advise, name="report")

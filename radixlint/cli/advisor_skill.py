"""``skill-radix-scheduler-advisor``: the go/no-go report under the name of the skill it replaces."""

from __future__ import annotations

import click

from radixlint.cli.advise_command import advise
from radixlint.cli.boundary import run_guarded


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def skill() -> None:
    """Decide between SGLang and vLLM from measured prefix sharing; the same as ``radixlint advise``."""


skill.add_command(advise, name="report")


def main() -> None:
    """Run the command line and exit with the documented code."""
    run_guarded(skill)

"""``radixlint rules`` and ``radixlint rule``: the list, and one rule's page."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, format_option, output_option, render


@click.command()
@format_option("rules")
@output_option()
def rules(output_format: str, output: str | None) -> None:
    """List the rules."""
    from radixlint.api.rule_book import every_rule

    deliver(render("rules", output_format, every_rule(), output), output)


@click.command()
@click.argument("rule_name", metavar="RULE")
@format_option("rule")
@output_option()
def rule(rule_name: str, output_format: str, output: str | None) -> None:
    """Explain one rule, with examples. RULE is a code (RL201) or a name (volatile-time-before-static)."""
    from radixlint.api.rule_book import one_rule

    deliver(render("rule", output_format, one_rule(rule_name), output), output)

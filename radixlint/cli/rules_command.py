"""``radixlint rules`` and ``radixlint rule``: the list, and one rule's page."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, format_option, output_option, render

_own_rules = click.option("--rules", "own_rules", multiple=True, metavar="DIR|FILE", help="Your own rules too.")


@click.command()
@_own_rules
@format_option("rules")
@output_option()
def rules(own_rules: tuple[str, ...], output_format: str, output: str | None) -> None:
    """List the rules."""
    from radixlint.api.rule_book import every_rule

    deliver(render("rules", output_format, every_rule(own_rules), output), output)


@click.command()
@click.argument("rule_name", metavar="RULE")
@_own_rules
@format_option("rule")
@output_option()
def rule(rule_name: str, own_rules: tuple[str, ...], output_format: str, output: str | None) -> None:
    """Explain one rule, with examples. RULE is a code (RL201) or a name (volatile-time-before-static)."""
    from radixlint.api.rule_book import one_rule

    deliver(render("rule", output_format, one_rule(rule_name, own_rules), output), output)

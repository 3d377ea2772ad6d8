"""``radixlint rules`` and ``radixlint rule``: the list, and one rule's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from radixlint.cli.output import deliver, terminal_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radixlint.result.rule import Rule

_FORMAT = click.option(
    "--format", "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
_OUTPUT = click.option("--output", metavar="FILE", help="Write to FILE, whole or not at all, instead of standard output.")


@click.command()
@_FORMAT
@_OUTPUT
def rules(form: str, output: str | None) -> None:
    """List the rules."""
    from radixlint.catalog import load_rules
    from radixlint.reports import rules_json, rules_text

    catalog = load_rules()
    text = rules_json.render(catalog, terminal_style()) if form == "json" else rules_text.render(catalog, terminal_style())
    deliver(text, output)


@click.command()
@click.argument("rule_name", metavar="RULE")
@_FORMAT
@_OUTPUT
def rule(rule_name: str, form: str, output: str | None) -> None:
    """Explain one rule, with examples. RULE is a code (RL201) or a name (volatile-time-before-static)."""
    from radixlint.catalog import load_rules
    from radixlint.reports import rule_text, rules_json

    found = _find(load_rules(), rule_name)
    text = rules_json.render([found], terminal_style()) if form == "json" else rule_text.render(found, terminal_style())
    deliver(text, output)


def _find(catalog: Sequence[Rule], word: str) -> Rule:
    from radixlint.errors import ConfigError
    from radixlint.spelling import nearest

    for each in catalog:
        if word.upper() == each.id or word.lower() == each.name:
            return each
    guess = nearest(word.upper(), (each.id for each in catalog)) if word[:2].upper() == "RL" else None
    guess = guess or nearest(word.lower(), (each.name for each in catalog))
    hint = f"did you mean {guess}?" if guess else "radixlint rules lists them"
    raise ConfigError(f"unknown rule {word!r}", hint=hint)

"""``radixlint test-rules``: options and exit code."""

from __future__ import annotations

from pathlib import Path

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, say
from radixlint.cli.output import deliver, output_option, render


@click.command()
@click.argument("pack", metavar="DIR")
@output_option()
def test_rules(pack: str, output: str | None) -> int:
    """Try the rules in the folder DIR on the examples in their files and on marked prompts beside them.

    In a prompt, a comment `ruleid: CODE` says that the next line has a finding of that rule, `ok: CODE` that it has none;
    `todoruleid:` and `todook:` say so of what does not hold yet. `name.fixed.j2` is what the fixes make of `name.j2`.

    Exit code: 0 all as marked, 1 a rule missed a line or reported a wrong one, 2 a rule file or a mark is wrong.
    """
    from radixlint.api.rule_testing import try_rules

    tested = try_rules(Path.cwd() / pack, Path.cwd())
    deliver(render("tested-rules", "text", tested, output), output)
    if tested.untested:
        say(f"note: nothing tries {', '.join(tested.untested)}: add a failing example or a marked prompt")
    return EXIT_FINDINGS if tested.faults else EXIT_CLEAN

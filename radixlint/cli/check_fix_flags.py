"""``check --fix``, ``--unsafe-fixes``, ``--diff`` and ``--show-fixes``: the options, and what is said about fixes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_FINDINGS, say

if TYPE_CHECKING:
    from radixlint.api.check_options import CheckOptions
    from radixlint.api.fixing import FixRun
    from radixlint.result.finding import CheckReport

_OPTIONS: Final = (
    click.option("--fix", is_flag=True, help="Apply safe fixes, then report what is left."),
    click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also fixes that change the order or words of a prompt."),
    click.option("--diff", is_flag=True, help="Print what --fix would change, write nothing; exit 1 if there is anything."),
    click.option("--show-fixes", is_flag=True, help="List every fix that was applied."),
)


@dataclass(frozen=True, slots=True)
class FixFlags:
    """What the user asked of fixes."""

    fix: bool
    unsafe: bool
    diff: bool
    show: bool

    @property
    def is_on(self) -> bool:
        """Whether any file is to be fixed, or a diff shown."""
        return self.fix or self.diff


def fix_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the four options to a command; it takes them as one argument, ``fix_flags``.

    The command joins them so, in place of ``report = check_paths(options)``::

        if fix_flags.is_on:
            run = fixed(options, fix_flags)      # raises before anything is half-written
            report = run.report                  # what is left
            if (code := told(run, fix_flags, output)) is not None:
                return code                      # --diff, or stdin: stdout is taken by the diff or the fixed text
    """

    @functools.wraps(command)
    def joined(*arguments: Any, fix: bool, unsafe_fixes: bool, diff: bool, show_fixes: bool, **others: Any) -> Any:
        if fix and diff:
            raise click.UsageError("--fix and --diff exclude each other")
        return command(*arguments, fix_flags=FixFlags(fix, unsafe_fixes, diff, show_fixes), **others)

    for option in reversed(_OPTIONS):
        joined = option(joined)
    return joined

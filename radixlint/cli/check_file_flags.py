"""``check --rules``, ``--no-respect-gitignore`` and ``--force-exclude``: which rules there are, which files are passed over."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from radixlint.cli.help_sections import section

if TYPE_CHECKING:
    from radixlint.api.check_options import CheckOptions

_files = section("Which files")
_rules = section("Which rules")

_OPTIONS: Final = (
    _rules(
        "--rules", "own_rules", multiple=True, metavar="DIR|FILE", help="Also run your own rules; added to the config file's."
    ),
    _files("--no-respect-gitignore", is_flag=True, help="Check what git ignores too."),
    _files("--force-exclude", is_flag=True, help="Pass over what git ignores, or is no prompt, even if it is named."),
)


class FileFlags(NamedTuple):
    """What the user asked of files and rules."""

    own_rules: tuple[str, ...]
    no_respect_gitignore: bool
    force_exclude: bool

    def applied(self, options: CheckOptions) -> CheckOptions:
        """Return ``options`` with these."""
        from msgspec.structs import replace

        settings = replace(options.settings, respect_gitignore=False) if self.no_respect_gitignore else options.settings
        return replace(options, settings=settings, own_rules=self.own_rules, is_exclusion_forced=self.force_exclude)


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the three options to a command; it takes them as one argument, ``file_flags``."""

    @functools.wraps(command)
    def joined(
        *arguments: Any, own_rules: tuple[str, ...], no_respect_gitignore: bool, force_exclude: bool, **others: Any
    ) -> Any:
        return command(*arguments, file_flags=FileFlags(own_rules, no_respect_gitignore, force_exclude), **others)

    for option in reversed(_OPTIONS):
        joined = option(joined)
    return joined

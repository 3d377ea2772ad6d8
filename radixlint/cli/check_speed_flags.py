"""``check --jobs``, ``--no-cache`` and ``--cache-dir``: how the answer is made; what it says never depends on them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from radixlint.cli import kept_run
from radixlint.cli.boundary import say
from radixlint.cli.help_sections import section

if TYPE_CHECKING:
    from radixlint.config import Settings

_speed = section("Speed")

_OPTIONS: Final = (
    _speed("--jobs", "-j", type=click.IntRange(0, 64), metavar="N", help="Check files in N processes; 0 for as many as help."),
    _speed("--no-cache", is_flag=True, help="Neither use nor keep the answer of an earlier run on the same files."),
    _speed("--cache-dir", metavar="DIR", help="Keep answers in DIR instead of the user's cache folder."),
)


class SpeedFlags(NamedTuple):
    """What the user asked of processes and kept answers."""

    jobs: int | None
    no_cache: bool
    cache_dir: str | None

    def applied(self, settings: Settings) -> Settings:
        """Return ``settings`` with these."""
        from msgspec.structs import replace

        jobs = settings.jobs if self.jobs is None else self.jobs or None
        return replace(settings, jobs=jobs, cache=settings.cache and not self.no_cache)


def keep_run(printed: str, code: int) -> int:
    """Keep what the command printed for the next run like this; where that is not possible, say so once. Returns ``code``."""
    run = kept_run.current
    if run is not None:
        run.keep(printed, code)
        for note in run.notes[:1]:
            say(f"note: {note}")
    return code


def speed_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the three options to a command; it takes them as one argument, ``speed_flags``."""

    @functools.wraps(command)
    def joined(*arguments: Any, jobs: int | None, no_cache: bool, cache_dir: str | None, **others: Any) -> Any:
        return command(*arguments, speed_flags=SpeedFlags(jobs, no_cache, cache_dir), **others)

    for option in reversed(_OPTIONS):
        joined = option(joined)
    return joined

"""The request that is meant by an id or a number; one that the options on records leave out is told apart from none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from radixlint.api.analyze_options import LogOptions
from radixlint.api.log_opening import read_options
from radixlint.api.measured_rows import shown_name
from radixlint.errors import ConfigError
from radixlint.logs import read_logs
from radixlint.plural import counted
from radixlint.spelling import guess
from radixlint.traffic import Request

_REQUEST: Final = "request "
_WHERE: Final = "--request"
_EXAMPLES: Final = 3
_MOST_GUESSED: Final = 10_000
_STDIN: Final = "-"


def find_request(requests: Sequence[Request], name: str) -> Request:
    """Return the request with the id ``name``, else the one with this number in the order of sending, from 0.

    Raises:
        ConfigError: there is none; with the nearest id, and the numbers there are.
    """
    found = _found(requests, name)
    if found is None:
        ids = [shown for request in requests if (shown := shown_name(request.id)) is not None]
        known = f"an id, for example {', '.join(ids[:_EXAMPLES])}, or " if ids else ""
        named = f"give {known}a number from 0 to {len(requests) - 1}, in the order of sending"
        hint = f"{guess(name, ids[:_MOST_GUESSED])}{named}"
        raise ConfigError(f"none of the {counted(len(requests), 'request')} is {name!r}", where=_WHERE, hint=hint)
    return found


def refuse_left_out(requests: Sequence[Request], name: str, paths: Sequence[str], options: LogOptions) -> None:
    """Make sure that ``name`` is not a request of the logs ``paths`` that ``options`` left out of ``requests``.

    Raises:
        ConfigError: it is one, or the log came from standard input and may have held it.
    """
    if _found(requests, name) is not None:
        return
    flags = " or ".join(_flags(options))
    if _STDIN in paths:
        hint = f"if it is in the log, {flags} left it out"
        raise ConfigError(f"none of the {counted(len(requests), 'request')} is {name!r}", where=_WHERE, hint=hint)
    whole = read_options(replace(options, since=None, until=None, sessions=(), models=(), sample_rate=None))
    if any(request.id == name for request in read_logs(paths, whole).requests):
        raise ConfigError(f"{name!r} is in the log, but was left out by {flags}", where=_WHERE, hint="leave that option out")


def _found(requests: Sequence[Request], name: str) -> Request | None:
    found = next((request for request in requests if request.id == name), None)
    number = name.removeprefix(_REQUEST)
    if found is None and number.isdecimal():
        found = next(iter(requests[int(number) : int(number) + 1]), None)
    return found


def _flags(options: LogOptions) -> Iterator[str]:
    """Yield the options that leave requests out, as far as they were given."""
    given = {
        "--since": options.since,
        "--until": options.until,
        "--session": options.sessions,
        "--of-model": options.models,
        "--sample": options.sample_rate,
    }
    yield from (flag for flag, value in given.items() if value)

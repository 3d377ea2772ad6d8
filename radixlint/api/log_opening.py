"""From the options of a caller to those of the reader."""

from __future__ import annotations

from typing import NamedTuple

from radixlint.api.analyze_options import LogOptions
from radixlint.errors import ConfigError
from radixlint.logs import ReadOptions, parse_time, time_of_day


def read_options(options: LogOptions) -> ReadOptions:
    """Return the same for the reader.

    Raises:
        ConfigError: the time or the share is none.
    """
    since, until = _Bound.of(options.since, "--since"), _Bound.of(options.until, "--until")
    if since is not None and until is not None and since.is_clock == until.is_clock and since.seconds >= until.seconds:
        said = f"{options.until} is not later than --since {options.since}"
        raise ConfigError(said, where="--until", hint="the part runs from --since up to --until")
    if options.sample_rate is not None and not 0 < options.sample_rate <= 1:
        raise ConfigError(f"a share of {options.sample_rate:g} is not above 0 and up to 1", where="--sample")
    return ReadOptions(
        format=options.format,
        maps=options.maps,
        since_s=None if since is None or since.is_clock else since.seconds,
        until_s=None if until is None or until.is_clock else until.seconds,
        since=options.since if since is not None and since.is_clock else None,
        until=options.until if until is not None and until.is_clock else None,
        sessions=options.sessions,
        models=options.models,
        sample_rate=options.sample_rate,
        max_record_bytes=options.max_record_mib << 20,
    )


class _Bound(NamedTuple):
    """An end of a span of time: seconds since the epoch, of a time of day (``is_clock``) since midnight."""

    seconds: float
    is_clock: bool

    @classmethod
    def of(cls, text: str | None, flag: str) -> _Bound | None:
        """Return the time ``text``, None for None.

        Raises:
            ConfigError: it is no time.
        """
        if text is None:
            return None
        clock = time_of_day(text)
        if clock is not None:
            return cls(clock, is_clock=True)
        found, _ = parse_time(text)
        if found is None:
            hint = "write 2026-03-02, 2026-03-02T09:00:00Z, 09:00 (UTC, if the log is of one day) or seconds"
            raise ConfigError(f"{text!r} is no time", where=flag, hint=hint)
        return cls(found, is_clock=False)

"""From the options of a caller to those of the reader."""

from __future__ import annotations

from radixlint.api.analyze_options import LogOptions
from radixlint.errors import ConfigError
from radixlint.logs import ReadOptions, parse_time


def read_options(options: LogOptions) -> ReadOptions:
    """Return the same for the reader.

    Raises:
        ConfigError: the time or the share is none.
    """
    since_s, until_s = _seconds(options.since, "--since"), _seconds(options.until, "--until")
    if since_s is not None and until_s is not None and since_s >= until_s:
        raise ConfigError("nothing is since then and until then", where="--until", hint="give a time later than --since")
    if options.sample_rate is not None and not 0 < options.sample_rate <= 1:
        raise ConfigError(f"a share of {options.sample_rate:g} is not above 0 and up to 1", where="--sample")
    return ReadOptions(
        format=options.format,
        maps=options.maps,
        since_s=since_s,
        until_s=until_s,
        sessions=options.sessions,
        models=options.models,
        sample_rate=options.sample_rate,
        max_record_bytes=options.max_record_mib << 20,
    )


def _seconds(text: str | None, flag: str) -> float | None:
    """Return the time ``text`` in seconds since the epoch, None for None.

    Raises:
        ConfigError: it is no time.
    """
    if text is None:
        return None
    found, _ = parse_time(text)
    if found is None:
        raise ConfigError(f"{text!r} is no time", where=flag, hint="write 2026-03-02, 2026-03-02T09:00:00Z or seconds")
    return found

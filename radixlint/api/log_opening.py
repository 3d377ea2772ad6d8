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
    since_s = None
    if options.since is not None:
        since_s, _ = parse_time(options.since)
        if since_s is None:
            raise ConfigError(
                f"{options.since!r} is no time", where="--since", hint="write 2026-03-02, 2026-03-02T09:00:00Z or seconds"
            )
    if options.sample_rate is not None and not 0 < options.sample_rate <= 1:
        raise ConfigError(f"a share of {options.sample_rate:g} is not above 0 and up to 1", where="--sample")
    return ReadOptions(
        format=options.format,
        maps=options.maps,
        since_s=since_s,
        sample_rate=options.sample_rate,
        max_record_bytes=options.max_record_mib << 20,
    )

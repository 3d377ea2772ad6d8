"""What every command that reads a log says on stderr about the reading, and the exit code that follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.cli.boundary import EXIT_CLEAN, EXIT_USAGE, say


def tell_reading(records: int, read: int, alterations: Sequence[str], *, is_lenient: bool) -> int:
    """Say what was skipped, dropped or altered; return 2 if more than 5 % was skipped and ``is_lenient`` is not set.

    ``alterations`` are sentences with the reasons and first places; the report is written in any case.
    """
    from radixlint.traffic import has_too_many_bad_records

    if read < records:
        say(f"warning: {records - read:,} of {records:,} records skipped")
    for sentence in alterations:
        say(f"note: {sentence}")
    if has_too_many_bad_records(records, read) and not is_lenient:
        say("error: over 5 % of the records could not be read (--lenient accepts this; the rates are then lower bounds)")
        return EXIT_USAGE
    return EXIT_CLEAN

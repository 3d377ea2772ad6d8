"""The log formats as a reader asks for them."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.logs import load_formats
from radixlint.result.format_facts import FormatFacts


def every_format(maps: Sequence[str] = ()) -> tuple[FormatFacts, ...]:
    """Return all log formats by name, those described by the files ``maps`` included.

    Raises:
        ConfigError: one of ``maps`` cannot be read.
    """
    facts = [FormatFacts(f.name, f.accepts, f.gives, f.engine) for f in load_formats(maps)]
    return tuple(sorted(facts, key=lambda fact: fact.name))

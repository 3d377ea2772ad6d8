"""A log format as people are told of it."""

from __future__ import annotations

from msgspec import Struct


class FormatFacts(Struct, frozen=True):
    """One format: ``name`` as in ``--from``, ``accepts`` what is read and what it is told by.

    ``gives`` says what hit rates it can give: from text, token ids, block ids, or reported usage alone; ``engine`` names the
    engine that writes it, None if none does.
    """

    name: str
    accepts: str
    gives: str
    engine: str | None = None

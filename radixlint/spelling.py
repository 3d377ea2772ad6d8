"""The nearest known word to a mistyped one, for error messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the member of ``known`` closest in spelling to ``word``, upper and lower case alike; None if none is close.

    >>> nearest("ignor", ["select", "ignore"])
    'ignore'
    """
    folded = {name.lower(): name for name in sorted(known, reverse=True)}
    found = difflib.get_close_matches(word.strip().lower(), sorted(folded), n=1, cutoff=0.5)
    return folded[found[0]] if found else None


def guess(word: str, known: Iterable[str]) -> str:
    """Return ``did you mean X? `` for an error's hint, empty if no known word is close."""
    found = nearest(word, known)
    return f"did you mean {found}? " if found else ""

"""A number with its noun: the one place that knows when the noun takes an s."""

from __future__ import annotations


def counted(number: int | str, noun: str) -> str:
    """Return a count, or a range of counts in words, with its noun.

    >>> counted(1, "request"), counted(1200, "request"), counted("2-3", "answer")
    ('1 request', '1,200 requests', '2-3 answers')
    """
    written = number if isinstance(number, str) else f"{number:,}"
    return f"{written} {noun}{'' if written == '1' else 's'}"

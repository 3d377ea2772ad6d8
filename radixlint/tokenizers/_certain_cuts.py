"""Where text may be cut so that the parts' tokens, joined, are the tokens of the whole."""

from __future__ import annotations


def is_certain_cut(before: str, after: str) -> bool:
    r"""Whether ``encode(before) + encode(after) == encode(before + after)`` for certain, for every vocabulary we carry.

    True only after a newline and in front of a character that is neither whitespace nor ``/``: both split patterns end
    a piece there whatever surrounds it (a run of punctuation may swallow newlines and, in o200k_base, slashes; a run
    of whitespace is split by what follows it). False does not mean that the tokens differ.

    >>> is_certain_cut("one\n", "<two>"), is_certain_cut("one\n", "/two"), is_certain_cut("one", "two")
    (True, False, False)
    """
    return before.endswith("\n") and after != "" and after[0] != "/" and not after[0].isspace()

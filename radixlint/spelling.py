"""The nearest known word to a mistyped one, for error messages; none rather than one that was hardly meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

# Letters are typed for digits: RL20l.
_CODE: Final = re.compile(r"([a-z]{2,8}?)([0-9][0-9oil]{1,4})")
_LOOK_ALIKE: Final = str.maketrans("oil", "011")
_PART: Final = re.compile(r"[\w.]+")
_MOST_LETTERS: Final = 100
_FEWEST_BEGUN: Final = 3


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the member of ``known`` that ``word`` was most likely meant to be, upper and lower case alike; None if none is.

    A code (``RL211``) is one digit away from one known code of its hundreds, else of all; where several are, none was meant.
    Of other words one in four letters may be wrong, the first only if no other is; else the word begins a known one, or one
    has all its parts.

    >>> nearest("ignor", ["select", "ignore"]), nearest("include", ["exclude"]), nearest("RL211", ["RL111", "RL201"])
    ('ignore', None, 'RL201')
    """
    folded = {_folded(name): name for name in sorted(known, reverse=True)}
    typed = _folded(word.strip())[:_MOST_LETTERS]
    code = _CODE.fullmatch(typed)
    codes = [name for name in folded if code and (other := _CODE.fullmatch(name)) and other[1] == code[1]]
    if typed in folded:
        best: str | None = typed
    elif code and codes:
        best = _nearest_code(code[1], code[2].translate(_LOOK_ALIKE), codes)
    else:
        best = _misspelt(typed, folded) or _begun(typed, folded)
    return folded[best] if best is not None else None


def guess(word: str, known: Iterable[str]) -> str:
    """Return ``did you mean X? `` for an error's hint, empty if no known word is close."""
    found = nearest(word, known)
    return f"did you mean {found}? " if found else ""


def _folded(word: str) -> str:
    return word.lower().replace("_", "-")


def _nearest_code(letters: str, digits: str, codes: list[str]) -> str | None:
    """Return the one code that is as typed or a digit away, of the same hundreds if there is one."""
    if letters + digits in codes:
        return letters + digits
    near = [code for code in codes if _edits(letters + digits, code) == 1]
    found = [code for code in near if code.startswith(letters + digits[0])] or near
    return found[0] if len(found) == 1 else None


def _misspelt(typed: str, known: Iterable[str]) -> str | None:
    """Return the word with the fewest wrong letters, of those the one as long as what was typed."""
    found: list[tuple[int, bool, str]] = []
    for name in known:
        longest = max(len(typed), len(name))
        if longest > _MOST_LETTERS or abs(len(typed) - len(name)) > _most_edits(longest):
            continue
        edits = _edits(typed, name)
        if edits == 1 or (edits <= _most_edits(longest) and typed[:1] == name[:1]):
            found.append((edits, len(name) != len(typed), name))
    return min(found)[2] if found else None


def _most_edits(letters: int) -> int:
    return max(1, (letters + 2) // 4)


def _begun(typed: str, known: Iterable[str]) -> str | None:
    """Return the shortest word that begins with what was typed, else the only one that has all its parts."""
    if len(typed) < _FEWEST_BEGUN:
        return None
    begun = [name for name in known if name.startswith(typed)]
    if begun:
        return min(begun, key=lambda name: (len(name), name))
    parts = set(_PART.findall(typed))
    holders = [name for name in known if parts and parts <= set(_PART.findall(name))]
    return holders[0] if len(holders) == 1 else None


def _edits(one: str, other: str) -> int:
    """Return how many letters must be added, dropped, replaced or swapped with their neighbour to turn one word into another."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]

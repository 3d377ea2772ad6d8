"""What reaches a terminal: nothing that steers it, hides or turns text around."""

from __future__ import annotations

import unicodedata

import pytest

from radixlint.safe_text import safe

JOINERS = "\u200c\u200d"  # emoji and several scripts cannot be written without them


@pytest.mark.parametrize("plane", range(17))
def test_no_control_or_format_character_gets_through(plane: int) -> None:
    """Of all characters of Unicode's control, format and surrogate classes only tab, newline and the joiners stay."""
    characters = [chr(code) for code in range(plane << 16, (plane + 1) << 16)]
    hidden = [c for c in characters if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\t\n" + JOINERS]
    through = [c for c in hidden if safe(c) == c and not _is_seen(c)]

    assert [hex(ord(c)) for c in through] == []


def test_what_people_write_stays() -> None:
    """Letters, emoji joined by U+200D and words with U+200C come out as they went in."""
    text = "Straße \U0001f469\u200d\U0001f4bb \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\tx\n"

    assert safe(text) == text


def _is_seen(character: str) -> bool:
    # Format characters that are signs of their own: numbers' and verses' marks in Arabic and Syriac, Egyptian quadrats, notes.
    code = ord(character)
    return 0x600 <= code <= 0x605 or code in (0x6DD, 0x70F, 0x8E2, 0x890, 0x891, 0x110BD, 0x110CD) or 0x13430 <= code <= 0x1343F

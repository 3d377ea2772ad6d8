"""Words that must stand in a text before a pattern is tried are in whatever the pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.sources import _other_signs as signs

PAIRS = {
    "given": (signs._GIVEN, signs._GIVEN_WORDS, False),
    "mail": (signs._MAIL, signs._MAIL_WORDS, True),
    "licence": (signs._LICENCE, signs._LICENCE_WORDS, True),
    "man": (signs._MAN, signs._MAN_WORDS, False),
}


@pytest.mark.parametrize("name", PAIRS)
@given(data=st.data())
def test_what_a_pattern_finds_holds_one_of_its_words(name: str, data: st.DataObject) -> None:
    """Texts made from the pattern itself hold a word, in whatever case where the pattern takes any."""
    pattern, words, is_folded = PAIRS[name]
    written, flags = pattern._written  # type: ignore[attr-defined]
    text = data.draw(st.from_regex(re.compile(written, flags), alphabet=st.characters(max_codepoint=0x2100)))

    assert any(word in (text.casefold() if is_folded else text) for word in words)

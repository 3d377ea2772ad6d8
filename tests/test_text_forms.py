"""Texts of equal words are told apart by their form alone."""

from __future__ import annotations

import time
import unicodedata

import pytest

from radixlint.explain.text_forms import is_text_form
from tests.edited_requests import Talk

FORMS = {
    "line ends": lambda text: text.replace("\n", "\r\n"),
    "trailing blanks": lambda text: text.replace("\n", "  \n"),
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "tabs": lambda text: text.replace("\n    ", "\n\t"),
    "white space": lambda text: text.replace("\n    ", " "),
    "unicode form": lambda text: unicodedata.normalize("NFD", text),
    "quotes": lambda text: text.replace('"', "\u201c"),
    "dashes": lambda text: text.replace("-", "\u2013"),
    "byte order mark": lambda text: "\ufeff" + text,
    "hex case": lambda text: text.replace("\\x1B", "\\x1b"),
    "quotes and white space": lambda text: text.replace('"', "\u201c").replace("\n    ", " "),
    "quotes and line ends": lambda text: text.replace('"', "\u201c").replace("\n", "\r\n"),
}


def _text(seed: int) -> str:
    talk = Talk(seed)
    return f'{talk.words(9)} "caf\u00e9" - \\x1B\n    {talk.words(9)}\n    {talk.words(9)}'


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_named_both_ways(form: str, seed: int) -> None:
    """A text and itself in another form differ by that form, whichever is first."""
    text = _text(seed)
    other = FORMS[form](text)

    assert is_text_form(text, other) == form
    assert is_text_form(other, text) == form


@pytest.mark.parametrize("form", FORMS)
def test_another_word_is_no_form(form: str) -> None:
    """A text with another word is another text, in whatever form."""
    text = _text(1)

    assert is_text_form(text, FORMS[form](text) + " more") is None
    assert is_text_form(text, text) is None


def test_words_that_are_joined_are_other_words() -> None:
    """White space that goes away between two words changes them."""
    assert is_text_form("two words", "twowords") is None


def test_long_runs_of_blanks_take_time_in_proportion() -> None:
    """A hostile text of half a million blanks is compared in a few seconds."""
    start = time.perf_counter()

    assert is_text_form("a" + " " * 500_000 + "b\n", "a b") is not None
    assert time.perf_counter() - start < 5

"""How many blocks are open at places of a template."""

from __future__ import annotations

from radixlint.fixers._tag_depth import depths_at


def test_depths_rise_and_fall_with_the_tags() -> None:
    """A tag counts from the place behind its first character; comments and raw text hold no tags."""
    text = "A{% if x %}B{% for y in z %}C{% endfor %}{# {% if q %} #}D{% endif %}E"

    assert depths_at(text, [text.index(letter) for letter in "ABCDE"]) == [0, 1, 2, 1, 0]


def test_a_long_text_is_read_once() -> None:
    """The depth at each of many lines is found in one pass over the tags."""
    text = "{% if x %}y{% endif %}\n" * 20_000

    assert set(depths_at(text, range(0, len(text), 23))) == {0}

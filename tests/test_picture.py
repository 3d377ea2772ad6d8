"""The README's picture shows what the tool prints today."""

from __future__ import annotations

import make_picture


def test_the_picture_is_current() -> None:
    """Drawing the picture anew gives the committed file, byte for byte."""
    assert make_picture.make() == make_picture.PICTURE.read_text(encoding="utf-8")


def test_the_picture_loads_nothing() -> None:
    """The picture names no other file and no address but the SVG name space."""
    text = make_picture.make().replace("http://www.w3.org/2000/svg", "")

    assert "http" not in text
    assert "@import" not in text

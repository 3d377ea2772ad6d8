"""The order and the framing in which tools and messages become one prompt."""

from __future__ import annotations

from typing import Final

from radixlint.errors import ConfigError
from radixlint.layout._layout_names import NAMED
from radixlint.layout._pieces import OPEN_TURN, Piece, message_place
from radixlint.layout._raw_layout import RawLayout
from radixlint.layout._template_layout import TemplateLayout
from radixlint.layout._wire_layout import WireLayout
from radixlint.spelling import guess

__all__ = [
    "OPEN_TURN",
    "TOOLS_FIRST",
    "Layout",
    "Piece",
    "TemplateLayout",
    "WireLayout",
    "layout_names",
    "message_place",
    "open_layout",
]

TOOLS_FIRST: Final = "tools-first"
"""The default layout."""

Layout = WireLayout | RawLayout | TemplateLayout
"""``name`` is what reports call it; ``lay_out(request)`` gives a request's pieces in wire order."""


def layout_names() -> tuple[str, ...]:
    """Return the names that ``open_layout`` knows, sorted."""
    return tuple(sorted((*NAMED, RawLayout.name)))


def open_layout(name: str = TOOLS_FIRST, *, template: str | None = None) -> Layout:
    """Return the layout ``name``, or that of the chat template in the file ``template``.

    Raises:
        ConfigError: the layout is unknown, or the template cannot be used.
    """
    if template is not None:
        return TemplateLayout(template)
    if name == RawLayout.name:
        return RawLayout()
    if name not in NAMED:
        raise ConfigError(
            f"unknown layout {name!r}", where="--layout", hint=f"{guess(name, layout_names())}known: {', '.join(layout_names())}"
        )
    return NAMED[name]

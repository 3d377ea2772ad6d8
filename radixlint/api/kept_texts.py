"""Texts of messages kept as the ids of their pieces: a log holds each long text once, as text or as ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from radixlint.recent import Recent

_RECENT_CHARACTERS: Final = 2 << 20
# Long texts are looked at again and again, and take long to decode.
_RECENT_TEXTS: Final = 64
_MOST_CHARACTERS: Final = 64 << 20


class PieceTexts:
    """Reads pieces back; what was read lately is not decoded again.

    Args:
        decode: from ids to their text, exactly (``Tokenizer.is_lossless``).
    """

    def __init__(self, decode: Callable[[bytes], str]) -> None:
        self._decode = decode
        self._recent: Recent[bytes, str] = Recent(_RECENT_CHARACTERS, values=_RECENT_TEXTS, most=_MOST_CHARACTERS)

    def text(self, ids: bytes) -> str:
        """Return the text of ``ids``."""
        text = self._recent.get(ids)
        if text is None:
            text = self._decode(ids)
            self._recent.keep(ids, text, len(text))
        return text


class Frame(Struct, frozen=True, gc=False):
    """What stands around the texts of some messages in their pieces, in characters: ``before`` and ``behind`` them."""

    texts: PieceTexts
    before: int
    behind: int


class FramedText(Struct, frozen=True, gc=False):
    """The text inside of a piece, which is held as its ids; a ``KeptText``."""

    frame: Frame
    ids: bytes

    def text(self) -> str:
        """Return the text, decoded anew if it was not read lately."""
        text = self.frame.texts.text(self.ids)
        return text[self.frame.before : len(text) - self.frame.behind]

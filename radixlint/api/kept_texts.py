"""Texts of messages kept as the ids of their pieces: a log holds each long text once, as text or as ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from radixlint.api.id_buffers import IdBuffers
from radixlint.recent import Recent

_RECENT_CHARACTERS: Final = 2 << 20


class PieceTexts:
    """Reads pieces back; what was read lately is not decoded again.

    Args:
        buffers: the ids of the pieces.
        decode: from ids to their text, exactly (``Tokenizer.is_lossless``).
    """

    def __init__(self, buffers: IdBuffers | Sequence[bytes], decode: Callable[[bytes], str]) -> None:
        self._buffers = buffers
        self._decode = decode
        self._recent: Recent[int, str] = Recent(_RECENT_CHARACTERS)

    def text(self, piece: int) -> str:
        """Return the text of ``piece``."""
        text = self._recent.get(piece)
        if text is None:
            text = self._decode(self._buffers[piece])
            self._recent.keep(piece, text, len(text))
        return text


class Frame(Struct, frozen=True, gc=False):
    """What stands around the texts of some messages in their pieces, in characters: ``before`` and ``behind`` them."""

    texts: PieceTexts
    before: int
    behind: int


class FramedText(Struct, frozen=True, gc=False):
    """The text inside of a piece; a ``KeptText``."""

    frame: Frame
    piece: int

    def text(self) -> str:
        """Return the text, decoded anew if it was not read lately."""
        text = self.frame.texts.text(self.piece)
        return text[self.frame.before : len(text) - self.frame.behind]

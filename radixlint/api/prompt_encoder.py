"""The ids of one request in one layout and vocabulary: of its pieces, each distinct one encoded once, or of its whole text."""

from __future__ import annotations

import contextlib
import functools
import sys
from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final
from zlib import crc32

from radixlint.api.encoding_pool import EncodingPool
from radixlint.api.token_sequence import ChunkStore, StoredTokens
from radixlint.errors import LayoutError
from radixlint.layout import Layout, Piece, WireLayout
from radixlint.tokenizers import PieceEncoder, Tokenizer, piece_encoder
from radixlint.traffic import TOKEN_BYTES, CacheMark, Message, Request, TokenMark

_PIECES_BYTES: Final = 64 << 20
_BEGINNING_CHARACTERS: Final = 4_096


class PromptEncoder:
    """Encodes prompts and replies; remembers the ids of every distinct message and tool, which the requests share.

    Args:
        tokenizer: the vocabulary.
        layout: the order and framing.
    """

    def __init__(self, tokenizer: Tokenizer, layout: Layout) -> None:
        self.tokenizer = tokenizer
        self._layout = layout
        # Equal messages are remembered here; the encoder's own memory is for long texts that differ in a part.
        self._pieces = PieceEncoder(tokenizer, budget_bytes=_PIECES_BYTES).encode_piece
        self._ahead: dict[str, bytes] = {}
        self._whole_ahead: dict[str, bytes] = {}
        self._items: dict[str | Message | None, tuple[bytes, ...]] = {}
        self._chunks = ChunkStore()

    def prompt(self, request: Request, output: bytes, *, with_blocks: bool) -> StoredTokens:
        """Return the ids of the prompt of ``request`` (tools and messages, or rendered text), ``output`` beside them.

        Raises:
            LayoutError: it cannot be laid out.
        """
        if request.rendered is not None:
            return StoredTokens(self._chunks.cut(self._encode_whole(request.rendered)), output)
        layout = self._layout
        if isinstance(layout, WireLayout):
            buffers = self._wire_ids(request, layout)
        else:
            buffers = self._chunks.cut(self._encode_whole(layout.render(request)))
        if not with_blocks:
            return StoredTokens(buffers, output)
        if isinstance(layout, WireLayout) and not request.marks:
            # All pieces but the open turn end a block.
            return StoredTokens(buffers, output, _uint32(_piece_ends(buffers[:-1])))
        pieces = layout.lay_out(request)
        ends = _piece_ends(buffers) if isinstance(layout, WireLayout) else self._text_ends(pieces)
        blocks = [(piece, end) for piece, end in zip(pieces, ends, strict=True) if piece.ends_block]
        return StoredTokens(buffers, output, _uint32([end for _, end in blocks]), _token_marks(request.marks, blocks))

    def encode_ahead(self, requests: Sequence[Request], pool: EncodingPool) -> None:
        """Let ``pool`` encode what is not known of the prompts of ``requests``, so that ``prompt`` finds it done."""
        pieces: dict[str, int] = {}
        whole: dict[str, int] = {}
        layout = self._layout
        for request in requests:
            if request.rendered is not None:
                whole[request.rendered] = crc32(request.rendered[:_BEGINNING_CHARACTERS].encode("utf-8", "replace"))
            elif isinstance(layout, WireLayout):
                new = (item for item in layout.wire(request) if item not in self._items)
                pieces.update((text, len(pieces)) for item in new for text in layout.texts(item))
            else:
                with contextlib.suppress(LayoutError):  # told when its turn comes
                    whole[layout.render(request)] = _conversation_number(request)
        name = self.tokenizer.name
        self._ahead = pool.encode(name, tuple(pieces.items()), reads_specials=False)
        self._whole_ahead = pool.encode(name, tuple(whole.items()), reads_specials=True)

    def reply(self, request: Request) -> bytes:
        """Return the ids of the logged reply as the history shows it, behind the prompt; empty for no reply.

        Where the history does not go on from the prompt's own tokens, those of the reply's text alone.
        """
        reply, layout = request.reply, self._layout
        if reply is None:
            return b""
        if request.rendered is None:
            if isinstance(layout, WireLayout):
                opening = b"".join(self._known(None, layout))
                history = b"".join(self._known(reply, layout))
            else:
                opening = self._encode_whole(layout.render(request))
                history = self._encode_whole(layout.render(request, with_reply=True))
            if history.startswith(opening):
                return history[len(opening) :]
        return self._encode(reply.text)

    def _wire_ids(self, request: Request, layout: WireLayout) -> tuple[bytes, ...]:
        known = self._items.get
        found: list[bytes] = []
        for item in layout.wire(request):
            found += known(item) or self._new(item, layout)
        return tuple(found)

    def _known(self, item: str | Message | None, layout: WireLayout) -> tuple[bytes, ...]:
        return self._items.get(item) or self._new(item, layout)

    def _new(self, item: str | Message | None, layout: WireLayout) -> tuple[bytes, ...]:
        ids = self._items[item] = tuple(map(self._encode, layout.texts(item)))
        return ids

    def _text_ends(self, pieces: Sequence[Piece]) -> list[int]:
        """Return the length in tokens of the text up to the end of each piece; no buffer belongs to a piece here."""
        return [len(self._encode_whole(text)) // TOKEN_BYTES for text in accumulate(piece.text for piece in pieces)]

    def _encode(self, text: str) -> bytes:
        ids = self._ahead.get(text)
        return self._pieces(text) if ids is None else ids

    def _encode_whole(self, text: str) -> bytes:
        """Encode a rendered prompt as engines do: special tokens count wherever they stand."""
        ids = self._whole_ahead.get(text)
        return self._texts(text) if ids is None else ids

    @functools.cached_property
    def _texts(self) -> Callable[[str], bytes]:
        return piece_encoder(self.tokenizer, reads_specials=True).encode_piece


def _piece_ends(buffers: Sequence[bytes]) -> list[int]:
    """Return the length in tokens up to the end of each buffer."""
    return list(accumulate(len(buffer) // TOKEN_BYTES for buffer in buffers))


def _conversation_number(request: Request) -> int:
    """Return a number that the turns of a conversation have in common: that of what was said first, behind instructions."""
    said = next((message.text for message in request.messages if message.role not in ("system", "developer")), "")
    return crc32(said.encode("utf-8", "replace"))


def _token_marks(marks: Sequence[CacheMark], blocks: Sequence[tuple[Piece, int]]) -> tuple[TokenMark, ...]:
    """Return ``marks`` in tokens; one inside a piece counts at the piece's end, one on a part left out not at all."""
    placed = []
    for mark in marks:
        if mark.tool is not None:
            ends = [end for piece, end in blocks if piece.tool == mark.tool]
        else:
            own = [(piece.part, end) for piece, end in blocks if piece.message == mark.message]
            ends = [end for part, end in own if part >= mark.part] or [end for _, end in own[-1:]]
        placed += [TokenMark(end, mark.ttl_s) for end in ends[:1]]
    return tuple(sorted(placed, key=lambda mark: mark.end_tokens))


def _uint32(values: Sequence[int]) -> bytes:
    ids = array("I", values)
    if sys.byteorder == "big":
        ids.byteswap()
    return ids.tobytes()

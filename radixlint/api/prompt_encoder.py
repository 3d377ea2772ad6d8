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

from msgspec import structs

from radixlint.api.id_buffers import IdBuffers
from radixlint.api.kept_texts import Frame, FramedText, PieceTexts
from radixlint.api.token_sequence import PieceIds
from radixlint.errors import LayoutError
from radixlint.layout import Layout, Piece, WireLayout
from radixlint.tokenizers import PieceEncoder, Tokenizer, piece_encoder
from radixlint.traffic import TOKEN_BYTES, CacheMark, Message, Request, TokenMark

_PIECES_BYTES: Final = 32 << 20
_MOST_ITEMS: Final = 1 << 14
_LONG_CHARACTERS: Final = 256
# A shorter text takes no more than what would stand in its place.
_KEPT_CHARACTERS: Final = 96
_BEGINNING_CHARACTERS: Final = 4_096

Item = str | Message | None


class PromptEncoder:
    """Encodes prompts and replies; remembers the pieces of messages and tools met lately, which the requests share.

    Where ids read back as their text, a long message is left with those in place of its text.

    Args:
        tokenizer: the vocabulary.
        layout: the order and framing.
        buffers: takes the ids of the pieces.
    """

    def __init__(self, tokenizer: Tokenizer, layout: Layout, buffers: IdBuffers) -> None:
        self.tokenizer = tokenizer
        self._layout = layout
        # Where no cut is certain, the ids of pieces, joined, are those of the prompt only if the layout says so.
        is_apart = isinstance(layout, WireLayout) and (layout.cuts_blocks or tokenizer.cuts is not None)
        self._by_piece = layout if isinstance(layout, WireLayout) and is_apart else None
        self._asked: set[int] = set()
        self._ahead: dict[str, bytes] = {}
        self._whole_ahead: dict[str, bytes] = {}
        # By identity, for equal messages are mostly one object; each is held with its ids, so that no other takes its place.
        self._items: dict[int, tuple[Item, tuple[int, ...]]] = {}
        self._buffers = buffers
        self._texts_kept = PieceTexts(tokenizer.decode)
        self._frames: dict[tuple[int, int], Frame] = {}

    def prompt(self, request: Request, output: bytes, *, with_blocks: bool) -> PieceIds:
        """Return the ids of the prompt of ``request`` (tools and messages, or rendered text), ``output`` beside them.

        Raises:
            LayoutError: it cannot be laid out.
        """
        if request.rendered is not None:
            return PieceIds(self._buffers.cut(self._encode_whole(request.rendered)), output)
        if self._by_piece is None:
            ids = self._encode_text(self._text(request))
            if not with_blocks:
                return PieceIds(self._buffers.cut(ids), output)
            pieces = self._layout.lay_out(request)
            return _with_blocks(request, self._buffers.cut(ids), output, pieces, self._text_ends(pieces, len(ids)))
        numbers = self._wire_pieces(request, self._by_piece)
        if not with_blocks:
            return PieceIds(numbers, output)
        ends = list(accumulate(len(self._buffers[number]) // TOKEN_BYTES for number in numbers))
        if not request.marks:
            # All pieces but the open turn end a block.
            return PieceIds(numbers, output, _uint32(ends[:-1]))
        return _with_blocks(request, numbers, output, self._layout.lay_out(request), ends)

    def texts_ahead(self, requests: Sequence[Request]) -> tuple[dict[str, int], dict[str, int]]:
        """Return the long texts that the prompts of ``requests`` need, of pieces and whole, with a number each.

        Texts that probably begin alike have one number. What earlier requests needed is left out.
        """
        pieces: dict[str, int] = {}
        whole: dict[str, int] = {}
        for request in requests:
            if request.rendered is not None:
                whole[request.rendered] = _beginning(request.rendered)
            elif self._by_piece is not None:
                new = [item for item in self._by_piece.wire(request) if id(item) not in self._asked]
                self._asked.update(map(id, new))
                texts = (text for item in new for text in self._by_piece.texts(item))
                pieces.update((text, _beginning(text)) for text in texts if len(text) >= _LONG_CHARACTERS)
            else:
                with contextlib.suppress(LayoutError):  # told when its turn comes
                    said = next((m.text for m in request.messages if m.role not in ("system", "developer")), "")
                    (pieces if isinstance(self._layout, WireLayout) else whole)[self._text(request)] = _beginning(said)
        return pieces, whole

    def know(self, pieces: dict[str, bytes], whole: dict[str, bytes]) -> None:
        """Take these ids for the texts of the prompts that come next, in place of those given before."""
        self._ahead, self._whole_ahead = pieces, whole

    def reply(self, request: Request) -> bytes:
        """Return the ids of the logged reply as the history shows it, behind the prompt; empty for no reply.

        Where the history does not go on from the prompt's own tokens, those of the reply's text and of the end of its turn.
        """
        reply = request.reply
        if reply is None:
            return b""
        if request.rendered is None:
            if self._by_piece is not None:
                opening, history = self._ids_of(None, self._by_piece), self._ids_of(reply, self._by_piece)
            else:
                opening = self._encode_text(self._text(request))
                history = self._encode_text(self._text(request, reply))
            if history.startswith(opening):
                return history[len(opening) :]
            if not isinstance(self._layout, WireLayout) and reply.text.strip():
                text, said = self._text(request, reply), reply.text.strip()
                return self._encode_text(text[at:] if (at := text.rfind(said)) >= 0 else reply.text)
        return self._encode(reply.text)

    def _wire_pieces(self, request: Request, layout: WireLayout) -> list[int]:
        found: list[int] = []
        known = self._items.get
        for item in layout.wire(request):
            held = known(id(item))
            found += held[1] if held else self._known(item, layout)
        return found

    def _known(self, item: Item, layout: WireLayout) -> tuple[int, ...]:
        held = self._items.get(id(item))
        if held is None:
            if len(self._items) >= _MOST_ITEMS:
                self._items.clear()
            held = self._items[id(item)] = item, self._pieces_of(item, layout)
        return held[1]

    def _pieces_of(self, item: Item, layout: WireLayout) -> tuple[int, ...]:
        """Return the numbers of the pieces of ``item``, and let it keep its text as one of them if that gives it back."""
        kept = item.kept if isinstance(item, Message) else ""
        if isinstance(kept, FramedText) and kept.frame.texts is self._texts_kept:
            return (self._buffers.add(kept.ids),)
        numbers = tuple(self._buffers.add(self._encode(text)) for text in layout.texts(item))
        if isinstance(item, Message) and isinstance(kept, str) and len(kept) >= _KEPT_CHARACTERS and self._reads_back(kept):
            place = layout.frame(item)
            if place:
                frame = self._frames.setdefault(place, Frame(self._texts_kept, *place))
                item.keep(FramedText(frame, self._buffers[numbers[0]]))
        return numbers

    def _reads_back(self, text: str) -> bool:
        return self.tokenizer.is_lossless and not _has_surrogates(text)

    def _ids_of(self, item: Item, layout: WireLayout) -> bytes:
        return b"".join(map(self._buffers.__getitem__, self._known(item, layout)))

    def _text(self, request: Request, reply: Message | None = None) -> str:
        """Return the prompt as one text; with ``reply`` as its last message, in the place of the open turn."""
        layout = self._layout
        if not isinstance(layout, WireLayout):
            return layout.render(request, with_reply=reply is not None)
        if reply is None:
            return "".join(text for item in layout.wire(request) for text in layout.texts(item))
        answered = structs.replace(request, messages=(*request.messages, reply))
        return "".join(text for item in layout.wire(answered)[:-1] for text in layout.texts(item))

    def _encode_text(self, text: str) -> bytes:
        # The marks of our own layouts are ordinary text; what a template wrote is read as engines do.
        return self._encode(text) if isinstance(self._layout, WireLayout) else self._encode_whole(text)

    def _text_ends(self, pieces: Sequence[Piece], most_bytes: int) -> list[int]:
        """Return the length in tokens of the text up to the end of each piece: about where it ends, if inside a token."""
        texts = accumulate(piece.text for piece in pieces)
        return [min(len(self._encode_text(text)), most_bytes) // TOKEN_BYTES for text in texts]

    def _encode(self, text: str) -> bytes:
        ids = self._ahead.get(text) if self._ahead else None
        return self._pieces(text) if ids is None else ids

    def _encode_whole(self, text: str) -> bytes:
        """Encode a rendered prompt as engines do: special tokens count wherever they stand."""
        ids = self._whole_ahead.get(text) if self._whole_ahead else None
        return self._texts(text) if ids is None else ids

    def forget(self) -> None:
        """Let go of what is remembered to encode faster; messages keep their ids."""
        self._items.clear()
        self._asked.clear()
        self.know({}, {})
        for name in ("_pieces", "_texts"):
            self.__dict__.pop(name, None)

    @functools.cached_property
    def _pieces(self) -> Callable[[str], bytes]:
        return PieceEncoder(self.tokenizer, budget_bytes=_PIECES_BYTES).encode_piece

    @functools.cached_property
    def _texts(self) -> Callable[[str], bytes]:
        return piece_encoder(self.tokenizer, reads_specials=True).encode_piece


def _beginning(text: str) -> int:
    return crc32(text[:_BEGINNING_CHARACTERS].encode("utf-8", "replace"))


def _has_surrogates(text: str) -> bool:
    """Whether ``text`` holds surrogates, which are encoded as something else."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _with_blocks(
    request: Request, numbers: Sequence[int], output: bytes, pieces: Sequence[Piece], ends: Sequence[int]
) -> PieceIds:
    blocks = [(piece, end) for piece, end in zip(pieces, ends, strict=True) if piece.ends_block]
    return PieceIds(numbers, output, _uint32([end for _, end in blocks]), _token_marks(request.marks, blocks))


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

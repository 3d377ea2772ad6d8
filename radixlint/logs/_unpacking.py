"""A stream of bytes as it lies on disk to plain UTF-8 bytes, a chunk at a time: gzip, zstd and UTF-16 by their first bytes."""

from __future__ import annotations

import codecs
import itertools
import sys
import zlib
from collections.abc import Iterator
from typing import Any, Final, Protocol

from radixlint.errors import LogError

_CHUNK_BYTES: Final = 1 << 17
_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
# A frame of user data may stand in front of the first (pzstd and seekable files write one).
_ZSTD_STARTS: Final = (_ZSTD_MAGIC, *(bytes([0x50 + n]) + b"\x2a\x4d\x18" for n in range(16)))
_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NAMES: Final = ((".gz", "gzip", (_GZIP_MAGIC,)), (".zst", "zstd", _ZSTD_STARTS))
_LEFT_OVER: Final = "bytes after the end of the compressed stream were ignored"
_CUT: Final = "the compressed stream ends early: only what stands before the cut was read"


class Readable(Protocol):
    """What can be read piece by piece."""

    def read(self, most_bytes: int, /) -> bytes:
        """Return the next bytes, at most ``most_bytes``; nothing at the end."""


class Watcher(Protocol):
    """Who is told what an unpacker finds."""

    def note(self, what: str, /) -> None:
        """Take a sentence about the stream."""

    def begin(self) -> None:
        """Take note that a member or a frame begins, and that the one before was whole."""

    def damage(self) -> None:
        """Take note that the present one is damaged."""


def unpack(stream: Readable, watcher: Watcher, *, path: str = "") -> Iterator[bytes]:
    """Yield the plain bytes of ``stream`` in chunks of at most some hundred KiB; a byte-order mark is removed.

    gzip and zstd may have any number of members or frames. ``watcher`` is told what is damaged, could not be read in full,
    or is not what the name ``path`` says.

    Raises:
        LogError: this is zstd and no decoder for it is installed.
    """
    head, chunks = peek(iter(lambda: stream.read(_CHUNK_BYTES), b""))
    for suffix, name, starts in _NAMES:
        if path.endswith(suffix) and not head.startswith(starts):
            watcher.note(f"the name says {name}, but the content is not")
    if head.startswith(_GZIP_MAGIC):
        head, chunks = peek(_gunzip(chunks, watcher))
    elif head.startswith(_ZSTD_STARTS):
        head, chunks = peek(_unzstd(chunks, watcher, path))
    if head.startswith(_UTF16_MARKS):
        watcher.note("text was UTF-16 and read as such")
        head, chunks = peek(_from_utf16(chunks))
    if head.startswith(codecs.BOM_UTF8):
        chunks = itertools.chain([head[len(codecs.BOM_UTF8) :]], itertools.islice(chunks, 1, None))
    return chunks


def peek(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first of ``chunks`` that is not empty, and all of them."""
    head = next(filter(None, chunks), b"")
    return head, itertools.chain([head], chunks)


def _gunzip(chunks: Iterator[bytes], watcher: Watcher) -> Iterator[bytes]:
    inflate = zlib.decompressobj(wbits=31)
    for chunk in chunks:
        data = chunk
        while data:
            if inflate.eof:
                data = data.lstrip(b"\0")  # padding is allowed between and after members
                if not data:
                    break
                if not data.startswith(_GZIP_MAGIC[:1]):
                    watcher.note(_LEFT_OVER)
                    return
                inflate = zlib.decompressobj(wbits=31)
                watcher.begin()
            before = inflate.copy()
            try:
                yield inflate.decompress(data, _CHUNK_BYTES)
            except zlib.error:
                watcher.damage()
                yield from _salvage(before, data)
                return
            data = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
    yield inflate.flush()
    if not inflate.eof:
        watcher.note(_CUT)


def _salvage(inflate: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    # A failing call keeps what it had unpacked to itself, so go up to the damage byte by byte.
    try:
        for position in range(len(data)):
            yield inflate.decompress(data[position : position + 1])
    except zlib.error:
        return


def _unzstd(chunks: Iterator[bytes], watcher: Watcher, path: str) -> Iterator[bytes]:
    zstd = _zstd_module(path)
    frame = zstd.ZstdDecompressor()
    for chunk in chunks:
        data = chunk
        while data:
            if frame.eof:
                frame = zstd.ZstdDecompressor()
                if not data.startswith(tuple(start[: len(data)] for start in _ZSTD_STARTS)):
                    watcher.note(_LEFT_OVER)
                    return
                watcher.begin()
            try:
                yield frame.decompress(data, _CHUNK_BYTES)
                while not (frame.eof or frame.needs_input):
                    yield frame.decompress(b"", _CHUNK_BYTES)
            except zstd.ZstdError:
                watcher.damage()
                return
            data = frame.unused_data if frame.eof else b""
    if not frame.eof:
        watcher.note(_CUT)


def _zstd_module(path: str) -> Any:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise LogError(
            "this is zstd, and no decoder for it is installed", where=path, hint="pip install backports.zstd, or zstd -d FILE"
        ) from None
    return zstd


def _from_utf16(chunks: Iterator[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode()
    yield decoder.decode(b"", final=True).encode()

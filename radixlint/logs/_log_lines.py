"""A stream of bytes, plain or compressed, to lines in bounded memory; lines end at LF only."""

from __future__ import annotations

import codecs
import itertools
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

_CHUNK_BYTES: Final = 1 << 20
_GZIP_MAGIC: Final = b"\x1f\x8b"
_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Report = Callable[[str], None]


def read_lines(stream: BinaryIO, max_line_bytes: int, report: Report, *, path: str = "") -> Iterator[bytes | None]:
    """Yield the lines of ``stream`` without their LF; None stands for a line over ``max_line_bytes``.

    gzip (any number of members) and UTF-16 are told by their first bytes and unpacked on the way; a UTF-8 mark is
    removed. ``report`` is told, in words, what could not be read in full, or is not what the name ``path`` says.
    """
    chunks = iter(lambda: stream.read(_CHUNK_BYTES), b"")
    head, chunks = _peek(chunks)
    if head.startswith(_GZIP_MAGIC):
        head, chunks = _peek(_gunzip(chunks, report))
    elif path.endswith(".gz"):
        report("the name says gzip, but the content is not compressed")
    if head.startswith(_UTF16_MARKS):
        report("text was UTF-16 and read as such")
        head, chunks = _peek(_from_utf16(chunks))
    if head.startswith(codecs.BOM_UTF8):
        chunks = itertools.chain([head[len(codecs.BOM_UTF8) :]], itertools.islice(chunks, 1, None))
    return _split(chunks, max_line_bytes)


def _peek(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    head = next(chunks, b"")
    return head, itertools.chain([head], chunks)


def _gunzip(chunks: Iterator[bytes], report: Report) -> Iterator[bytes]:
    inflate = zlib.decompressobj(wbits=31)
    for chunk in chunks:
        data = chunk
        while data:
            if inflate.eof:
                data = data.lstrip(b"\0")  # padding is allowed between and after members
                if not data:
                    break
                if not data.startswith(_GZIP_MAGIC[:1]):
                    report("bytes after the end of the compressed stream were ignored")
                    return
                inflate = zlib.decompressobj(wbits=31)
            before = inflate.copy()
            try:
                yield inflate.decompress(data, _CHUNK_BYTES)
            except zlib.error:
                report("the compressed stream is damaged: only what stands before the damage was read")
                yield from _salvage(before, data)
                return
            data = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
    yield inflate.flush()
    if not inflate.eof:
        report("the compressed stream ends early: only what stands before the cut was read")


def _salvage(inflate: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    # A failing call keeps what it had unpacked to itself, so go up to the damage byte by byte.
    try:
        for position in range(len(data)):
            yield inflate.decompress(data[position : position + 1])
    except zlib.error:
        return


def _from_utf16(chunks: Iterator[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode()
    yield decoder.decode(b"", final=True).encode()


def _split(chunks: Iterator[bytes], max_line_bytes: int) -> Iterator[bytes | None]:
    tail: list[bytes] = []
    tail_bytes = 0
    for chunk in chunks:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            if tail_bytes + len(line) > max_line_bytes:
                yield None
            else:
                yield b"".join([*tail, line]) if tail else line
            tail, tail_bytes = [], 0
        tail_bytes += len(rest)
        if tail_bytes > max_line_bytes:
            tail = []  # already too long: only its length is still of interest
        elif rest:
            tail.append(rest)
    if tail_bytes > max_line_bytes:
        yield None
    elif tail:
        yield b"".join(tail)

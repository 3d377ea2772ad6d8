"""The optional compiled tokenizer: the same ids, some ten times faster; used only where it has shown that it agrees."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import struct
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

TURN_OFF_VARIABLE: Final = "RADIXLINT_NO_FAST"

# Where engines disagree. The long s and the Kelvin sign fold to ASCII letters, which spell contractions; the others are
# letters and marks only since Unicode 17, or may become so.
_UNSETTLED: Final = re.compile(r"[\u017f\u212a\u088f\u0c5c\u0cdc\u1acf-\u1aff\ua7ce-\ua7d4\ua7f1]")
_RARE: Final = re.compile(r"[^\x00-\uffff\U0001d400-\U0001d7ff\U0001f000-\U0001faff\U00020000-\U0002a6df]")
_SAMPLE: Final = (
    "Don't we'LL I\u2019m 'S\nif (a[10000] != b):\r\n\t  return 3.14159 // x\n/y  \n \n\xa0\u3000\u2028 caf\xe9 e\u0301 \ufb01 X "
    "\u4e2d\u6587\u3002\u304b\u306a \ud55c\uae00 \u0e44\u0e17\u0e22 \u0645\u0631\u062d \u0928\u092e\u0938\u094d\u0924 \x00\ufeff"
    '\U0001f468\u200d\U0001f469\u200d\U0001f467 <|endoftext|><|im_start|>{"k":[1,22,333,4444]}!!!???\n\n\n   '
)


class FastEngine(Struct, frozen=True):
    """The engine for one vocabulary.

    ``encode`` gives ids as little-endian uint32; ``decode`` takes ids as numbers and gives the bytes of their text. It
    leaves out ids that it does not know, so it is to be asked for those below ``ordinary_ids`` alone.
    """

    encode: Callable[[str], bytes]
    decode: Callable[[Sequence[int]], bytes]
    ordinary_ids: int


def fast_engine(name: str, exact: Callable[[str], bytes], digest: str) -> FastEngine | None:
    """Return a faster ``exact`` for the vocabulary ``name``; None if none is installed, wanted and found to agree.

    It agrees if its ``sample_digest`` is ``digest`` and it gives the sample back. ``exact`` is still asked where the engines
    are known to differ. Setting RADIXLINT_NO_FAST turns the fast one off.
    """
    if os.environ.get(TURN_OFF_VARIABLE):
        return None
    try:
        encoding = importlib.import_module("toktok")._encoding(name)
        encode, decode = encoding.encode_to_buffer, encoding.decode_bytes

        def encode_fast(text: str) -> bytes:
            if not text.isascii() and (_UNSETTLED.search(text) or _RARE.search(text)):
                return exact(text)
            try:
                ids: bytes = encode(text, disallowed_special=())
            except UnicodeEncodeError:
                return exact(text)
            return ids

        agrees = sample_digest(lambda text: encode(text, disallowed_special=())) == digest
        ids = struct.unpack(f"<{len(encode_fast(_SAMPLE)) // 4}I", encode_fast(_SAMPLE))
        agrees = agrees and decode(ids) == _SAMPLE.encode()
        specials_start = min(value for _, value in encoding.special_tokens())
        ordinary_ids = next(at for at in range(specials_start, 0, -1) if decode([at - 1]))
    except Exception:  # noqa: BLE001 - a young package, reached by an underscore: whatever it does, the exact engine is there
        return None
    return FastEngine(encode_fast, decode, ordinary_ids) if agrees else None


def sample_digest(encode: Callable[[str], bytes]) -> str:
    """Return a hash of what ``encode`` makes of a sample of scripts, marks, blanks and their orders."""
    ids = (encode(text) for text in ("", _SAMPLE, _SAMPLE[::-1], _SAMPLE.upper()))
    return hashlib.sha256(b"|".join(ids)).hexdigest()[:32]

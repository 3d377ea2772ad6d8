"""Lists of integers in text, as JSON and Python both write them, to uint32 buffers without a Python integer each."""

from __future__ import annotations

import re
from typing import Final

from radixlint.traffic import TOKEN_BYTES

_LIST_BYTES: Final = b"0123456789, \t\r\n[]"
_ODD_COMMA: Final = re.compile(rb"[0-9]\s+[0-9]|,\s*,|\A,|,\Z")


def packed_ids(text: bytes) -> bytes | None:
    r"""Return the ids of the list in ``text`` as little-endian uint32, None if it is no list of integers 0 to 2^32 - 1.

    >>> packed_ids(b"[1, 258]"), packed_ids(b"[]"), packed_ids(b"[1, -1]")
    (b'\x01\x00\x00\x00\x02\x01\x00\x00', b'', None)
    """
    text = text.strip()
    if text.translate(None, _LIST_BYTES) or not text.startswith(b"[") or not text.endswith(b"]") or text.count(b"[") > 1:
        return None
    digits = text[1:-1].strip()
    return _from_digits(digits) if digits else b""


def _from_digits(digits: bytes) -> bytes | None:
    import numpy as np

    if not _is_usual(digits) and _ODD_COMMA.search(digits):
        return None
    # What exceeds 64 bits reads as the largest number, which the range refuses.
    ids = np.fromstring(digits.decode("ascii"), np.uint64, sep=",")
    if ids.max(initial=0) >= 1 << 8 * TOKEN_BYTES:
        return None
    return bytes(ids.astype("<u4").tobytes())


def _is_usual(digits: bytes) -> bool:
    """Whether numbers are told apart by a comma, or a comma and one blank, all alike: cheaper than a search."""
    is_spaced = digits.count(b" ") in (0, digits.count(b", ")) and not digits.translate(None, b"0123456789, ")
    return is_spaced and digits[:1] != b"," and digits[-1:] != b"," and b",," not in digits and b", ," not in digits

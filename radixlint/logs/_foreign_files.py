"""What a file that holds no record may be instead, and how to turn it into one that does."""

from __future__ import annotations

from typing import Final

_SIGNS: Final = (
    (b"[", "this looks like one JSON array; write one record a line, for example with jq -c '.[]'"),
    (b"\x28\xb5\x2f\xfd", "this is zstd; unpack it first, for example with zstd -d"),
    (b"PAR1", "this is Parquet; export it as JSON Lines first"),
    (b"\x80", "this looks like a pickle; pickles are never loaded, write JSON Lines instead"),
)
_PICKLE_SUFFIXES: Final = (".pkl", ".pickle")


def foreign_hint(head: bytes, path: str) -> str | None:
    """Return what to do with a file that starts with ``head``, None if it is nothing we know."""
    if path.endswith(_PICKLE_SUFFIXES):
        return _SIGNS[-1][1]
    return next((hint for sign, hint in _SIGNS if head.lstrip().startswith(sign)), None)

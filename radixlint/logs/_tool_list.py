"""The tools of a request as compact JSON, keys as logged, with the cache marks that stood in them."""

from __future__ import annotations

import functools
from typing import Final

from msgspec import Raw

from radixlint.logs._cache_marks import CACHE_POINT, MARK_FIELDS, mark_in, mark_ttl_s
from radixlint.logs._compact_json import compact, compact_elements, dump_compact
from radixlint.logs._opened_text import opened
from radixlint.logs._record_json import Record, as_record, decode_record, decode_value
from radixlint.logs._tally import Tally
from radixlint.traffic import CacheMark

_ODD_TOOLS: Final = "Tool lists of an unknown shape were ignored"
_NULL: Final = Raw(b"null")
_MARKS: Final = tuple(name.encode() for name in MARK_FIELDS)

Tools = tuple[tuple[str, ...], tuple[CacheMark, ...]]


def read_tools(body: Record, tally: Tally) -> Tools:
    """Return the tools (or functions) of ``body``, and the marks behind them."""
    if "tools" not in body and "functions" not in body:
        return (), ()
    field = next((body[name] for name in ("tools", "functions") if name in body and body[name] != _NULL), None)
    if field is None:
        return (), ()
    try:
        return _read(bytes(opened(field)))
    except ValueError:
        tally.note(_ODD_TOOLS)
        return (), ()


@functools.lru_cache(maxsize=256)
def _read(array: bytes) -> Tools:
    texts = compact_elements(array)
    if not any(name in array for name in _MARKS):
        return texts, ()
    kept: list[str] = []
    marks: list[CacheMark] = []
    for text in texts:
        tool = as_record(Raw(text.encode()))
        found: dict[str, object] = {name: decode_value(tool[name]) for name in MARK_FIELDS if tool is not None and name in tool}
        mark = mark_in(found)
        if CACHE_POINT not in found:
            kept.append(_without(text, found))
        if mark is not None and kept:
            marks.append(CacheMark(tool=len(kept) - 1, ttl_s=mark_ttl_s(mark)))
    return tuple(kept), tuple(marks)


def _without(text: str, fields: dict[str, object]) -> str:
    if not fields:
        return text
    tool = decode_record(text.encode())
    pairs = [f"{dump_compact(name)}:{compact(bytes(value).decode())}" for name, value in tool.items() if name not in fields]
    return f"{{{','.join(pairs)}}}"

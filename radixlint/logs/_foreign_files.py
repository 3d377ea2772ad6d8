"""What a file that is no log may be instead, and how to turn it into one."""

from __future__ import annotations

import re
from typing import Final

from radixlint.logs._engine_lines import REQUEST_SWITCHES
from radixlint.logs._unknown_records import ACCESS_ADVICE

_PICKLE: Final = "this looks like a pickle; pickles are never loaded: let the server log JSON instead (--log-requests for SGLang)"
# Told by their first bytes beyond doubt, so they are never read as lines.
_STARTS: Final = (
    (b"PAR1", "this is Parquet; export it as JSON Lines first"),
    (b"ARROW1", "this is Arrow; export it as JSON Lines first"),
    (b"SQLite format 3\0", "this is an SQLite database; export the table as JSON Lines first, for example with sqlite3 -json"),
    (b"PK\x03\x04", "this is a zip archive; unpack it first and give the folder"),
    (b"7z\xbc\xaf\x27\x1c", "this is a 7z archive; unpack it first and give the folder"),
    (b"BZh", "this is bzip2; unpack it first, for example with bunzip2"),
    (b"\xfd7zXZ\0", "this is xz; unpack it first, for example with unxz"),
    (b"\x04\x22\x4d\x18", "this is lz4; unpack it first, for example with lz4 -d"),
    (b"\x80\x02", _PICKLE),
    (b"\x80\x03", _PICKLE),
    (b"\x80\x04", _PICKLE),
    (b"\x80\x05", _PICKLE),
)
_PICKLE_SUFFIXES: Final = (".pkl", ".pickle")
_TAR: Final = (b"ustar", 257, "this is a tar archive; unpack it first and give the folder")
_HEADER: Final = re.compile(rb'\s*"?[A-Za-z_][\w .\-/]*"?(?:,"?[\w .\-/]+"?)+\s*\Z')
_LENGTHS: Final = re.compile(rb"tokens|length", re.IGNORECASE)
_TEXTS: Final = re.compile(rb"prompt\b|message|input\b|request|text|content|ids", re.IGNORECASE)
_ONLY_LENGTHS: Final = (
    "this is CSV with lengths only, which say nothing about shared prefixes; log the prompts, token ids or block hashes"
)
_CSV: Final = "this is CSV; export the rows as JSON Lines"
_REQUEST_LINE: Final = re.compile(rb'[^{\n]*"[A-Z]{3,7} [^" \n]+ HTTP/[\d.]+" \d{3}\b')
_METRICS: Final = re.compile(rb"# (?:HELP|TYPE) [A-Za-z_:][\w:]* ")
_TOTALS: Final = (
    "these are Prometheus metrics, totals only: they give a rate since the server's start, not requests; log requests with {}"
)
_LOG_NAME: Final = re.compile(r"\.(?:jsonl|ndjson|json|log)(?:[._-][\dT:.-]+)?(?:\.(?:gz|zst))?\Z", re.IGNORECASE)
_CASSETTE: Final = 'this looks like a VCR cassette in YAML; record it as JSON (serializer="json")'


def foreign_file(head: bytes, path: str) -> str | None:
    """Return what to do with a file that cannot be a log by its first bytes ``head`` or its name, None if it may be one."""
    if path.endswith(_PICKLE_SUFFIXES):
        return _PICKLE
    sign, position, hint = _TAR
    if head[position:].startswith(sign):
        return hint
    return next((hint for start, hint in _STARTS if head.startswith(start)), None)


def has_log_name(path: str) -> bool:
    """Whether a file is called as logs are, also when rotated or packed: then it holds records, if only bad ones."""
    return _LOG_NAME.search(path) is not None


def foreign_text(head: bytes) -> str | None:
    """Return what to do with a text file without a readable record that starts with ``head``, None if nothing is known."""
    header = head.lstrip().partition(b"\n")[0]
    if header.rstrip() == b"interactions:":
        return _CASSETTE
    if _METRICS.match(header):
        named = [switch for name, switch in REQUEST_SWITCHES.items() if f"{name}:".encode() in head]
        return _TOTALS.format(", or ".join(named or REQUEST_SWITCHES.values()))
    if _REQUEST_LINE.match(header):
        return ACCESS_ADVICE
    if not _HEADER.match(header):
        return None
    others = [name for name in header.split(b",") if not _LENGTHS.search(name)]
    return _ONLY_LENGTHS if len(others) < header.count(b",") + 1 and not any(map(_TEXTS.search, others)) else _CSV

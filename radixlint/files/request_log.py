"""Tell a request log from a prompt file: records, one a line."""

from __future__ import annotations

import json
from typing import Final

IS_LOG: Final = "this is a request log, not a prompt: `radixlint analyze` reads it"
"""Why a request log is skipped."""

# What records of requests have somewhere at their top, in every format that is read as a log.
_KEYS: Final = frozenset(
    ("messages", "prompt", "input", "contents", "token_ids", "body", "request", "response", "usage", "model", "hash_ids")
)

_NAMES: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")


def is_request_log(head: bytes, shown: str) -> bool:
    """Whether a file that starts with ``head`` holds records, by its name or by its first two lines."""
    if shown.lower().endswith(_NAMES):
        return True
    lines = [line for line in head.split(b"\n") if line.strip()][:2]
    return len(lines) == 2 and all(_is_record(line) for line in lines)


def _is_record(line: bytes) -> bool:
    if not (line.lstrip().startswith(b"{") and line.rstrip().endswith(b"}")):
        return False
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and not _KEYS.isdisjoint(record)

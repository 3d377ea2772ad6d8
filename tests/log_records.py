"""Records written as a log and read back, for the tests of what is read."""

from __future__ import annotations

import io
import json
from typing import Any

from radixlint.logs import ReadOptions, read_logs
from radixlint.traffic import LogRead


def json_lines(*records: object) -> bytes:
    """Return ``records`` as JSON Lines."""
    return b"".join(json.dumps(r).encode() + b"\n" for r in records)


def read_bytes(data: bytes, **options: Any) -> LogRead:
    """Return what reading ``data`` as standard input gives."""
    return read_logs(["-"], ReadOptions(**options), stdin=io.BytesIO(data))


def read_records(*records: object) -> LogRead:
    """Return what reading ``records`` gives."""
    return read_bytes(json_lines(*records))


def asking(number: int = 0, **fields: object) -> dict[str, Any]:
    """Return a chat record of one question."""
    return {"id": f"r{number}", "messages": [{"role": "user", "content": f"question {number}"}], **fields}

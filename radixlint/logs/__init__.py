"""Lines to requests; a log format is a module of this package with ``NAME``, ``matches`` and ``read``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from radixlint.traffic import LogRead


def read_logs(
    paths: Sequence[str],
    *,
    format: str | None = None,  # noqa: A002 - the name of the command's option
    stdin: BinaryIO | None = None,
    max_record_bytes: int = 64 << 20,
) -> LogRead:
    """Read the files ``paths`` (``-`` is ``stdin``), plain or gzip, as one log in the order given.

    Args:
        paths: what to read; each file holds one JSON object a line.
        format: the name of the log format, None to tell it from each record.
        stdin: what ``-`` stands for.
        max_record_bytes: a longer record is skipped and counted.

    Raises:
        LogError: a file cannot be opened, or no record at all is readable.
        ConfigError: there is no such format.
    """
    raise NotImplementedError

"""What fixes change, as a unified diff that ``patch`` and ``git apply`` take; line ends stay as they are in the files."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.reports import TextStyle
from radixlint.result.fix import FileFix
from radixlint.safe_text import safe, safe_line

_MARK: Final = "\ufeff"


def render(files: Sequence[FileFix], _style: TextStyle) -> str:
    """Return the diff of all files that change, by path."""
    return "".join(line for file in files if file.before != file.after for line in _diff(file))


def _diff(file: FileFix) -> Iterator[str]:
    before, after = _lines(file.before), _lines(file.after)
    name = safe_line(file.path)
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        text = line.rstrip("\r\n")
        # A byte-order mark shows nothing, and a diff without it would not apply.
        start = 2 if text[1:2] == _MARK else 1
        yield text[:start] + safe(text[start:]) + (line[len(text) :] or "\n\\ No newline at end of file\n")


def _lines(data: bytes) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", data.decode("utf-8", "backslashreplace"))

"""Escape what untrusted text could do to a terminal; every report passes input through here before printing it."""

from __future__ import annotations

import json
import re

# C0 but tab and newline, DEL, C1, the line separators, and the bidirectional controls and marks.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def safe(text: str) -> str:
    r"""Return ``text`` with control, C1, bidi and lone-surrogate characters written as escapes; tab and newline stay.

    >>> safe("red \x1b[31m")
    'red \\x1b[31m'
    """
    return _UNSAFE.sub(_escape, text)


def safe_line(text: str) -> str:
    r"""Return ``safe(text)`` on one line: newline and tab are written as escapes too.

    >>> safe_line("a\nb")
    'a\\nb'
    """
    return safe(text).replace("\n", "\\n").replace("\t", "\\t")


def json_text(value: object) -> str:
    r"""Return ``value`` as indented JSON in plain ASCII, one newline at the end: same bytes in every locale.

    >>> json_text({"a": "\x7f"})
    '{\n  "a": "\\u007f"\n}\n'
    """
    return json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False).replace("\x7f", "\\u007f") + "\n"

"""Escape what untrusted text could do to a terminal; every report passes input through here before printing it."""

from __future__ import annotations

import json
import re

# C0 but tab and newline, DEL, C1, the line separators, bidirectional controls and marks, and what nobody sees: spaces and
# joiners without width, invisible operators, tags. The joiner of emoji and of Indic scripts (U+200D) and its twin stay.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def safe(text: str) -> str:
    r"""Return ``text`` with control, C1, bidi, invisible and lone-surrogate characters written as escapes; tab and newline stay.

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

"""The encoding of a file: UTF-8, or for Python what its first two lines declare (PEP 263)."""

from __future__ import annotations

import codecs
import re
from typing import Final

UTF_8: Final = "utf-8"

_PYTHON: Final = ".py"
_COOKIE: Final = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_PASSED: Final = re.compile(rb"[ \t\f]*(?:#.*)?\Z")
# Those that keep ASCII as it is and take time in proportion to the text: neither escapes nor shifts, nor Punycode.
_PLAIN: Final = re.compile(r"iso8859|cp\d|koi8|mac-|mac_|gb|big5|euc_|shift_jis|johab|tis|ptcp|kz|hp-")


def encoding_of(data: bytes, shown: str) -> str:
    """Return the name of the encoding of ``data``, the bytes of the file ``shown``: that of Python code which is not UTF-8
    but declares another one, else UTF-8, whether or not it can be read as that.
    """
    if not shown.lower().endswith(_PYTHON) or data.startswith(codecs.BOM_UTF8):
        return UTF_8
    declared = _declared(data)
    if declared is None or not _can_read(data, declared) or _can_read(data, UTF_8):
        return UTF_8
    return declared


def _declared(data: bytes) -> str | None:
    for line in re.split(rb"\r\n|\r|\n", data[:1000], maxsplit=2)[:2]:
        found = _COOKIE.match(line)
        if found is not None:
            return _known(found[1].decode("ascii", "replace"))
        if not _PASSED.match(line):
            break
    return None


def _known(name: str) -> str | None:
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return found if _PLAIN.match(found) else None


def _can_read(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True

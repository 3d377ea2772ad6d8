"""The few shapes of Python's ``repr`` that engines log, read by scanning; nothing is compiled or executed."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

_STRING: Final = rb"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_WHOLE_STRING: Final = re.compile(_STRING, re.DOTALL)
# A list of numbers is one token: prompts have thousands.
_TOKEN: Final = re.compile(_STRING + rb"|['\"]|\[[-0-9, ]*\]|[\[({]|[\])}]|,", re.DOTALL)
_NAME: Final = re.compile(rb"\s*(?:([A-Za-z_]\w*)=|'([^'\\]*)': ?)")
_CUT: Final = re.compile(rb"(?:" + _STRING + rb"|\[[^\[\]]*\]) \.\.\. ['\"\[]", re.DOTALL)
_SHORTENED: Final = re.compile(r"<\w+: \d+ chars, blake2b=[0-9a-f]+>")
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_PLAIN_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_LAST_CODE_POINT: Final = 0x10FFFF
_MAX_LITERAL_BYTES: Final = 4 << 20


def scan_fields(text: bytes, start: int = 0) -> tuple[dict[str, bytes], int]:
    """Return the fields ``name=value`` or ``'name': value`` from ``start`` on, values as written, and where they end.

    They end at the bracket that closes what they stand in, or at the end of ``text``. What looks like a field inside a
    string or an inner bracket is none.

    >>> scan_fields(b"a='b=1, c=2', d=[1, 2], e=f(g=3))")
    ({'a': b"'b=1, c=2'", 'd': b'[1, 2]', 'e': b'f(g=3)'}, 32)

    Raises:
        ValueError: a string or a bracket is not closed.
    """
    fields: dict[str, bytes] = {}
    depth = 0
    position = start
    for token in _TOKEN.finditer(text, start):
        sign = text[token.start()]
        if sign in b"'\"":
            if token.end() == token.start() + 1:
                # To look for more strings behind it would take quadratic time.
                raise ValueError("a string is not closed")
        elif sign in b"[({" and token.end() == token.start() + 1:
            depth += 1
        elif sign in b")}]":
            if not depth:
                _add_field(fields, text[position : token.start()])
                return fields, token.start()
            depth -= 1
        elif sign == b","[0] and not depth:
            _add_field(fields, text[position : token.start()])
            position = token.end()
    if depth:
        raise ValueError("a bracket is not closed")
    _add_field(fields, text[position:])
    return fields, len(text)


def inner_fields(value: bytes | None) -> dict[str, bytes]:
    """Return the fields inside ``value``, which is written as ``Name(...)`` or ``{...}``; empty for anything else.

    Raises:
        ValueError: a string or a bracket is not closed.
    """
    if value is None:
        return {}
    opening = re.match(rb"\w*[({]", value)
    return scan_fields(value, opening.end())[0] if opening else {}


def string_end(text: bytes, start: int) -> int | None:
    """Return where the string literal that begins at ``start`` ends, None if there is none."""
    found = _WHOLE_STRING.match(text, start)
    return found.end() if found else None


def string_value(literal: bytes | None) -> str | None:
    r"""Return the text of a string literal, None if ``literal`` is not one and nothing else.

    >>> string_value(b"'a\\nb\\u20ac'"), string_value(b"'a' ... 'b'"), string_value(b"None")
    ('a\nb€', None, None)

    Raises:
        UnicodeDecodeError: it is not UTF-8.
    """
    if literal is None or _WHOLE_STRING.fullmatch(literal) is None:
        return None
    text = literal[1:-1].decode()
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def plain_value(literal: bytes) -> object:
    """Return the value of a literal of strings, numbers, lists and dictionaries, None if it is none or too large.

    The parser builds a tree of it and takes the constants out; nothing of it is run.
    """
    if len(literal) > _MAX_LITERAL_BYTES:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd escapes in strings
        try:
            return ast.literal_eval(literal.decode())
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None


def is_cut(value: bytes | None) -> bool:
    """Whether a logger left out the middle of ``value``, a string or a list, or put its length in its place."""
    return value is not None and (_CUT.match(value) is not None or is_shortened(value[:200].decode("utf-8", "replace")))


def is_shortened(text: str) -> bool:
    """Whether ``text`` is what SGLang logs in place of a long one: its length and a hash."""
    return _SHORTENED.fullmatch(text) is not None


def _add_field(fields: dict[str, bytes], text: bytes) -> None:
    name = _NAME.match(text)
    if name:
        fields.setdefault((name[1] or name[2]).decode("utf-8", "replace"), text[name.end() :].strip())


def _unescaped(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2] or escape[3]
    if digits is None:
        return _PLAIN_ESCAPES.get(escape[4], escape[0])
    number = int(digits, 16)
    return chr(number) if number <= _LAST_CODE_POINT else escape[0]

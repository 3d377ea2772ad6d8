"""What opens and closes a comment in the languages that prompts are written in."""

from __future__ import annotations

import re
from typing import Final

CLOSERS: Final = {
    "{#": "#}",
    "{{!--": "--}}",
    "{{~!--": "--}}",
    "{{!": "}}",
    "{{~!": "}}",
    "{{/*": "*/}}",
    "{{- /*": "*/ -}}",
    "/*": "*/",
    "<!--": "-->",
}
"""The end of each comment that has one, less the comment of Liquid, which is a block of two tags."""

LIQUID_END: Final = re.compile(r"\{%-?[ \t]*endcomment[ \t]*-?%\}|-?%\}")
"""The end of a comment of Liquid, whose tag may hold a line comment, too."""

_LIQUID: Final = r"\{%-?[ \t]*comment[ \t]*-?%\}|\{%-?[ \t]*#"
_OPENERS: Final = "|".join(map(re.escape, sorted(CLOSERS, key=len, reverse=True)))

ENCLOSED: Final = rf"(?P<opener>{_OPENERS}|{_LIQUID})[-~]?\s*"
"""A pattern for the start of a comment that has an end, up to its first word."""

# A line comment starts a line or follows white space: the # of an address or a colour is none.
TO_LINE_END: Final = r"(?:(?<=\s)|^)(?P<opener>##?|///?)[ \t]*"
"""A pattern (of several lines) for the start of a comment that ends with its line, up to its first word."""

"""Tell a prompt from other text that holds fields: manuals, release notes, build scripts, pages of a site."""

from __future__ import annotations

import re
from typing import Final

from radixlint.prompt import SourceText
from radixlint.passage import whole
from radixlint.sources._placeholders import Style, read_fields

# Longer texts are manuals, in which names that prompts use occur by chance.
_LONGEST_CHARS: Final = 20_000
# A short text with a field is a prompt unless something says otherwise.
_SHORT_CHARS: Final = 2_000
_HEAD_CHARS: Final = 4_000
_NAMED: Final = re.compile(r"(?i)(?:^|[^a-z])(?:prompts?|llm)(?:[^a-z]|$)|^(?:system|persona|instructions?)\.\w+$")
_BUILD: Final = re.compile(r"(?i)^(?:cmakelists|constraints|requirements[\w.-]*|robots|sources|top_level)\.txt$")
_FRONT: Final = re.compile(r"---\n.*?^---$", re.MULTILINE | re.DOTALL)
_PAGE: Final = re.compile(r"\{\{|\{%|^(?:layout|permalink|license|sidebar\w*|slug|draft|nav_order):", re.MULTILINE)
_VIM_HELP: Final = re.compile(r"^[ \t]*vim:.*\bft=help\b", re.MULTILINE)
_ANY: Final = re.compile("")
_ADDRESS: Final = re.compile(
    r"(?:^|[.!?]\s)[\W_]*"
    r"(?:(?i:you are|you're)\s+(?:an?\b|the\b|our\b|[A-Z{])|Act as\b|I want you to\b|Your (?:task|job|role|goal) is\b)",
    re.MULTILINE,
)
# A field that is all of a line, or all behind its label; the second colon is that of Chinese and Japanese.
_LABEL: Final = r"(?:[^\W\d_][^{}\n:\uff1a]{0,40}[:\uff1a][*_]*[ \t]*)?"
_ALONE: Final = re.compile(rf"""^[ \t>*_#-]*{_LABEL}["'<(\[]?\{{{{1,2}}[\w. \[\]]+\}}{{1,2}}["'>)\].?!]*$""", re.MULTILINE)
# Names under which prompts are handed what they work on.
_USUAL: Final = re.compile(
    r"(?i)(?<![a-z])(?:question|query|context|histor(?:y|ies)|user|customer|tenant|session|request|document|docs|input|persona|instructions|"
    r"tools|today|now|current|timestamp|date|language|company|memor(?:y|ies)|transcript|conversation|messages|profile|task)"
)
_FENCED: Final = re.compile(
    r"^[ \t]{0,3}(?P<fence>```+|~~~+)[^\n]*\n(?P<body>.*?)(?:^[ \t]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_INLINE: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
# Braces of others: of git and the shell, directives in front of a code span, types such as ``{Object}`` and ``{http.Agent}``.
_FOREIGN: Final = re.compile(
    r"[$@%#\\]\{[^{}\n]*\}|(?<!`)\{[^{}\n]*\}`(?=[^`\s.,;:!?)])"
    r"|\{(?:\w+(?:\.\w+)*\.[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|Object|Function|Error|Array|Buffer|Map|Set|Promise|Date|"
    r"String|Number|Boolean|Symbol|Iterable|string|number|integer|boolean|any|object|function|undefined|null|void|bigint|symbol)\}"
)


def is_prompt(source: SourceText, style: Style) -> bool:
    """Whether text with fields is a prompt: by its name, by how it speaks, or by fields such as prompts have."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    if _BUILD.match(name) or _VIM_HELP.search(source.text, max(0, len(source.text) - 200)):
        return False
    text = _FOREIGN.sub("", source.text)
    shown = text if name.lower().endswith(".txt") else _without_code(text)
    if _ADDRESS.search(shown, 0, _HEAD_CHARS) or (_NAMED.search(name) and _has_field(_INLINE.sub("", shown), style, _ANY)):
        return True
    if len(shown) > _LONGEST_CHARS or is_page(source):
        return False
    named = _ANY if len(shown) <= _SHORT_CHARS else _USUAL
    return _ALONE.search(shown) is not None or _has_field(shown, style, named)


def is_page(source: SourceText) -> bool:
    """Whether Markdown with front matter is a page or card that a site or hub fills in, and no text for a model."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    front = _FRONT.match(source.text)
    return (
        front is not None
        and _PAGE.search(front[0]) is not None
        and not _ADDRESS.search(source.text, 0, _HEAD_CHARS)
        and not _NAMED.search(name)
    )


def _has_field(text: str, style: Style, named: re.Pattern[str]) -> bool:
    segments = read_fields(whole(SourceText("", text)), style)
    return any(named.search(segment.text) for segment in segments if segment.expression is not None)


def _without_code(text: str) -> str:
    """Return Markdown without code, but for code that is nothing but one field."""
    bare = _FENCED.sub(lambda fence: fence["body"] if _ALONE.fullmatch(fence["body"].strip()) else "", text)
    return _INLINE.sub(lambda code: code[0] if _ALONE.fullmatch(code[1]) else "", bare)

"""What people said in a request, less what a program put around it: the marks by which one conversation is known again."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import Final

from radixlint.traffic import Message

INSTRUCTIONS: Final = frozenset({"system", "developer"})
_OTHERS: Final = frozenset({"assistant", "tool", "function"})
_SHORTEST_LINE_BYTES: Final = 12
_LABEL: Final = (
    r"(?:user|human|customer|client|caller|patient|visitor|person|me|assistant|ai|bot|agent|model|system|support"
    r"|q|a|question|answer|role|content)"
)
_TURN: Final = re.compile(rf"[\W_]{{0,9}}{_LABEL}\b[\W_]{{0,9}}[:>|](?![:>|])", re.IGNORECASE)
# Patterns that begin with one set of characters are searched for several times faster than alternatives are.
_CLOCK: Final = re.compile(
    r"\d(?:\d{0,3}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ,]{1,2}\d{1,2}:\d{2})?|\d?:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|\b))"
)
_CLOCK_SIGNS: Final = bytes.maketrans(b"123456789-/.", b"000000000:::")
_BRACKETS: Final = re.compile(r"[\[(<][^\[\]()<>\n]{0,80}[\])>]")
_TURN_BORDER: Final = re.compile(
    r"\n|(?=\{\s?[\"']role[\"'])|\s(?=(?:user|human|customer|client|assistant|ai|bot|agent): )", re.IGNORECASE
)
_SPEAKERS: Final = ("user", "human", "customer", "client", "assistant", "ai", "bot", "agent")
# Dotless, dotted and long letters, which match i and s where case does not count.
_FOLDED: Final = ("\u0131", "i\u0307", "\u017f")
_SENTENCE_END: Final = re.compile(
    r"[.!?|\\\u3002\uff01\uff1f](?:(?<=[.!?])[\"')\]},]{0,8}\s+|(?<=[\u3002\uff01\uff1f])|(?<=\s\|)(?=\s)|(?<=\\)n)"
)
_EDGES: Final = string.whitespace + string.punctuation + "\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026\u2013\u2014\u00b7\u2022"
_START_CHARACTERS: Final = 80
_WORD: Final = re.compile(r"\w")


def is_said(message: Message) -> bool:
    """Whether ``message`` is no instruction and holds a letter or digit.

    What is left of a prompt for the assistant to go on from (``{``) holds none.
    """
    return message.role not in INSTRUCTIONS and (bool(message.tool_calls) or _WORD.search(message.text) is not None)


def marks_of(message: Message) -> list[str]:
    """Return what ``message`` is known again by: its text as a whole and, of a user, each long line and sentence in it.

    Clocks, bracketed words in front, speakers' names, white space and punctuation around a line do not count. A mark may
    come twice.
    """
    text = message.text
    is_printable = text.replace("\n", " ").isprintable()
    marks = [_small(_unlabelled(text).replace("\n", " "), is_printable) or text.strip()]
    marks += [core_of(call.arguments) for call in message.tool_calls if _is_long(call.arguments)]
    if message.role not in _OTHERS:
        for line in _lines(text):
            if len(line) >= _SHORTEST_LINE_BYTES or not line.isascii():
                sentences = _SENTENCE_END.split(line) if len(line) >= _SHORTEST_LINE_BYTES or _is_long(line) else [line]
                if len(sentences) > 1 or line != text:
                    marks += _long(sentences, is_printable) or _long((line,), is_printable)
    return [mark for mark in marks if mark]


def turns_in(text: str) -> tuple[str, ...]:
    """Return the lines of ``text`` that are turns of a written-down conversation (``User: ...``), without the speaker."""
    return tuple(_long([line for line in _lines(text) if _TURN.match(line)], is_printable=False))


def core_of(line: str) -> str:
    """Return ``line`` in small letters without what differs from one sending to the next.

    >>> core_of("[10:01:00] User: It hurts here, doctor.  ")
    'it hurts here, doctor'
    """
    bare = _unlabelled(line).replace("\n", " ")
    return _small(bare, bare.isprintable()) or line.strip()


def _small(bare: str, is_printable: bool) -> str:
    core = bare.strip(_EDGES).casefold()
    if not is_printable:
        return " ".join(core.split())
    while "  " in core:  # no other white space is printable
        core = " ".join(core.split("  "))  # in less time than replacing takes
    return core


def _unlabelled(line: str) -> str:
    # Most sentences of a long text are plain words: only what may hold a clock or a speaker is looked at closely.
    start = line[:_START_CHARACTERS]
    if start[:1].isalpha() and ":" not in start:
        return line
    bare = (_CLOCK.sub("", line) if _may_hold_clock(line) else line).lstrip()
    bracket = _BRACKETS.match(bare)
    bare = bare[bracket.end() :] if bracket and bracket.end() < len(bare.rstrip()) else bare
    turn = _TURN.match(bare)
    return bare[turn.end() :] if turn else bare


def _may_hold_clock(line: str) -> bool:
    """Whether a sign as in a date or clock stands between digits; told several times faster than where clocks are."""
    return not line.isascii() or b"0:0" in line.encode("ascii").translate(_CLOCK_SIGNS)


def _lines(text: str) -> list[str]:
    """Return the lines of ``text``, and the turns where several stand in one line; the close look takes ten times longer."""
    return _TURN_BORDER.split(text) if _names_speaker(text) else text.split("\n")


def _names_speaker(text: str) -> bool:
    """Whether a speaker may be named in ``text``; True for texts in which other letters may stand for those of a name."""
    lower = text.lower()
    if "role" in lower or (not text.isascii() and any(letter in lower for letter in _FOLDED)):
        return True
    for before in lower.split(": ")[:-1]:  # noqa: SIM110 - a generator takes twice as long
        if before.endswith(_SPEAKERS):
            return True
    return False


def _long(lines: Iterable[str], is_printable: bool) -> list[str]:
    cores = [
        # Most sentences of a long text are plain words; the test stands here too, for a call takes as long as it.
        _small(line if ":" not in line and line[:1].isalpha() else _unlabelled(line), is_printable) or line.strip()
        for line in lines
    ]
    return [core for core in cores if len(core) >= _SHORTEST_LINE_BYTES or _is_long(core)]


def _is_long(text: str) -> bool:
    # Bytes, since a few signs of some scripts say as much as a dozen letters.
    return len(text) >= _SHORTEST_LINE_BYTES or (
        not text.isascii() and len(text.encode("utf-8", "surrogatepass")) >= _SHORTEST_LINE_BYTES
    )

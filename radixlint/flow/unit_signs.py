"""Names and texts by which a part of a program is taken for a prompt though nothing is seen to send it."""

from __future__ import annotations

import re
from typing import Final

from radixlint.flow.values import Written

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_PROMPTS: Final = frozenset(
    ("prompt", "prompts", "instruction", "instructions", "persona", "preamble", "sysprompt", "systemprompt")
)
_SYSTEM: Final = frozenset(("message", "text", "content", "msg", "header", "rules", "role"))
_TEXTS: Final = frozenset(("template", "templates", "context", "guidelines", "rules", "primer", "examples", "fewshot", "shots"))
# Asks the user at a terminal, or draws the shell's prompt.
_TERMINAL: Final = frozenset(
    ("password", "confirm", "shell", "ps1", "cli", "input", "yes", "choice", "login", "console", "terminal")
)
_TOOLS: Final = frozenset(("tools", "tool", "functions", "toolset", "toolbox"))
SPEECH: Final = re.compile(
    r"\b(?:you are|you're|your (?:task|role|job|goal)|act as|answer|respond|reply|do not|don't|never|always|must|should|"
    r"assistant|the user|given the|based on|use the|follow(?:ing)?|instructions?|question|context|summari[sz]e|translate|"
    r"du bist|sie sind|tu es|vous \u00eates|eres|sei un)\b|\u4f60\u662f|\u3042\u306a\u305f\u306f",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(
    r"<(?:html|!doctype|div|span|table|body|svg|p|a)\b|\b(?:select\s.+\sfrom|insert\s+into|create\s+table|update\s+\w+\s+set)\b|^#!|"
    r"\bimport\s+\w+|\bdef\s+\w+\(|\bfunction\s+\w+\(|usage:",
    re.IGNORECASE | re.MULTILINE,
)
# Letters to people give orders too.
_LETTER: Final = re.compile(r"\A\s*(?:dear|hello|hi|good (?:morning|day|evening)|sehr geehrte|ch[e\u00e8]re?)\b", re.IGNORECASE)
_LEAST_WORDS: Final = 30
LEAST_ORDERS: Final = 2


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of the last part of a dotted name, lower case."""
    return tuple(word.lower() for word in _WORD.findall(name.rsplit(".", 1)[-1]))


def names_prompt(name: str) -> bool:
    """Whether a function or constant of this name is a prompt."""
    words = words_of(name)
    known = set(words)
    if known & _TERMINAL:
        return False
    return bool(known & _PROMPTS) or ("system" in known and bool(known & _SYSTEM))


def names_text(name: str) -> bool:
    """Whether the name fits a prompt and other texts as well."""
    return bool(set(words_of(name)) & _TEXTS)


def names_tools(name: str) -> bool:
    """Whether a function or variable of this name holds tools."""
    return bool(set(words_of(name)) & _TOOLS)


def fixed_text(value: Written) -> str:
    """Return all fixed text of a value."""
    return "".join(part.text for part in value.parts if part.expression is None)


def is_speech(value: Written) -> bool:
    """Whether the fixed text of a value speaks to a model: sentences of some length, and no other language's source."""
    text = fixed_text(value)
    if _FOREIGN.search(text) or _LETTER.search(text):
        return False
    return len(SPEECH.findall(text)) >= LEAST_ORDERS and (len(text.split()) >= _LEAST_WORDS or len(text) >= 8 * _LEAST_WORDS)


def is_sentence(value: Written) -> bool:
    """Whether the fixed text of a value has words at all, and is no other language's source."""
    text = fixed_text(value)
    return len(text) >= 20 and not _FOREIGN.search(text)

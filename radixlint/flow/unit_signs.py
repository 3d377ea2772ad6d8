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
# Texts for people at work, and in other languages than prose.
_FOR_PEOPLE: Final = frozenset(
    ("doc", "docstring", "usage", "help", "epilog", "error", "errors", "exception", "warning", "warnings", "reason", "traceback")
) | {"html", "css", "sql", "xml", "svg", "latex", "tex", "regex", "license", "readme", "changelog", "banner"}
# Asks the user at a terminal, or draws the shell's prompt.
_TERMINAL: Final = frozenset(
    ("password", "confirm", "shell", "ps1", "cli", "input", "yes", "choice", "login", "console", "terminal")
)
_TALK: Final = frozenset(
    ("messages", "history", "turns", "conversation", "chat", "transcript", "dialog", "dialogue", "msgs", "convo", "exchanges")
)
_OF_TALK: Final = _TALK | frozenset(
    (
        "message",
        "turn",
        "chats",
        "llm",
        "ai",
        "user",
        "agent",
        "model",
        "api",
        "all",
        "full",
        "past",
        "previous",
        "prior",
        "recent",
    )
)
_TOOLS: Final = frozenset(("tools", "toolset", "toolbox"))
# ``tool`` or ``functions`` alone say no more than that something is a program's: the table ``tool`` of a settings file.
_DEFINED: Final = frozenset(("schema", "schemas", "spec", "specs", "defs", "definitions", "declarations"))
_TOOL_FORMS: Final = _DEFINED | {"descriptions", "list", "names", "docs", "registry", "catalog", "manifest", "signatures", "map"}
# What a file that keeps the talk with a model names at least once, whatever it says of histories and messages.
_MODELS: Final = ("prompt", "assistant", "chat", "conversation", "dialogue", "openai", "anthropic")
# Words that much other code has in another sense or as a part of others; each begins with fixed text, which is found fast.
_MODEL: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"llm(?<!\wllm)s?(?![a-z])",
        r"turns(?<!\wturns)\b",
        r"_turns?\b",
        r"role(?:(?<=[\"']role)[\"']|(?<!\wrole)=)",
        r"agent(?<!useragent)(?<!user[ _-]agent)",
    )
)
# What goes with tools of a model, not with those of a build.
_TOOL_USE: Final = re.compile(
    r"[_.]schemas?\b|inputschema|[\"'](?:parameters|function)[\"']|\bmcp|list_?tools|tool_?calls?|tool_?use|function_?call|\bmodels?\b",
    re.IGNORECASE,
)
SPEECH: Final = re.compile(
    r"\b(?:you are|you're|your (?:task|role|job|goal)|act as|answer|respond|reply|do not|don't|never|always|must|should|"
    r"assistant|the user|given the|based on|use the|follow(?:ing)?|instructions?|question|context|summari[sz]e|translate|"
    r"du bist|sie sind|tu es|vous \u00eates|eres|sei un)\b|\u4f60\u662f|\u3042\u306a\u305f\u306f",
    re.IGNORECASE,
)
# Says to the reader who it is or what it has to do.
ADDRESS: Final = re.compile(
    r"\b(?:you are (?:an?|the)|you're (?:an?|the)|your (?:task|role|job|goal)|act as|answer|respond|reply|assistant|summari[sz]e|"
    r"translate|du bist|sie sind|tu es|vous \u00eates|eres|sei un)\b|\u4f60\u662f|\u3042\u306a\u305f\u306f",
    re.IGNORECASE,
)
# Parts of what it looks for, one of which is in every match.
_ADDRESS_PARTS: Final = (
    *("you are ", "you're ", "your ", "act as", "answer", "respond", "reply", "assistant", "summari", "translate"),
    *("du bist", "sie sind", "tu es", "vous \u00eates", "eres", "sei un", "\u4f60\u662f", "\u3042\u306a\u305f\u306f"),
)
_FOREIGN: Final = re.compile(
    r"<(?:html|!doctype|div|span|table|body|svg|p|a)\b|\b(?:select\s.+\sfrom|insert\s+into|create\s+table|update\s+\w+\s+set)\b|^#!|"
    r"\bimport\s+\w+|\bdef\s+\w+\(|\bfunction\s+\w+\(|usage:|^\s*(?:fi|esac|done)\s*$|\\\\(?:begin|documentclass|newcommand)\b",
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


def names_text_for_people(name: str) -> bool:
    """Whether the name says that a text, whatever it reads like, is for people or none of prose."""
    return bool(set(words_of(name)) & _FOR_PEOPLE)


def names_talk(name: str) -> bool:
    """Whether the last word of a name says that it holds the messages of a conversation."""
    words = words_of(name)
    return bool(words) and words[-1] in _TALK


def names_talk_alone(name: str) -> bool:
    """Whether a name says no more than that it holds messages: not those of errors, nor the history of scores."""
    return names_talk(name) and _OF_TALK.issuperset(words_of(name))


def names_tools(name: str) -> bool:
    """Whether a function or variable of this name holds tools."""
    words = set(words_of(name))
    forms = _TOOL_FORMS if "tool" in words else _DEFINED if words & {"function", "functions"} else frozenset()
    return bool(words & _TOOLS) or bool(words & forms)


def names_models(code: str) -> bool:
    """Whether the source of a file has a word that goes with models and talk."""
    lowered = code.lower()
    return any(word in lowered for word in _MODELS) or any(word.search(lowered) for word in _MODEL)


def names_tool_use(code: str) -> bool:
    """Whether the source of a file has a word that goes with tools of models."""
    return _TOOL_USE.search(code) is not None


def may_address(code: str) -> bool:
    """Whether ``code`` may hold a text that tells its reader a role or a task: a fast test that never misses one."""
    lowered = code.lower()
    return any(part in lowered for part in _ADDRESS_PARTS)


def fixed_text(value: Written) -> str:
    """Return all fixed text of a value."""
    return "".join(part.text for part in value.parts if part.expression is None)


def is_speech(value: Written) -> bool:
    """Whether the fixed text of a value speaks to a model: sentences of some length, and no other language's source."""
    text = fixed_text(value)
    if _FOREIGN.search(text) or _LETTER.search(text):
        return False
    return len(SPEECH.findall(text)) >= LEAST_ORDERS and (len(text.split()) >= _LEAST_WORDS or len(text) >= 8 * _LEAST_WORDS)


def is_addressed(value: Written) -> bool:
    """Whether the fixed text of a value tells its reader a role or a task, as texts for people rarely do."""
    return ADDRESS.search(fixed_text(value)) is not None


def is_sentence(value: Written) -> bool:
    """Whether the fixed text of a value has words at all, and is no other language's source."""
    text = fixed_text(value)
    return len(text) >= 20 and not _FOREIGN.search(text)

"""Tell in microseconds that a file of Python has nothing to do with prompts.

A prompt that is found in code is sent by a library for models, is shaped like messages, is named like a prompt, or is long
natural text. The first three need one of a few words somewhere in the file; the last needs sentences in its literals. Docstrings
are sentences too, and are left out, as what names them is asked for by the words. A file that only imports a prompt needs no
words for its own sake: the other file is read for itself.
"""

from __future__ import annotations

import re
from itertools import accumulate, islice
from typing import Final

from radixlint.flow.python_scan import comments_and_literals
from radixlint.flow.unit_signs import ADDRESS, LEAST_ORDERS, SPEECH, may_address, names_models

# Parts of words, in lower case; the most frequent ones first.
_WORDS: Final = (
    "prompt",
    "openai",
    "anthropic",
    "chat",
    "instruct",
    "assistant",
    "completions.",
    "completion(",
    "system_m",
    "systemm",
    "generate_content",
    "generatecontent",
    "generatetext",
    "generateobject",
    "streamtext",
    "streamobject",
    "text_generation",
    "converse",
    "invoke_model",
    "responses.",
    "langchain",
    "langgraph",
    "llama",
    "crewai",
    "dspy",
    "sgl",
    "genai",
    "cohere",
    "mistral",
    "claude",
    "gemini",
    "haystack",
    "huggingface_hub",
    "semantic_kernel",
    "kernelfunction",
    "conversation",
    "fewshot",
    "preamble",
    "guideline",
    "messages.create",
    "messages.stream",
    "messages.count_",
    "messages.parse",
    "tool_call",
    "toolcall",
    "custom_id",
    "batches.create",
)
# Words that much other code has in another sense or as a part of others: itertools, personal, user_agent, filesystem.
# Each begins with fixed text, which is found fast.
_WORD: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"tool(?<![a-z]tool)s?(?![a-z])",
        r"agent(?<![a-z]agent)s?(?![a-z])(?<!user.agent)",
        r"persona(?<![a-z]persona)s?(?![a-z])",
        r"history(?<![a-z]history)(?![a-z])",
        r"shots(?<![a-z]shots)(?![a-z])",
        r"gpt(?<![a-z]gpt)",
        r"system(?<![a-z]system)(?:[\"']|[ ]?:[ ]|_(?:text|content|role|rules))",
    )
)
# Not ``fullmatch``.
_LLM: Final = re.compile(r"LLM|(?<![A-Za-z])llm|llms?(?![a-z])")
# A message says who speaks.
_MESSAGE: Final = re.compile(r"[\"']role[\"']|(?<![a-z])role[ ]*=[^=]")
# What is told to people at work, not to models.
_TOLD: Final = re.compile(r"raise |log|warn|print\(|help=|assert|error\(", re.IGNORECASE)
_LEAST_SPACES: Final = 3
_LEAST_PROSE: Final = 160
_MOST_AHEAD: Final = 200


def may_hold_prompts(code: str, is_about_models: bool | None = None) -> bool:
    """Whether ``code`` has a trace of a prompt: one of the words, or 160 code points in literals that speak to a model.

    Args:
        code: a file, or a part of one.
        is_about_models: whether the file names models; None if ``code`` is all of it.
    """
    if has_prompt_words(code) and has_prompt_words(_without_asides(code)):
        return True
    return _has_prose(code, is_about_models)


def has_prompt_words(code: str) -> bool:
    """Whether ``code``, of any language, has a word that goes with prompts."""
    lowered = code.lower()
    if any(word in lowered for word in _WORDS) or ("llm" in lowered and _LLM.search(code) is not None):
        return True
    return any(word.search(lowered) for word in _WORD) or ("role" in lowered and _MESSAGE.search(lowered) is not None)


def _without_asides(code: str) -> str:
    """Return ``code`` without comments and docstrings: what they speak of is not done there."""
    kept: list[str] = []
    at = 0
    for start, end in comments_and_literals(code):
        if code[start] == "#" or _is_docstring(code, start, code[max(0, start - _MOST_AHEAD) : start]):
            kept.append(code[at:start])
            at = end
    return "".join((*kept, code[at:]))


def _has_prose(code: str, is_about_models: bool | None) -> bool:
    """Whether literals that are neither docstrings nor told to people hold enough text that gives orders to a model.

    A text that no name calls a prompt counts as one if its file names models, or if it says to its reader who that is.
    """
    is_about_models = names_models(code) if is_about_models is None else is_about_models
    if not (is_about_models or may_address(code)):
        return False
    literals = [(a, b) for a, b in comments_and_literals(code) if code[a] != "#" and code.count(" ", a, b) >= _LEAST_SPACES]
    giving = [(a, b) for a, b in literals if SPEECH.search(code, a, b) and not _is_for_people(code, a)]
    orders = (1 for start, end in giving for _ in SPEECH.finditer(code, start, end))
    if sum(islice(orders, LEAST_ORDERS)) < LEAST_ORDERS:
        return False
    if not (is_about_models or any(ADDRESS.search(code, start, end) for start, end in giving)):
        return False
    lengths = (end - start for start, end in literals if not _is_for_people(code, start))
    return any(length >= _LEAST_PROSE for length in accumulate(lengths))


def _is_for_people(code: str, start: int) -> bool:
    """Whether the literal at ``start`` is a docstring or told to people at work."""
    ahead = code[max(0, start - _MOST_AHEAD) : start]
    return _is_docstring(code, start, ahead) or _TOLD.search(ahead, ahead.rfind("\n") + 1) is not None


def _is_docstring(code: str, start: int, ahead: str) -> bool:
    """Whether a literal of three quotes stands alone below ``def`` or ``class``, or at the top; ``ahead`` is the text before."""
    if not code.startswith(('"""', "'''"), start):
        return False
    ahead = ahead.rstrip("rRuU").rstrip(" \t")
    if ahead and not ahead.endswith("\n"):
        return False
    ahead = ahead.rstrip()
    return start <= _MOST_AHEAD if not ahead else ahead.endswith(":") and not ahead.endswith(("':", '":'))

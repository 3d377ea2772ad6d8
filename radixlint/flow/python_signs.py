"""Tell in microseconds that a file of Python has nothing to do with prompts.

A prompt that is found in code is sent by a library for models, is shaped like messages, is named like a prompt, or is long
natural text. The first three need one of a few words somewhere in the file; the last needs sentences in its literals. Docstrings
are sentences too, and are left out, as what names them is asked for by the words. A file that only imports a prompt needs no
words for its own sake: the other file is read for itself.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from radixlint.flow.python_scan import comments_and_literals
from radixlint.flow.unit_signs import LEAST_ORDERS, SPEECH

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
)
# Words that much other code has in another sense or as a part of others: itertools, personal, user_agent, filesystem.
_WORD: Final = re.compile(
    r"(?<![a-z])(?:tools?(?![a-z])|agents?(?![a-z])(?<!user.agent)(?<!useragent)|personas?(?![a-z])|history(?![a-z])|shots(?![a-z])|gpt"
    r"|system[\"']|system[ ]?:[ ]|system_(?:text|content|role|rules))"
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


def may_hold_prompts(code: str) -> bool:
    """Whether ``code`` has a trace of a prompt: one of the words, or 160 code points in literals that speak to a model."""
    return has_prompt_words(code) or _has_prose(code)


def has_prompt_words(code: str) -> bool:
    """Whether ``code``, of any language, has a word that goes with prompts."""
    lowered = code.lower()
    if any(word in lowered for word in _WORDS) or ("llm" in lowered and _LLM.search(code) is not None):
        return True
    return _WORD.search(lowered) is not None or ("role" in lowered and _MESSAGE.search(lowered) is not None)


def _has_prose(code: str) -> bool:
    """Whether literals that are neither docstrings nor told to people hold enough text, and enough of it gives orders."""
    found: list[tuple[int, int]] = []
    for start, end in comments_and_literals(code):
        if end - start <= _LEAST_SPACES or code[start] == "#" or code.count(" ", start, end) < _LEAST_SPACES:
            continue
        ahead = code[max(0, start - _MOST_AHEAD) : start]
        if not _is_docstring(code, start, ahead) and not _TOLD.search(ahead, ahead.rfind("\n") + 1):
            found.append((start, end))
    if sum(end - start for start, end in found) < _LEAST_PROSE:
        return False
    orders = (1 for start, end in found for _ in SPEECH.finditer(code, start, end))
    return sum(islice(orders, LEAST_ORDERS)) >= LEAST_ORDERS


def _is_docstring(code: str, start: int, ahead: str) -> bool:
    """Whether a literal of three quotes stands alone below ``def`` or ``class``, or at the top; ``ahead`` is the text before."""
    if not code.startswith(('"""', "'''"), start):
        return False
    ahead = ahead.rstrip("rRuU").rstrip(" \t")
    if ahead and not ahead.endswith("\n"):
        return False
    ahead = ahead.rstrip()
    return start <= _MOST_AHEAD if not ahead else ahead.endswith(":") and not ahead.endswith(("':", '":'))

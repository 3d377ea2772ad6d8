"""Signs that a text is written for a model: it addresses one, gives it orders, names roles, or ends where the answer starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from radixlint.late_pattern import late_pattern
from radixlint.sources._role_markers import has_marker_ahead

Sign = tuple[int, str]
"""A weight, from 1 to 3, and the sign's name in the words of the documentation."""

# "You are a ..." and "Your task is ..." at the start of a line or sentence, in the languages that prompts are often written in.
ADDRESS: Final = late_pattern(
    r"(?:^|[.!?:]\s)[^\w\n{}]*(?:"
    r"(?i:you are|you're)\s+(?:an?\b|the\b|our\b|[A-Z{])|Act as\b|I want you to\b|Your (?:task|job|role|goal) is\b"
    r"|Du bist\b|Sie sind (?:ein|der|die)|(?:Deine|Ihre) (?:Aufgabe|Rolle)\b"
    r"|Tu es\b|Vous êtes (?:une?|le|la|l['\u2019])|(?:Ta|Votre) (?:tâche|mission)\b"
    r"|Eres\b|Usted es\b|T[ue] tarea\b|Sei (?:un|il|la|l['\u2019])|Il tuo compito\b|Você é\b|Tu és\b|Sua tarefa\b"
    r"|Je bent\b|Jesteś\b|Twoim zadaniem\b|Du är\b|Sen bir\b"
    r"|(?:Ты|Вы)\s*[—\u2013-]|(?:Твоя|Ваша) задача\b|أنت\b)"
    r"|(?:^|[。\uff01\uff1f\s])(?:你是|您是|你的任务|请扮演|你是一|あなたは|あなたの役割|당신은|너는)",
    re.MULTILINE,
)
# What only a reader who must produce text is told to do.
_MAKE: Final = (
    r"answer|respond|reply|return|output|summari[sz]e|classify|translate|extract|rephrase|rewrite|paraphrase|cite|draft|generate|"
    r"write|compare|decide|judge|score|analy[sz]e|describe|explain|produce|identify|determine|label|categori[sz]e|pull|sort|list"
)
_RULE: Final = (
    r"never|always|use|leave|do not|don['\u2019]t|only use|keep|avoid|ignore|think|quote|mention|refuse|limit|give|"
    r"ask|stop|name|if (?:you|the user|they|unsure|in doubt)|when in doubt|be (?:brief|concise|kind|polite|honest)|read|report|"
    r"make|stay"
)
_START: Final = r"(?:^[ \t]*(?:[-*+>#]+[ \t]+|\d+[.)][ \t]+)*|[.!?:][ \t]+|[.!?]\n[ \t]*)"
_ORDER: Final = late_pattern(
    rf"{_START}(?:(?P<make>{_MAKE})|(?P<rule>{_RULE}))\b(?![ \t]*[:=(.\[])", re.MULTILINE | re.IGNORECASE
)
_OTHER_ORDER: Final = late_pattern(
    r"(?:^|[.!?:]\s)[^\w\n]*(?:Antworte|Gib|Nenne|Schreibe?|Erfinde|Verwende|Réponds|Répondez|Écris|Donne|Utilise|N['\u2019]utilise"
    r"|Ne donne|Responde|Escribe|No inventes|Usa|Rispondi|Scrivi|Responda|Escreva|Antwoord|Отвечай|Отвечайте|Не\s+\w+й(?:те)?)\b"  # noqa: RUF001  another alphabet
    r"|请|不要|只能|必ず|てください|하세요|하지 마",
    re.MULTILINE,
)
# "You migrate code ...": what it does, and not what a reader may, must or will.
_DOES: Final = late_pattern(
    r"(?:^|[.!?:]\s)[^\w\n{}]*You (?!(?:are|were|can|could|may|might|must|need|should|shall|will|would|have|had|do|did|get|want|"
    r"also|already|just|only|cannot|never|always|see|know|find)\b)[a-z]{3,}\s",
    re.MULTILINE,
)
_ORDERS_MIN, _RULES_MIN = 3, 4
_SUBJECT: Final = late_pattern(
    r"\b(?:(?:the|as|an?|this)\s+(?:[\w-]+\s){0,2}(?:assistant|chat\s?bot|bot|copilot|AI|agent)\b(?!['\u2019]?s\b)"
    r"|large language model|LLM|chain of thought|step by step|follow-up question|tool calls?)\b",
    re.IGNORECASE,
)
_ROLES: Final = late_pattern(
    r"<\|[\w ]{1,24}\|>|\[/?INST\]|<<SYS>>|^### ?(?:Instruction|Response|System|Human|Assistant)\b|"
    r"<message role=|\"role\"\s*:\s*\"(?:system|user|assistant)\"|^(?:Human|Assistant|AI):[ \t]*$",
    re.MULTILINE,
)
_VALUE: Final = r"\{{1,3}[^{}\n]{1,60}\}{1,3}"
# A label, then the value or the open answer, at the very end; or a value alone, maybe in tags or quotes of its own.
_ENDS: Final = late_pattern(
    rf"(?:^[ \t>*_#-]*[^\W\d_][^{{}}\n:\uff1a]{{0,40}}[:\uff1a][*_]*[ \t\n]*[\"'<(\[`]*{_VALUE}[\"'>)\]`.?!]*"
    rf"|^[ \t\"'`<\[(]*{_VALUE}[\"'>)\]`.?!]*(?:\s*(?:</?\w+>|```|\"\"\"))?"
    rf"|^[^\W\d_][\w ]{{0,30}}[:\uff1a])\s*\Z",
    re.MULTILINE,
)
_INPUTS: Final = late_pattern(
    r"(?<![A-Za-z])(?:user_)?(?:question|query|(?:chat_|conversation_)?history|user_(?:input|message|request|prompt)|context|"
    r"passages?|retrieved\w*|documents|transcript|persona|instructions|tools?_\w+|tools|conversation|memory|goal)(?![A-Za-z])",
    re.IGNORECASE,
)
_VALUES: Final = late_pattern(r"\{\{?[^{}\n]{1,80}\}|\{%[^{}\n]{1,120}%\}")
ADDRESSED: Final = "it addresses a model"
_TAIL_CHARS: Final = 400
_HEAD_CHARS: Final = 8_000


def speech_signs(text: str) -> Iterator[Sign]:
    """Yield each sign that ``text`` is for a model, of weight 1 or 2."""
    head = text[:_HEAD_CHARS]
    if ADDRESS.search(head):
        yield 2, ADDRESSED
    if _ROLES.search(head) or has_marker_ahead(text):
        yield 2, "it names roles"
    makes, rules = _orders(head)
    if (makes and makes + rules >= _ORDERS_MIN) or rules >= _RULES_MIN:
        yield 2, "it gives orders for an answer"
    elif makes or rules >= _RULES_MIN - 1:
        yield 1, "it gives a few orders"
    if _DOES.search(head):
        yield 1, "it says what a model does"
    if _SUBJECT.search(head):
        yield 1, "it speaks of an assistant"
    if _ENDS.search(text.rstrip()[-_TAIL_CHARS:]):
        yield 1, "it ends where its input stands or the answer starts"
    if any(_INPUTS.search(value[0]) for value in _VALUES.finditer(text)):
        yield 1, "its values are named as inputs of models"


def _orders(text: str) -> tuple[int, int]:
    """Return how many different orders there are to make text, and how many other rules."""
    found = list(_ORDER.finditer(text))
    makes = len({match["make"].lower() for match in found if match["make"]})
    rules = sum(1 for match in found if match["rule"])
    others = sum(1 for _ in _OTHER_ORDER.finditer(text))
    return makes + min(others, 1), rules + max(others - 1, 0)

"""Weigh the signs that a file is a prompt against the signs that it is none, so that each choice can be explained."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Confidence, Control, Prompt, Segment, SourceText
from radixlint.sources._model_speech import ADDRESS, ADDRESSED, Sign, speech_signs
from radixlint.sources._other_signs import letter_signs, other_signs, text_signs, without_html

_HEAD_CHARS: Final = 4_000
# Longer texts with fields are manuals, in which orders and names that prompts use occur by chance.
_LONGEST_CHARS: Final = 20_000
_NAMED: Final = late_pattern(
    r"(?:^|[/_.-])(?:(?:system|user)[-_])?(?:prompts?|llm)(?=[/_.-])|(?:^|/)(?:system|persona|instructions?)\.\w+$"
)
_MARKED: Final = late_pattern(r"radixlint:[ \t]*prompt\b(?![\w-])")
_FRONT: Final = late_pattern(r"---\n.*?^---$", re.MULTILINE | re.DOTALL)
_PAGE: Final = late_pattern(r"\{\{|\{%|^(?:layout|permalink|license|sidebar\w*|slug|draft|nav_order):", re.MULTILINE)
# Braces of others: of git and the shell, directives in front of a code span, types such as ``{Object}`` and ``{http.Agent}``.
_FOREIGN: Final = late_pattern(
    r"[$@%#\\]\{[^{}\n]*\}|(?<!`)\{[^{}\n]*\}`(?=[^`\s.,;:!?)])"
    r"|\{(?:\w+(?:\.\w+)*\.[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|Object|Function|Error|Array|Buffer|Map|Set|Promise|Date|"
    r"String|Number|Boolean|Symbol|Iterable|string|number|integer|boolean|any|object|function|undefined|null|void|bigint|symbol)\}"
)
_FENCED: Final = late_pattern(
    r"^[ \t]{0,3}(?P<fence>```+|~~~+)[^\n]*\n(?P<body>.*?)(?:^[ \t]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_INLINE: Final = late_pattern(r"(?<!`)`([^`\n]+)`(?!`)")
_FIELD: Final = late_pattern(r"\{[^\W\d]\w*[^{}\n]{0,60}\}")
_ALONE: Final = late_pattern(r"""\s*["'<(\[]?\{{1,2}[\w. \[\]]+\}{1,2}["'>)\].?!]*\s*""")


_SAID: Final = "its name or folder says prompt"


_KEYED: Final = "its key says prompt"


class Choice(Enum):
    """What a file is taken for."""

    PROMPT = auto()
    DOUBTED = auto()
    OTHER = auto()


class Judgement(Struct, frozen=True):
    """A choice and its reason, half a sentence."""

    choice: Choice
    reason: str = ""

    @property
    def is_other(self) -> bool:
        """Whether the file is no prompt."""
        return self.choice is Choice.OTHER

    @property
    def is_sure(self) -> bool:
        """Whether the file is surely a prompt."""
        return self.choice is Choice.PROMPT

    def told(self, prompts: Iterable[Prompt]) -> tuple[Prompt, ...]:
        """Return ``prompts`` as they are, or with every part doubted: what is found in them is a word and no fault."""
        if self.choice is not Choice.DOUBTED:
            return tuple(prompts)
        return tuple(replace(prompt, segments=doubted(prompt.segments, self.reason)) for prompt in prompts)


SURE: Final = Judgement(Choice.PROMPT)


def doubted(segments: Iterable[Segment], reason: str) -> tuple[Segment, ...]:
    """Return ``segments``, and the loops and conditions around them, with low confidence for ``reason``."""

    def weak(control: Control) -> Control:
        return replace(control, confidence=Confidence.LOW, reason=reason)

    return tuple(
        replace(s, confidence=Confidence.LOW, reason=reason, controls=tuple(map(weak, s.controls)) if s.controls else ())
        for s in segments
    )


def judge_template(source: SourceText) -> Judgement:
    """Judge a file of a template language: a prompt unless more signs speak against it than for it."""
    path = _path(source)
    against = list(other_signs(path, source.text))
    if not against or _MARKED.search(source.text):
        return SURE
    return _weighed(_signs_for(path, without_html(source.text)), against, needed=0, span=2)


def judge_text(source: SourceText) -> Judgement:
    """Judge text with ``{name}`` fields: a prompt if signs speak for it, doubted if little does."""
    path = _path(source)
    if _MARKED.search(source.text):
        return SURE
    text = _FOREIGN.sub("", source.text)
    shown = text if path.endswith(".txt") else _without_code(text)
    if not _FIELD.search(shown) or is_page(source):
        return Judgement(Choice.OTHER)
    found = _signs_for(path, shown)
    against = [*other_signs(path, text), *text_signs(path, shown)]
    if len(shown) > _LONGEST_CHARS and not {_SAID, ADDRESSED} & {words for _, words in found}:
        against.append((3, "it is long and speaks to nobody"))
    return _weighed(found, against, needed=2, span=1)


def judge_field(text: str, named: int) -> Judgement:
    """Judge a text of a settings file; ``named``, -1 to 2, is how much its key says that it is a prompt."""
    return _weighed([(named, _KEYED), *speech_signs(text)], list(letter_signs(text)), needed=2, span=1)


def is_page(source: SourceText) -> bool:
    """Whether Markdown with front matter is a page or card that a site or hub fills in, and no text for a model."""
    front = _FRONT.match(source.text)
    return (
        front is not None
        and _PAGE.search(front[0]) is not None
        and not ADDRESS.search(source.text, 0, _HEAD_CHARS)
        and not _NAMED.search(_path(source))
    )


def _signs_for(path: str, text: str) -> list[Sign]:
    return [*([(2, _SAID)] if _NAMED.search(path) else []), *speech_signs(text)]


def _weighed(found: list[Sign], against: list[Sign], needed: int, span: int) -> Judgement:
    """Choose by the sums of the weights: ``needed`` must be left for a sure prompt, ``span`` less for a doubted one."""
    rest = sum(weight for weight, _ in found) - sum(weight for weight, _ in against)
    if rest >= needed:
        return SURE
    reason = max(against)[1] if against else "nothing says that it is for a model"
    is_doubted = rest >= needed - span or any(words == _SAID for _, words in found)
    return Judgement(Choice.DOUBTED if is_doubted else Choice.OTHER, f"may be no prompt: {reason}")


def _path(source: SourceText) -> str:
    return source.path.replace("\\", "/").lower()


def _without_code(text: str) -> str:
    """Return Markdown without code, but for code that is nothing but one field."""
    bare = _FENCED.sub(lambda fence: fence["body"] if _ALONE.fullmatch(fence["body"].strip()) else "", text)
    return _INLINE.sub(lambda code: code[0] if _ALONE.fullmatch(code[1]) else "", bare)

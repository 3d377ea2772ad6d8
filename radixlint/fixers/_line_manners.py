"""Whether a line of a prompt can be moved by itself, judged by the lines beside it: never a part of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from radixlint.late_pattern import late_pattern

_VALUE: Final = late_pattern(r"\{\{.*?\}\}|\$?\{[^{}]*\}")
_ITEM: Final = late_pattern(r"(?:[-*+•]|\d+[.)])\s")
_HEADING: Final = late_pattern(r"#{1,6}\s")
_OPENING: Final = late_pattern(r"<[A-Za-z][\w.-]*(?:\s[^<>]*)?>\Z")
_LABEL: Final = late_pattern(r"[^\W\d_][^:.!?]{0,40}:\s")
_CLOSED: Final = late_pattern(r"[.!?;:)\]}>\"'*`|…]\Z")
# Says to the model who it is. Such a sentence opens a prompt, also in the tongues that prompts are often written in.
_ROLE: Final = late_pattern(
    r"(?i:\byou(?: are|['\u2019]re)(?: now)?\s+(?:an?|the|our|my)\b|\bact(?:ing)? as\b|\byour (?:role|name|job|task|persona) is\b"
    r"|\bdu bist (?:eine?|der|die|das)\b|\bsie sind (?:eine?|der|die|das)\b|\b(?:tu es|vous êtes) (?:une?|l[ea'\u2019])"
    r"|\beres (?:una?|el|la)\b|\bvocê é (?:uma?|o|a)\b|\b(?:tu )?sei (?:una?|un['\u2019]|il|la)\b|你是|您是|あなたは|당신은)"
    r"|\b[Yy]ou(?: are|['\u2019]re)\s+(?:\{\{|\$?\{|[A-Z])"
)
_FENCE: Final = ("```", "~~~")
_SHORT_CHARACTERS: Final = 40


def stands_alone(line: str, before: str | None, after: str | None) -> bool:
    """Whether a line says something by itself; ``before`` and ``after`` are its neighbours, None at the ends of the text."""
    text = line.strip()
    return _is_apart_from(text, (before or "").strip()) and _is_whole(line, after or "") and not _frames_alone(before, after)


def _is_apart_from(text: str, before: str) -> bool:
    if not before or _ITEM.match(text):
        return True
    if before.endswith(":") or _OPENING.match(before) or before.startswith(_FENCE):
        return False
    is_fresh = not _VALUE.match(text) and not text[0].islower()
    return _is_closed(before) or (is_fresh and len(before) <= _SHORT_CHARACTERS)


def _is_whole(line: str, after: str) -> bool:
    text, behind = line.strip(), after.strip()
    if _VALUE.sub("x", text).endswith(":"):
        return False
    if not behind:
        return True
    if _indent(after) > _indent(line):
        return False
    if _is_closed(text) or _ITEM.match(behind):
        return True
    return not behind[0].islower() and len(text) <= _SHORT_CHARACTERS


def _frames_alone(before: str | None, after: str | None) -> bool:
    """Whether the line is all there is under a heading, which would be left with nothing."""
    is_first = bool(before and _HEADING.match(before.strip()))
    is_last = after is None or not after.strip() or bool(_HEADING.match(after.strip()))
    return is_first and is_last


def _is_closed(text: str) -> bool:
    return bool(_CLOSED.search(text) or _ITEM.match(text) or _HEADING.match(text) or (_LABEL.match(text) and len(text) <= 60))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def says_role(lines: Iterable[str]) -> bool:
    """Whether a line says to the model who it is: "You are the clerk of {{ town }}"."""
    return any(_ROLE.search(line) for line in lines)


def is_cue(line: str) -> bool:
    """Whether a line asks the model to go on behind it: ``Answer:``."""
    text = line.strip()
    return text.endswith(":") and not _VALUE.search(text) and len(text) <= _SHORT_CHARACTERS


def is_enclosed(ahead: list[str]) -> bool:
    """Whether a fence or a tag that stands alone on a line ``ahead`` is still open."""
    is_fenced, names = False, list[str]()
    for line in ahead:
        text = line.strip()
        if text.startswith(_FENCE):
            is_fenced = not is_fenced
        elif found := re.fullmatch(r"<(/?)([A-Za-z][\w.-]*)(?:\s[^<>]*)?>", text):
            if not found[1]:
                names.append(found[2])
            elif found[2] in names:
                names.remove(found[2])
    return is_fenced or bool(names)

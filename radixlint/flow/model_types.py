"""What an annotation says that counts here: the type itself, without quotes, ``Optional`` and marks around it."""

from __future__ import annotations

import re
from typing import Final

_AROUND: Final = re.compile(
    r"^(?:typing\.|typing_extensions\.|t\.)?(?:Optional|Annotated|Final|ClassVar|Required|NotRequired|ReadOnly|Awaitable)\[(.*)\]$",
    re.DOTALL,
)
_NOTHING: Final = re.compile(r"^None\s*\|\s*|\s*\|\s*None$")
_UNION: Final = re.compile(r"^(?:typing\.|t\.)?Union\[(?:\s*None\s*,\s*(?P<behind>.*)|(?P<ahead>.*),\s*None\s*)\]$", re.DOTALL)
_MAPPING: Final = re.compile(
    r"^(?:[\w.]+\.)?(?:[dD]ict|Mapping|MutableMapping|OrderedDict|[dD]efault[dD]ict)\[(.*)\]$", re.DOTALL
)
_COROUTINE: Final = re.compile(r"^(?:[\w.]+\.)?Coroutine\[[^,]*,[^,]*,\s*(.*)\]$", re.DOTALL)
_ROUNDS_MAX: Final = 6
_LENGTH_MAX: Final = 200


def plain_type(annotation: str) -> str:
    """Return the type that an annotation names: ``set[str]`` for ``"Optional[set[str]]"``."""
    if len(annotation) > _LENGTH_MAX:
        return annotation
    found = annotation.strip()
    for _ in range(_ROUNDS_MAX):
        before = found
        found = _NOTHING.sub("", found.strip("\"' \t\n"))
        around = _AROUND.match(found)
        if around is not None:
            found = _first_argument(around[1]) if "Annotated[" in found[: around.start(1)] else around[1]
        union = _UNION.match(found)
        found = (union["behind"] or union["ahead"]) if union is not None else found
        coroutine = _COROUTINE.match(found)
        found = coroutine[1] if coroutine is not None else found
        if found == before:
            break
    return found


def value_type(annotation: str) -> str:
    """Return the type of the values of an annotated mapping: ``set[str]`` for ``dict[str, set[str]]``; empty if it is none."""
    mapping = _MAPPING.match(plain_type(annotation))
    return mapping[1].removeprefix(_first_argument(mapping[1])).lstrip(", ") if mapping is not None else ""


def _first_argument(arguments: str) -> str:
    depth = 0
    for at, sign in enumerate(arguments):
        depth += (sign in "[(") - (sign in "])")
        if sign == "," and depth == 0:
            return arguments[:at]
    return arguments

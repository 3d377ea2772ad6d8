"""What an annotation says that counts here: the type itself, without quotes, ``Optional`` and marks around it."""

from __future__ import annotations

import re
from typing import Final

_AROUND: Final = re.compile(
    r"^(?:typing\.|typing_extensions\.|t\.)?(?:Optional|Annotated|Final|ClassVar|Required|NotRequired|ReadOnly|Awaitable)\[(.*)\]$",
    re.DOTALL,
)
_NOTHING: Final = re.compile(r"^None\s*\|\s*|\s*\|\s*None$")
_COROUTINE: Final = re.compile(r"^(?:[\w.]+\.)?Coroutine\[[^,]*,[^,]*,\s*(.*)\]$", re.DOTALL)
_ROUNDS_MAX: Final = 6


def plain_type(annotation: str) -> str:
    """Return the type that an annotation names: ``set[str]`` for ``"Optional[set[str]]"``."""
    found = annotation.strip()
    for _ in range(_ROUNDS_MAX):
        before = found
        found = _NOTHING.sub("", found.strip("\"' \t\n"))
        around = _AROUND.match(found)
        if around is not None:
            found = _first_argument(around[1]) if "Annotated[" in found[: around.start(1)] else around[1]
        coroutine = _COROUTINE.match(found)
        found = coroutine[1] if coroutine is not None else found
        if found == before:
            break
    return found


def _first_argument(arguments: str) -> str:
    depth = 0
    for at, sign in enumerate(arguments):
        depth += (sign in "[(") - (sign in "])")
        if sign == "," and depth == 0:
            return arguments[:at]
    return arguments

"""A regular expression that is compiled when it is first used: most runs use few of the patterns that modules name."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


class _LatePattern:
    """Stands in for a compiled pattern until one of its attributes is asked for; then it has those of the pattern."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._written = pattern, flags

    def __getattr__(self, name: str) -> Any:  # asked for what is not there yet only, so later uses cost nothing
        if name.startswith("_"):  # a copy that is being made has nothing yet
            raise AttributeError(name)
        compiled = re.compile(*self._written)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what ``re.compile`` would, for its methods and attributes; a faulty pattern raises when it is first used."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))

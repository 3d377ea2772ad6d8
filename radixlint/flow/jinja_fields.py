"""The fields and loops of a Jinja template that stands in a program: what each prints, and in which order a mapping comes."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from radixlint.prompt import Chance, Expression, Segment, Taint

JINJA: Final = re.compile(
    r"\{[%#].*?[%#]\}|\{\{-?\s*\$?(?P<name>[A-Za-z_][\w.]*)(?P<call>\([^{}]*\))?(?P<filters>(?:\s*\|\s*\w+(?:\([^{}]*?\))?)*)\s*-?\}\}",
    re.DOTALL,
)
_FILTER: Final = re.compile(r"\|\s*(\w+)")
_FOR: Final = re.compile(r"\{%[-+]?\s*for\s+([\w\s,()]+?)\s+in\s+(.+?)\s*[-+]?%\}", re.DOTALL)
_END: Final = re.compile(r"\{%[-+]?\s*endfor\b")
_PATH: Final = re.compile(r"[A-Za-z_][\w.]*")
_VIEW: Final = re.compile(r"\.(?:items|keys|values)\(\s*\)")
_SORTS: Final = re.compile(r"\|\s*(?:dict)?sort\b")
_NUMBERS: Final = "range"


class JinjaFields:
    """Reads the tags of one text in their order: a name that a loop binds stands for what the loop goes over."""

    def __init__(self) -> None:
        self._loops: list[tuple[frozenset[str], str]] = []

    def field(self, match: re.Match[str], place: Segment) -> tuple[Segment, ...]:
        """Return what stands for a tag: the value that it prints, the order of a mapping that it loops over, or nothing."""
        name = match["name"]
        if name is None:
            return self._tag(match.group(), place)
        named = self.followed(name)
        names, calls = ((), (name,)) if match["call"] else ((named,) if named else (), ())
        filters = tuple(_FILTER.findall(match["filters"]))
        return (replace(place, expression=Expression(match.group(), names, calls, filters), offsets=()),)

    def followed(self, name: str) -> str:
        """Return a name with what loops bind followed to what they go over, empty if that is written out."""
        root, dot, rest = name.partition(".")
        path = next((path for names, path in reversed(self._loops) if root in names), None)
        if path is None:
            return name
        return path and f"{path}{dot}{rest}"

    def _tag(self, tag: str, place: Segment) -> tuple[Segment, ...]:
        loop = _FOR.match(tag)
        if loop is None:
            if self._loops and _END.match(tag):
                self._loops.pop()
            return ()
        found = _PATH.match(loop[2])
        view = _VIEW.search(loop[2])
        path = found[0] if found is not None else ""
        if view is not None and found is not None and found.end() > view.start():
            path = loop[2][: view.start()]
        path = "" if path == _NUMBERS else self.followed(path)
        self._loops.append((frozenset((*_PATH.findall(loop[1]), "loop")), path))
        if view is None or not path or _SORTS.search(loop[2]):
            return ()
        return (replace(place, text="", taints=(Taint(Chance.MAPPING, place.span, loop[2]),), offsets=()),)

"""Which functions of a file may have to do with a prompt, so that only they are evaluated as if called from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from radixlint.flow.program import Assign, Class, Define, Function, Import, Module, Name, Node

# A name, with the dot ahead of it where it is an attribute.
_NAMES: Final = re.compile(r"\.?(?<!\w)[^\W\d]\w*")
_ROUNDS_MAX: Final = 4
# Methods that no code names: those that run where an object is made, called, entered or printed go by its class.
_UNNAMED: Final = re.compile(r"__\w+__\Z")
_BY_CLASS: Final = frozenset(
    ("__init__", "__new__", "__post_init__", "__call__", "__enter__", "__aenter__", "__str__", "__repr__")
)

Names = frozenset[str]
HasTrace = Callable[[str], bool]
ReadModule = Callable[[str, str], str | None]


class Signs:
    """Functions that show a trace of a prompt, or name something of the file that does.

    ``has_trace`` tells code that has one; without it every function counts. ``read`` returns the source of a module of the tree,
    given its name and the path of the file that imports it. A function that does not count is still followed where another one
    calls it.
    """

    def __init__(self, module: Module, has_trace: HasTrace | None, read: ReadModule | None = None) -> None:
        self._module = module
        # A neighbour is asked about once for each name that is imported from it.
        self._has_trace = has_trace = cache(has_trace) if has_trace is not None else None
        self._read = read
        self._names: set[str] = set()
        self._told: dict[int, bool] = {}
        if has_trace is not None:
            self._spread(list(self._definitions(module.body)), has_trace)

    def _definitions(self, body: tuple[Node, ...], owner: str = "") -> Iterator[tuple[Names, str, Function | None]]:
        """Yield what may be named from elsewhere: its names, its source, and the function that it is."""
        for node in body:
            if isinstance(node, Class):
                yield from self._definitions(node.body, node.name)
                first = node.body[0].start if node.body else node.end
                yield _named(node.name, owner), self._module.passage.text[node.start : first], None
            elif isinstance(node, Define):
                yield _named_function(node.function.name, owner), self._text(node.function), node.function
            elif isinstance(node, Assign):
                names = [_named(target.name, owner) for target in node.targets if isinstance(target, Name)]
                yield frozenset().union(*names), self._text(node), None
            elif isinstance(node, Import):
                yield from self._imported(node)
            elif owner:
                yield _named(owner), self._text(node), None

    def _imported(self, node: Import) -> Iterator[tuple[Names, str, Function | None]]:
        if not node.module.startswith("."):
            yield frozenset().union(*(_named(here) for _, here in node.names)), self._text(node), None
            return
        for there, here in node.names:
            # What a neighbour gives may be a prompt whatever it is called.
            if self._is_given(node.module, there):
                self._names |= _named(here)

    def _is_given(self, module: str, name: str) -> bool:
        """Whether ``name`` of a neighbour may be a prompt: not if the file that defines it has no trace of one."""
        if self._read is None or self._has_trace is None or name == "*":
            return True
        path = self._module.path
        inner = self._read(f"{module}{name}" if module.endswith(".") else f"{module}.{name}", path)
        if inner is not None:
            return self._has_trace(inner)
        source = self._read(module, path)
        if source is None:
            return False
        is_own = re.search(rf"^(?:(?:async[ ]+)?def|class)[ ]+{name}\b|^{name}[ ]*[:=]", source, re.MULTILINE) is not None
        return not is_own or self._has_trace(source)

    def _spread(self, definitions: list[tuple[Names, str, Function | None]], has_trace: HasTrace) -> None:
        open_: list[tuple[Names, set[str]]] = []
        for names, text, function in definitions:
            is_traced = has_trace(text)
            if function is not None:
                self._told[id(function)] = is_traced
            if is_traced:
                self._names |= names
            else:
                open_.append((names, set(_NAMES.findall(text))))
        for _ in range(_ROUNDS_MAX):
            found = [names for names, words in open_ if not words.isdisjoint(self._names - names)]
            if not found:
                break
            self._names.update(*found)
            open_ = [(names, words) for names, words in open_ if not names <= self._names]

    def _text(self, node: Node) -> str:
        return self._module.passage.text[node.start : node.end]

    def shows(self, text: str) -> bool:
        """Whether code of another file shows a trace of a prompt."""
        return self._has_trace is None or self._has_trace(text)

    def has(self, function: Function) -> bool:
        """Whether ``function`` is to be evaluated for itself."""
        if self._has_trace is None:
            return True
        text = self._text(function)
        is_traced = self._told.get(id(function))
        if is_traced is None:
            is_traced = self._has_trace(text)
        return is_traced or not self._names.isdisjoint(_NAMES.findall(text))


def _named(name: str, owner: str = "") -> Names:
    """Return how other code writes a name of a module, or of a class."""
    return frozenset((f".{name}",)) if owner else frozenset((name, f".{name}"))


def _named_function(name: str, owner: str) -> Names:
    if not owner or not _UNNAMED.match(name):
        return _named(name, owner)
    return _named(owner) if name in _BY_CLASS else frozenset()

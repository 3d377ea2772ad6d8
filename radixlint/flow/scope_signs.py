"""Which functions of a file may have to do with a prompt, so that only they are evaluated as if called from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from radixlint.flow.program import Assign, Class, Define, Function, Import, Module, Name, Node

_NAMES: Final = re.compile(r"[^\W\d]\w*")
_ROUNDS_MAX: Final = 6


class Signs:
    """Functions that show a trace of a prompt, or name something of the file that does.

    ``has_trace`` tells code that has one; without it every function counts. A function that does not count is still followed
    where another one calls it.
    """

    def __init__(self, module: Module, has_trace: Callable[[str], bool] | None) -> None:
        self._module = module
        self._has_trace = has_trace
        self._names: set[str] = set()
        if has_trace is not None:
            self._spread(list(self._definitions(module.body)))

    def _definitions(self, body: tuple[Node, ...]) -> Iterator[tuple[frozenset[str], Node]]:
        for node in body:
            if isinstance(node, Class):
                yield from self._definitions(node.body)
                yield frozenset({node.name}), node
            elif isinstance(node, Define):
                yield frozenset({node.function.name}), node
            elif isinstance(node, Assign):
                yield frozenset(target.name for target in node.targets if isinstance(target, Name)), node
            elif isinstance(node, Import):
                named = frozenset(here for _, here in node.names)
                if node.module.startswith("."):
                    # What a neighbour gives may be a prompt whatever it is called.
                    self._names |= named
                else:
                    yield named, node

    def _spread(self, definitions: list[tuple[frozenset[str], Node]]) -> None:
        open_: list[tuple[frozenset[str], set[str]]] = []
        for names, node in definitions:
            text = self._text(node)
            if self._has_trace is None or self._has_trace(text):
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

    def has(self, function: Function) -> bool:
        """Whether ``function`` is to be evaluated for itself."""
        if self._has_trace is None or function.name in self._names:
            return True
        text = self._text(function)
        return self._has_trace(text) or not self._names.isdisjoint(_NAMES.findall(text))

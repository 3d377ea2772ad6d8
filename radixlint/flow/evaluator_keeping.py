"""What outlives a prompt keeps what was drawn for it: modules, classes, objects, closures and caches."""

from __future__ import annotations

import re
from typing import Final

from radixlint.flow.evaluator_base import EvaluatorBase
from radixlint.flow.evaluator_frames import Closure
from radixlint.flow.keeping import CACHES, OBJECT, PROCESS, kept_data
from radixlint.flow.program import Assign, Bound, Either, Item, Member, Name, Node
from radixlint.flow.scope import ModuleSpace, Space
from radixlint.flow.values import Callback, Instance, Listed, Mapped, Several, Unknown, Value, Written
from radixlint.prompt import ControlKind

_DATA: Final = frozenset((Unknown, Written, Listed, Mapped, Several, Instance))
_HOLDERS: Final = frozenset((Instance, Callback))
_EMPTY: Final = re.compile(
    r"(?:not\s+|!\s*)(?P<not_>\S+)|(?P<is_>\S+)\s+(?:is\s+None|===?\s*(?:null|undefined))|(?P<key>\S+)\s+not\s+in\s+(?P<where>\S+)"
)


class Keeping(EvaluatorBase):
    """Tells values that are drawn once from those that are drawn for each prompt.

    The body of a module runs once a process, so what a function finds there is kept by the process. The body itself reads it as
    drawn where it is read: a script that draws and sends has no other prompt.
    """

    def keep(self, value: Value, keeper: str) -> Value:
        """Return ``value`` as kept by ``keeper``, and what objects and closures in it hold."""
        if self.keeping:
            return kept_data(value, keeper, lambda other: self._keep_inside(other, keeper))
        self.keeping.add(id(value))
        kept = kept_data(value, keeper, lambda other: self._keep_inside(other, keeper))
        self.keeping.clear()
        return kept

    def _keep_inside(self, value: Value, keeper: str) -> Value:
        if isinstance(value, Instance) and value.identity:
            self.keep_space(self.objects[value.identity][0], keeper)
        elif isinstance(value, Callback) and isinstance(value.target, Closure):
            space: Space | None = value.target.space
            while space is not None and not space.is_class and not isinstance(space, ModuleSpace):
                self.keep_space(space, keeper)
                space = space.outer
            if isinstance(value.target.receiver, Instance):
                self._keep_inside(value.target.receiver, keeper)
        return value

    def keep_space(self, space: Space, keeper: str) -> None:
        """Let all that ``space`` binds be kept by ``keeper``; what is met again on the way is kept already."""
        if id(space) in self.keeping:
            return
        is_first = not self.keeping
        self.keeping.add(id(space))
        for name, value in list(space.bound.items()):
            kept = self.keep(value, keeper)
            if kept is not value:
                self.store.write(space, name, kept)
        if is_first:
            self.keeping.clear()

    def keep_what_is_bound(self) -> None:
        """Let what the names of the code that is run hold be kept as a loop begins, which does not draw it.

        What a module has drawn by then is kept by the process; in a function this is so of what objects hold.
        """
        space, is_body = self.frame.space, self.frame.function is None
        for name, value in list(space.bound.items()):
            if type(value) is Instance and value.identity:
                self._keep_inside(value, PROCESS if is_body else OBJECT)
            elif is_body and type(value) in _DATA and (kept := self._kept_once(value)) is not value:
                self.store.write(space, name, kept)

    def _kept_once(self, value: Value) -> Value:
        """Return ``value`` as kept by the process; it is held, so that no other takes its place in memory."""
        known = self.once.get(id(value))
        if known is None:
            known = self.once[id(value)] = value, self.keep(value, PROCESS)
        return known[1]

    def as_bound(self, value: Value) -> Value:
        """Let an object or closure that the body of a module or class binds keep what it holds; return the value."""
        if self.frame.function is None and type(value) in _HOLDERS:
            self._keep_inside(value, PROCESS)
        return value

    def as_read(self, value: Value, space: Space, name: str) -> Value:
        """Return what a function finds in a name of a module, unless it gave it that value itself."""
        is_data = type(value) in _DATA or (type(value) is Callback and value.bound)
        if not is_data or self.frame.function is None or not isinstance(space, ModuleSpace):
            return value
        kept = self._kept_once(value)
        if kept is value:
            return value
        mark = next(frame.mark for frame in self.frames if frame.function is not None)
        return value if (space, name) in self.store.changes(mark) else kept

    def as_told(self, value: Value) -> Value:
        """Return a value that is no part of a request yet: what the body of a module has made is kept for all requests.

        What a loop there makes is made anew each time.
        """
        return self.keep(value, PROCESS) if self.frame.function is None and not self.frame.loops else value

    def as_filled(self, target: Node, value: Value, node: Node) -> Value:
        """Return what a name, attribute or item is given that is filled where it is empty, and lives on."""
        if not self._asks_for(target) and not self._is_default(target, node):
            return value
        keeper = self._keeper_of(target)
        return self.keep(value, keeper) if keeper else value

    def _is_default(self, target: Node, node: Node) -> bool:
        """Whether ``node`` is ``target ??= value``, or ``target = target or value``."""
        made = node.value if isinstance(node, Assign | Bound) else None
        return isinstance(made, Either) and made.operator != "and" and self.text(made.operands[0]) == self.text(target)

    def _asks_for(self, target: Node) -> bool:
        """Whether the innermost condition around asks if ``target`` is empty."""
        last = self.frame.under[-1] if self.frame.under and self.frame.function is not None else None
        if last is None or last.kind is not ControlKind.CONDITION or last.branch:
            return False
        asked = _EMPTY.fullmatch(last.expression.text)
        if asked is None:
            return False
        name = f"{asked['where']}[{asked['key']}]" if asked["key"] else asked["not_"] or asked["is_"]
        return name == self.text(target)

    def _keeper_of(self, target: Node) -> str:
        """Return what keeps a name, attribute or item longer than the function that is run, empty if nothing does."""
        is_own = isinstance(target, Name)
        while isinstance(target, Item):
            target = target.base
        if isinstance(target, Member):
            return PROCESS if isinstance(self.evaluate(target.base), Callback) else OBJECT
        if not isinstance(target, Name):
            return ""
        space = self.frame.space.outside.get(target.name) if is_own else self.frame.space.holder(target.name)
        if space is None or space is self.frame.space:
            return ""
        return PROCESS if isinstance(space, ModuleSpace) else OBJECT

    def as_given_back(self, value: Value) -> Value:
        """Return what a function gives, as its decorators keep it."""
        function = self.frame.function
        for word in function.decorators if function is not None else ():
            keeper = CACHES.get(word.rpartition(".")[2])
            if keeper is not None:
                return self.keep(value, keeper)
        return value

"""Methods that a class only names: what the classes below it that fill them in give, else what their name and arguments say."""

from __future__ import annotations

from abc import abstractmethod

from msgspec.structs import replace

from radixlint.flow.evaluator_base import Named, Values, dotted
from radixlint.flow.evaluator_frames import Closure
from radixlint.flow.evaluator_library import LibraryCalls
from radixlint.flow.program import Call, Function, Member
from radixlint.flow.stubs import filled
from radixlint.flow.values import Callback, Instance, Unknown, Value


class StubCalls(LibraryCalls):
    """Evaluates calls of which the tree has no code, or has it in classes below."""

    @abstractmethod
    def _of_tree(self, node: Call, callee: Callback, name: str, positional: Values, named: Named) -> Value:
        """Return what a function of the tree gives."""

    @abstractmethod
    def _method_name(self, callee: Member, base: Value) -> str:
        """Return the dotted name of a method of ``base``."""

    @abstractmethod
    def _as_declared(self, result: Value, function: Function) -> Value:
        """Return a value that is not known as of the type that a function says it gives."""

    def _of_stub(self, node: Call, callee: Callback, stub: Closure, positional: Values, named: Named) -> Value:
        """Return what a call of a function without a body of its own gives."""
        name, receiver = dotted(node.callee) or callee.name, stub.receiver
        found = filled(stub)
        if found:
            values = [self._of_tree(node, replace(callee, target=each), name, positional, named) for each in found]
            return values[0] if len(values) == 1 else self.unknown(node, *values)
        is_of_object = isinstance(receiver, Unknown | Instance)
        if is_of_object and receiver is not None and isinstance(node.callee, Member):
            name = self._method_name(node.callee, receiver)
        result = self._library(node, name, receiver if is_of_object else None, positional, named)
        return self._as_declared(result, stub.function)
